/*
 * graph_findings_text.h - what checks of graphs found (base/journal_graph_checks.h), as text.
 */
#ifndef CULPRIT_TOOLS_GRAPH_FINDINGS_TEXT_H
#define CULPRIT_TOOLS_GRAPH_FINDINGS_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "report/report_model.h"

/* A process, and how many rows of its table have been printed. */
struct graph_findings_reader {
	long pid;
	const struct report *report;
	uint64_t n_printed;
};

/* Print the rows that were added since the last call. */
void graph_findings_print(struct graph_findings_reader *reader, FILE *out);

#endif
