/*
 * report_model.h - the input of a report: a verdict, its bundle, and a source of symbols.
 */
#ifndef CULPRIT_REPORT_REPORT_MODEL_H
#define CULPRIT_REPORT_REPORT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attribution/attribution.h"
#include "memory/memory_pointer.h"
#include "view/bundle_view.h"

/* One line of source. A string is NULL if it is not known. */
struct source_frame {
	const char *function;
	const char *file;
	uint32_t line; /* 0: unknown */
	uint32_t column;
	bool is_inlined;   /* into the next frame of the same result */
	bool is_tail_call; /* it has no frame of its own any more */
};

/*
 * A source of symbols. The shim's uses the dynamic symbols of its own process, the tool's uses
 * debug information. Strings of a member stay valid until its next call. A member may be
 * NULL: then nothing is known, and names stay mangled.
 */
struct symbol_source {
	/*
	 * Write the frames of the code that returns to `offset` of `module` (look up offset - 1),
	 * up to `max` of them, the innermost inlined one first. Returns their number; 0: unknown.
	 * `module_id` is the row's id and can be a key. Without a module (id 0, row NULL, path "")
	 * `offset` is an absolute address.
	 */
	size_t (*frames)(void *state, uint32_t module_id, const struct module_row *module,
			 const char *path, uint64_t offset, struct source_frame *out, size_t max);
	/*
	 * Write functions that the call returning to `offset` entered, and that may have left their
	 * frames by tail calls: the one called first, then the one that it jumped to.
	 */
	size_t (*tail_callers)(void *state, uint32_t module_id, const struct module_row *module,
			       const char *path, uint64_t offset, struct source_frame *out,
			       size_t max);
	/* Return a readable form of a mangled name, or NULL. */
	const char *(*demangle)(void *state, const char *mangled);
	/*
	 * Write up to `max` phrases into out: what comments in the generated Python file `path` say
	 * about the source of the line. Returns their number.
	 */
	size_t (*notes)(void *state, const char *path, uint32_t line, const char **out, size_t max);
	void *state;
};

/* How the process ended. */
enum report_end_kind {
	REPORT_END_UNKNOWN,
	REPORT_RUNS,   /* it still runs, or its end cannot be seen from here */
	REPORT_EXITED, /* in an orderly way */
	REPORT_KILLED, /* by signal `number` */
	REPORT_GONE,   /* killed, or by _exit: not known which */
};

struct report_end {
	enum report_end_kind kind;
	int number;
	bool is_failure_lost; /* there was a failure, but its row cannot be read */
	bool is_finding;      /* with work unfinished, in a run that did not succeed */
};

enum { REPORT_MAX_PROCESS_LINES = 4 };

/* The process that failed, as far as it is known. The caller owns the strings. */
struct report_process {
	long pid;         /* 0: not known */
	bool is_of_run;   /* started by `culprit run`: advice may name its options */
	const char *rank; /* in its job, as digits; NULL or "": none */
	const char *lines[REPORT_MAX_PROCESS_LINES];
	uint32_t n_lines;
	const char *command; /* its command line, quoted for a shell; NULL: not known */
	struct report_end end;
};

enum { REPORT_MAX_HARDWARE_LINES = 4 };

/* The answers of the GPUs that the process used. The caller owns the strings. */
struct report_hardware {
	uint32_t n_lines;
	const char *lines[REPORT_MAX_HARDWARE_LINES];
};

struct last_rejection; /* report/last_rejection.h */

struct report {
	const struct bundle_view *view;
	const struct verdict *verdict;
	const struct symbol_source *symbols; /* NULL: none */
	const char *bundle_path;             /* NULL: omit the line about it */
	const char *directory; /* of the process; files are relative to it; NULL: not known */
	const struct report_process *process;   /* NULL: omitted */
	const struct report_hardware *hardware; /* NULL: not known */
	const struct last_rejection *rejection; /* that the process failed of; NULL: none */
};

enum { REPORT_MAX_ARGUMENT_BYTES = 4096 };

/* The parameters of one launch as its function declares them, and the recorded bytes. */
struct launch_arguments {
	const struct function_row *function; /* NULL: not a kernel, or its row was reused */
	const struct context_row *context;   /* of the launch; NULL: not known */
	uint32_t n;                          /* parameters known, see report_argument */
	bool is_layout_known;                /* false: the driver did not say, and n is 0 */
	int device;                          /* of the launch; -1: not known */
	struct range_moment at;              /* when it was launched */
	size_t n_bytes;
	unsigned char bytes[REPORT_MAX_ARGUMENT_BYTES];
};

struct argument {
	uint32_t index;
	uint32_t offset;
	uint32_t size;
	const unsigned char *bytes; /* into launch_arguments.bytes; NULL: not recorded */
	bool has_value;             /* at most eight bytes, and all recorded */
	uint64_t value;
	enum place place;
	uint64_t distance;
	struct range_row range; /* if place is not PLACE_NONE */
};

#endif
