/*
 * report_names.c - short names of submissions and of the nodes of graphs.
 */
#include "report/report_names.h"

#include <inttypes.h>
#include <string.h>

#include "base/short_name.h"

static void add_kernel_name(const struct report *report, const struct journal_record *record,
			    bool is_short, struct text *out)
{
	const struct function_row *function = view_function(report->view, record->launch.function);
	const struct symbol_source *symbols = report->symbols;
	size_t length = 0;
	const char *name = function ? view_string(report->view, function->name, &length) : "";
	const char *readable = length > 0 && symbols && symbols->demangle
				       ? symbols->demangle(symbols->state, name)
				       : NULL;
	if (!function)
		text_add(out, "an unknown kernel");
	else if (length == 0)
		text_addf(out, "the kernel 0x%" PRIx64, function->handle);
	else if (is_short)
		short_name_add_kernel(readable ? readable : name, out);
	else
		text_add_foreign(out, readable ? readable : name,
				 readable ? strlen(readable) : length);
}

void report_function_name(const struct report *report, uint32_t name, struct text *out)
{
	const struct symbol_source *symbols = report->symbols;
	const char *mangled = view_string(report->view, name, NULL);
	const char *readable =
		symbols && symbols->demangle ? symbols->demangle(symbols->state, mangled) : NULL;
	short_name_add_kernel(readable ? readable : mangled, out);
}

void report_work_name(const struct report *report, const struct journal_record *record,
		      bool is_short, struct text *out)
{
	size_t length = 0;
	const char *call = view_string(report->view, record->call, &length);
	if (record->work == WORK_KERNEL)
		add_kernel_name(report, record, is_short, out);
	else if (record->work == WORK_GRAPH)
		text_addf(out, "graph 0x%" PRIx64 ", replay %" PRIu64, record->graph.handle,
			  record->graph.replay);
	else if (length > 0)
		text_add_foreign(out, call, length);
	else
		text_add(out, "an unknown call");
}

static void add_dimensions(const uint32_t dimensions[3], struct text *out)
{
	text_addf(out, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", dimensions[0], dimensions[1],
		  dimensions[2]);
}

void report_launch_shape(const struct journal_record *record, struct text *out)
{
	const struct record_launch *launch = &record->launch;
	text_add(out, "<<<");
	add_dimensions(launch->grid, out);
	text_add(out, ",");
	add_dimensions(launch->block, out);
	if (launch->shared_bytes != 0)
		text_addf(out, ",%" PRIu32, launch->shared_bytes);
	text_add(out, ">>>");
	if (launch->cluster[0] != 0)
		text_addf(out, " in clusters of (%u,%u,%u)", launch->cluster[0], launch->cluster[1],
			  launch->cluster[2]);
	if (record->flags & RECORD_COOPERATIVE)
		text_add(out, " cooperative");
}

void report_node_record(const struct graph_node_row *node, struct journal_record *out)
{
	memset(out, 0, sizeof(*out));
	out->work = node->work;
	out->stack = node->stack;
	if (node->work != WORK_KERNEL)
		return;
	out->launch.function = node->function;
	out->launch.shared_bytes = node->shared_bytes;
	memcpy(out->launch.grid, node->grid, sizeof(node->grid));
	memcpy(out->launch.block, node->block, sizeof(node->block));
}

const char *report_node_origin(const struct graph_node_row *node)
{
	static const char *const words[] = {
		[GRAPH_NODE_UNSEEN] = "unseen",
		[GRAPH_NODE_CAPTURED] = "captured",
		[GRAPH_NODE_ADDED] = "added",
	};
	return node->source <= GRAPH_NODE_ADDED ? words[node->source] : words[GRAPH_NODE_UNSEEN];
}

const char *report_graph_certainty(enum graph_certainty certainty)
{
	static const char *const words[] = {
		[GRAPH_UNKNOWN] = "unknown",
		[GRAPH_NARROWED] = "narrowed",
		[GRAPH_LIKELY] = "likely",
		[GRAPH_EXACT] = "exact",
	};
	return words[certainty];
}

static const char *node_noun(uint8_t work)
{
	switch (work) {
	case WORK_COPY:
		return "a copy";
	case WORK_MEMSET:
		return "a memset";
	case WORK_MEMOP:
		return "a memory operation";
	default:
		return "a node of an unknown kind";
	}
}

void report_node_name(const struct report *report, const struct graph_node_row *node, bool is_short,
		      struct text *out)
{
	struct journal_record record;
	report_node_record(node, &record);
	if (node->work == WORK_KERNEL)
		report_work_name(report, &record, is_short, out);
	else
		text_add(out, node_noun(node->work));
}
