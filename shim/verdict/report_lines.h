/*
 * report_lines.h - the text report's lines. Private to this folder.
 */
#ifndef CULPRIT_VERDICT_REPORT_LINES_H
#define CULPRIT_VERDICT_REPORT_LINES_H

#include "report.h"
#include "text.h"

/* Two spaces and the label, padded; "" goes on below the label of the line before. */
void begin_line(struct text *out, const char *label);
void end_line(struct text *out);

/* The most likely suspect in full. */
void add_suspect(const struct report *report, const struct submission *submission,
		 struct text *out);

/* The lines about the code that submitted it: "launched from" and below. */
void add_origin(const struct report *report, uint32_t stack, struct text *out);
/* Where on the device the first suspect faulted; nothing if that is not known. */
void add_device_place(const struct report *report, struct text *out);

/* The phrases of the EVIDENCE_COREDUMP_* kinds of a core dump's content. */
void report_coredump_evidence(const struct report *report, const struct evidence *evidence,
			      struct text *out);

/* "<<<(16,1,1),(128,1,1)>>>" and what else shapes a launch. */
void add_launch_shape(const struct journal_record *record, struct text *out);

/* The nodes of the first suspect, which is the launch of a graph; and what the headline says. */
void add_graph(const struct report *report, struct text *out);
void add_graph_headline(const struct report *report, struct text *out);
void add_node_arguments(const struct report *report, const struct graph_node_row *node,
			struct text *out);

/* The NVTX ranges that it was submitted in; nothing if there were none. */
void add_nvtx(const struct report *report, const struct submission *submission, struct text *out);

/* One line for each of the next ones. */
void add_suspect_list(const struct report *report, struct text *out);

#endif
