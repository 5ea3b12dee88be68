/*
 * report_arguments.h - the parameters of launches: how functions declare them, the recorded bytes,
 * and the memory that pointers among them point to.
 */
#ifndef CULPRIT_REPORT_REPORT_ARGUMENTS_H
#define CULPRIT_REPORT_REPORT_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "report/page.h"

/* Read the arguments of a submission; n is 0 unless it is a kernel launch. */
void report_read_arguments(const struct bundle_view *view, const struct submission *submission,
			   struct launch_arguments *out);

/* Read the arguments of a node in the same way. `graph` is the graph's launch; NULL: not known. */
void report_read_node_arguments(const struct bundle_view *view, const struct submission *graph,
				const struct graph_node_row *node, struct launch_arguments *out);

/* Read parameter `index`, from 0; false if there is no such parameter. */
bool report_argument(const struct bundle_view *view, const struct launch_arguments *arguments,
		     uint32_t index, struct argument *out);

/*
 * Add lines with the arguments of a launched kernel, or of a kernel that is a node of a graph. For
 * a copy or memset, they are the memory that it touches; other work has no lines. Once per page.
 */
void report_add_arguments(struct page *page, const struct submission *submission);
void report_add_node_arguments(struct page *page, const struct submission *graph,
			       const struct graph_node_row *node);

/* Append "; no device has the right to write it" for memory that lacks rights. */
void report_add_rights(struct page *page, const struct range_row *range);

/* Append "; freed after submission #3, from a.c:4 f" for memory that was freed. */
void report_add_freed(struct page *page, const struct range_row *range, bool is_in_flight);

#endif
