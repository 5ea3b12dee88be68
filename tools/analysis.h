/*
 * analysis.h - a bundle, the verdict on it and the symbols to tell it with: what a report is made
 * of.
 */
#ifndef CULPRIT_TOOLS_ANALYSIS_H
#define CULPRIT_TOOLS_ANALYSIS_H

#include <stdbool.h>
#include <stdio.h>

#include "bundle.h"
#include "report.h"
#include "symbols.h"

struct analysis {
	struct bundle *bundle; /* the caller's */
	struct symbols *symbols;
	struct symbol_source source;
	struct verdict *verdict;
	struct report report; /* points to the members above: the analysis must not move */
};

/* 0, or -ENOMEM. `bundle` stays the caller's and must outlive the analysis. */
int analysis_open(struct bundle *bundle, struct analysis *out);
void analysis_close(struct analysis *analysis);

/* Did the bundle's process have a GPU failure? */
bool analysis_has_failure(const struct analysis *analysis);

/*
 * The report as lines; on standard error one line for each of the user's files that could not give
 * source lines because it is not the one of the run. 0, or -errno of the output or of memory.
 */
int analysis_print_text(const struct analysis *analysis, FILE *out);

#endif
