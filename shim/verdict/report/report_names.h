/*
 * report_names.h - names of what was submitted, shortened for people, and of the nodes of graphs.
 */
#ifndef CULPRIT_VERDICT_REPORT_NAMES_H
#define CULPRIT_VERDICT_REPORT_NAMES_H

#include "base/text.h"
#include "verdict/report/report_model.h"

/*
 * What was submitted: the kernel's name, demangled; "graph 0x..., replay 3"; the name of the call
 * for other work. With `is_short` a C++ name loses its return type, template arguments and
 * parameters.
 */
void report_work_name(const struct report *report, const struct journal_record *record,
		      bool is_short, struct text *out);

/* "<<<(16,1,1),(128,1,1)>>>" and what else shapes a launch. */
void report_launch_shape(const struct journal_record *record, struct text *out);

/* "unknown", "narrowed", "exact"; "unseen", "captured", "added". */
const char *report_graph_certainty(enum graph_certainty certainty);
const char *report_node_origin(const struct graph_node_row *node);

/* What a node of a graph does: the kernel's name as report_work_name has it, or its kind. */
void report_node_name(const struct report *report, const struct graph_node_row *node, bool is_short,
		      struct text *out);

/* The node as if it had been launched by itself, for what reads records; it has no place. */
void report_node_record(const struct graph_node_row *node, struct journal_record *out);

#endif
