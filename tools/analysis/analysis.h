/*
 * analysis.h - a bundle, the verdict on it and the symbols to tell it with: what a report is made
 * of.
 */
#ifndef CULPRIT_TOOLS_ANALYSIS_H
#define CULPRIT_TOOLS_ANALYSIS_H

#include <stdbool.h>
#include <stdio.h>

#include "bundle/bundle.h"
#include "bundle/process.h"
#include "code/code_line.h"
#include "memory/memory_index.h"
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
	struct process_lines process;
	struct code_line device_line; /* at which the GPU stopped; file "": not known */
	bool is_told; /* the process's own report tells more than the bundle: it is the one */
	void *memory_scratch; /* of the index; NULL: there is none */
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

/* Did the bundle's process have a GPU failure? */
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

/*
 * The report as lines; on standard error one line for each module whose symbols are missed. 0, or
 * -errno of the output or of memory.
 */
int analysis_print_text(const struct analysis *analysis, FILE *out);

#endif
