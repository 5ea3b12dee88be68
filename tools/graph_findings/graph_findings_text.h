/*
 * graph_findings_text.h - what checks of graphs found (base/graph_findings.h), as text.
 */
#ifndef CULPRIT_TOOLS_GRAPH_FINDINGS_TEXT_H
#define CULPRIT_TOOLS_GRAPH_FINDINGS_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "report/report_model.h"

/* A process, and how much of its file has been printed. */
struct graph_findings_reader {
	int fd; /* of the directory of its journal in memory */
	long pid;
	const struct report *report; /* has a view that is newer than the records */
	uint64_t at;                 /* bytes of the file */
};

/* Print the records that were added since the last call. Stop for good at one that is not sound. */
void graph_findings_print(struct graph_findings_reader *reader, FILE *out);

#endif
