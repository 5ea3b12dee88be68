/*
 * dump_check.c - print what a check found, before and after the launch.
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
