/*
 * rejected_line.h - the one line that says why the driver refused a call. It is made once for each
 * place and result, and up to a limit, since programs that try out what works are refused often. A
 * program may recover from a refused call, so the line is kept and printed only when it fails.
 */
#ifndef CULPRIT_REFUSAL_REJECTED_LINE_H
#define CULPRIT_REFUSAL_REJECTED_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/driver_calls.h"
#include "base/text.h"
#include "report/report_model.h"

/* A call that the driver refused with an error that is not sticky. */
struct rejected_call {
	enum driver_call id;
	CUresult result;
	uint32_t stack;
};

enum { REJECTED_LOCATION_SIZE = 1024, REJECTED_LINE_SIZE = REJECTED_LOCATION_SIZE + 1024 };

/* A line that is being made, in memory of its own: the thread's stack may be small. */
struct rejected_line {
	struct rejected_call call;
	const char *what;
	size_t subject, place, why; /* where they begin in the text */
	struct bundle_view view;    /* of this process */
	struct report report;
	struct text text;
	char bytes[REJECTED_LINE_SIZE];
};

/* Print lines at once (CULPRIT_VERBOSE), or only keep them for the end. Start-up only. */
void rejected_line_start(bool is_wanted_at_once);

/* True if this place and result are new, so that a line should be made. Any thread. */
bool rejected_line_is_new(const struct rejected_call *call);

/*
 * "culprit: WHAT refused (1): ", after which comes its subject. WHAT lasts. NULL: no memory. No
 * lock held. Any thread.
 */
struct rejected_line *rejected_line_begin(const char *what, const struct rejected_call *call);

/*
 * " from PLACE: ", after which comes the reason: of a long place a part will do, but never of the
 * reason.
 */
void rejected_line_add_location(struct rejected_line *line);

/*
 * Keep the line as a row, and print it with CULPRIT_VERBOSE. Without a rule nothing is proven, and
 * nothing is kept. Frees the line.
 */
void rejected_line_end(struct rejected_line *line, const char *rule);

/*
 * rejected_host.c: why the driver refused a call about host memory, by what is known of the memory
 * at its address. Each says nothing where no reason is proven. They ask the driver: no lock held.
 */

/* The GPU's address of host memory was asked for, with these flags. Any thread. */
void rejected_host_pointer(const struct rejected_call *call, uint64_t address, unsigned flags);

/* So many bytes were to be registered. Any thread. */
void rejected_host_register(const struct rejected_call *call, uint64_t address, uint64_t size);

/* Host memory of that kind was to be given back. Any thread. */
void rejected_host_release(const struct rejected_call *call, uint64_t address, uint8_t kind);

#endif
