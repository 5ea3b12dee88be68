/*
 * report_names.h - short names of submissions and of the nodes of graphs.
 */
#ifndef CULPRIT_REPORT_REPORT_NAMES_H
#define CULPRIT_REPORT_REPORT_NAMES_H

#include "base/text.h"
#include "report/report_model.h"

/* Append the short name of a kernel, whose mangled name is the string `name`. */
void report_function_name(const struct report *report, uint32_t name, struct text *out);

/*
 * Append the name of a submission: the kernel's demangled name, "graph 0x..., replay 3", or the
 * name of the call for other work. With `is_short`, a C++ name is cut to its short form, without
 * return type, template arguments and parameters.
 */
void report_work_name(const struct report *report, const struct journal_record *record,
		      bool is_short, struct text *out);

/* Append "<<<(16,1,1),(128,1,1)>>>" and the rest of a launch's shape. */
void report_launch_shape(const struct journal_record *record, struct text *out);

/* Return "unknown", "narrowed", "likely" or "exact"; "unseen", "captured" or "added". */
const char *report_graph_certainty(enum graph_certainty certainty);
const char *report_node_origin(const struct graph_node_row *node);

/* Append a node's kernel name in the form of report_work_name, or the kind of its work. */
void report_node_name(const struct report *report, const struct graph_node_row *node, bool is_short,
		      struct text *out);

/* Make a record as if the node had been launched by itself; it has no stream and ordinal. */
void report_node_record(const struct graph_node_row *node, struct journal_record *out);

#endif
