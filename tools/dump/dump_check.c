/*
 * dump_check.c - print what a check found, before and after a launch or a node of a graph.
 */
#include "dump/dump_parts.h"

#include <inttypes.h>

static void dump_result(FILE *out, const char *when, const struct check_result *result)
{
	fprintf(out,
		" %s=type:%" PRIu32 ",n:%" PRIu64 ",nan:%" PRIu64 "@%" PRId64 ",inf:%" PRIu64
		"@%" PRId64 ",min:%g,max:%g,sum:%g,checksum:%016" PRIx64,
		when, result->type, result->n, result->n_nan, (int64_t)result->first_nan,
		result->n_infinite, (int64_t)result->first_infinite, result->min, result->max,
		result->sum, result->checksum);
}

void dump_check(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct check_row *row = view_check(view, id);
	fprintf(out,
		"launch=%" PRIu64 " function=%" PRIu32 " stack=%" PRIu32 " stream=%" PRIu32
		" ordinal=%" PRIu64 " argument=%" PRIu32 "+%" PRIu32 " address=0x%" PRIx64
		" bytes=%" PRIu64 " allocation=%" PRIu64 " flags=0x%" PRIx32,
		row->sequence, row->function, row->stack, row->stream, row->ordinal, row->parameter,
		row->offset, row->address, row->bytes, row->number, row->flags);
	dump_result(out, "before", &row->before);
	if (row->flags & CHECK_ROW_HAS_AFTER)
		dump_result(out, "after", &row->after);
}

void dump_graph_check(FILE *out, const struct bundle_view *view, uint32_t id)
{
	static const char *const kinds[N_GRAPH_CHECK_KINDS] = {"none", "odd", "unfinished", "last"};
	const struct graph_check_row *row = view_graph_check(view, id);
	fprintf(out,
		"graph=%" PRIu64 " handle=0x%" PRIx64 " kind=%s flags=0x%" PRIx32 " row=%" PRIu32
		"/%" PRIu32 " reason=%" PRIu32 " replay=%" PRIu32 "/%" PRIu32
		" graph_stack=%" PRIu32 " checked=%" PRIu32 " node=%" PRIu32 " function=%" PRIu32
		" stack=%" PRIu32 " argument=%" PRIu32 "+%" PRIu32 " address=0x%" PRIx64
		" bytes=%" PRIu64 " allocation=%" PRIu64 " kib=%" PRIu32 "/%" PRIu32,
		row->graph, row->handle, row->kind < N_GRAPH_CHECK_KINDS ? kinds[row->kind] : "?",
		row->flags, row->index, row->n_rows, row->reason, row->replay, row->n_replays,
		row->graph_stack, row->n_checked, row->node, row->function, row->stack,
		row->parameter, row->offset, row->address, row->bytes, row->number, row->kib_read,
		row->kib_given);
	if (row->before.run)
		dump_result(out, "before", &row->before);
	if (row->after.run)
		dump_result(out, "after", &row->after);
}
