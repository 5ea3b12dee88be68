/*
 * report_arguments.h - the parameters of launches: how functions declare them, what bytes were
 * kept, and what memory the pointers among them point to.
 */
#ifndef CULPRIT_VERDICT_REPORT_ARGUMENTS_H
#define CULPRIT_VERDICT_REPORT_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "verdict/report/page.h"

/* Reads the arguments of a submission; of one that is no kernel launch n is 0. */
void report_read_arguments(const struct bundle_view *view, const struct submission *submission,
			   struct launch_arguments *out);

/* The same of a node of a graph. */
void report_read_node_arguments(const struct bundle_view *view, const struct graph_node_row *node,
				struct launch_arguments *out);

/* Parameter `index` (0-based). False: no such parameter. */
bool report_argument(const struct bundle_view *view, const struct launch_arguments *arguments,
		     uint32_t index, struct argument *out);

/*
 * Lines: the arguments of a kernel that was launched, or that is a node of a graph; of a copy or a
 * memset the memory that it touches; none of other work. Once in a page.
 */
void report_add_arguments(struct page *page, const struct submission *submission);
void report_add_node_arguments(struct page *page, const struct graph_node_row *node);

#endif
