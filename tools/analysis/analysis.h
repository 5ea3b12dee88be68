/*
 * analysis.h - the parts of a report: a bundle, the verdict on it, and the symbols.
 */
#ifndef CULPRIT_TOOLS_ANALYSIS_H
#define CULPRIT_TOOLS_ANALYSIS_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/finding.h"
#include "bundle/bundle.h"
#include "bundle/process.h"
#include "code/code_line.h"
#include "hardware/hardware_story.h"
#include "memory/memory_index.h"
#include "report/last_rejection.h"
#include "report/page.h"
#include "symbols/symbols.h"

/*
 * A filter that removes data from a bundle before the report is made. `apply` is called once for
 * the whole bundle and returns 0 or -errno. `mask` changes each path that comes from symbols, in
 * place.
 */
struct analysis_filter {
	int (*apply)(void *state, struct bundle *bundle);
	void (*mask)(void *state, char *bytes, size_t size);
	void *state;
};

struct analysis {
	struct bundle *bundle; /* the caller's */
	struct symbols *symbols;
	struct symbol_source source;
	struct verdict *verdict;
	struct page *page;
	struct page *brief; /* the short report, made from `page` */
	struct process_lines process;
	struct code_line device_line;    /* the line at which the GPU stopped */
	enum finding_kind finding;       /* what the report is about */
	struct hang_claim hang;          /* the verdict's, if it has one */
	struct last_rejection rejection; /* FINDING_REJECTION: the report's */
	struct hardware_story hardware;  /* of the GPUs that the process used */
	struct report_hardware hardware_lines;
	bool is_told; /* the process's own report says more than the bundle: print that one */
	void *memory_scratch; /* of the index; NULL: none */
	struct memory_index memory_index;
	struct report report; /* points to the members above: the analysis must not move */
};

/*
 * Returns 0 or -ENOMEM. The caller keeps `bundle`, which must outlive the analysis. `wait_seconds`
 * limits the wait for files with symbols as in symbols_open(). A filter (NULL: none) changes the
 * bundle after the verdict is known.
 */
int analysis_open(struct bundle *bundle, unsigned wait_seconds,
		  const struct analysis_filter *wanted, struct analysis *out);
void analysis_close(struct analysis *analysis);

/* Return the CUresult of the failure or of the refused call; 0 if the finding has none. */
int32_t analysis_code(const struct analysis *analysis);

/* Append "CUDA_ERROR_ILLEGAL_ADDRESS", "GPU_HANG", or "refused launch". */
void analysis_add_name(const struct analysis *analysis, struct text *out);

/* Return the id of the page's line with the place of the finding in the user's code. */
enum page_id analysis_location_line(const struct analysis *analysis);

/* True if the bundle's process had a GPU failure. */
bool analysis_has_failure(const struct analysis *analysis);

/*
 * True if it is unknown whether the GPU failed: the process still runs, it exited with unfinished
 * work, or its failure is lost.
 */
bool analysis_is_open(const struct analysis *analysis);

struct analysis_module {
	uint32_t id;
	const char *path; /* NULL: not known */
	/*
	 * One phrase: what the report lacks about this module, because its file was replaced or
	 * took too long to read. NULL: the report lacks nothing that was asked for.
	 */
	const char *missed;
};

/* Gets the module after `*place` in the journal (0: the first), and moves it. False: no more. */
bool analysis_next_module(const struct analysis *analysis, uint32_t *place,
			  struct analysis_module *out);

#endif
