/*
 * dump_range.c - print an allocation: its range of addresses, and the calls that made and freed it.
 */
#include "dump/dump_parts.h"

#include <inttypes.h>

#include "memory/memory_labels.h"

static void dump_shape(FILE *out, const struct range_row *row)
{
	fprintf(out, " kind='%s' flags=0x%x", memory_kind_label(row->kind), row->flags);
	if (row->flags & RANGE_DEVICE_KNOWN)
		fprintf(out, " device=%u", row->device);
	if (row->stream)
		fprintf(out, " stream=%" PRIu32, row->stream);
	if (row->parent)
		fprintf(out, " parent=%" PRIu32, row->parent);
}

static void dump_freed(FILE *out, const struct bundle_view *view, const struct range_row *row)
{
	fputs(" freed_call=", out);
	dump_string(out, view, row->freed_call);
	fprintf(out, " freed_stack=%" PRIu32 " freed_after=#%" PRIu64 " freed_tid=%" PRIu32,
		row->freed_stack, row->freed_after, row->freed_tid);
	if (row->freed_stream)
		fprintf(out, " freed_stream=%" PRIu32, row->freed_stream);
	dump_time(out, "freed", row->freed_ns);
}

void dump_range(FILE *out, const struct bundle_view *view, uint32_t id)
{
	static const char *const states[] = {"reused", "live", "freed"};
	struct range_row row;
	if (!view_range_copy(view, id, &row)) {
		fputs("state=reused", out);
		return;
	}
	fprintf(out, "start=0x%" PRIx64 " size=%" PRIu64 " number=%" PRIu64 " call=", row.start,
		row.size, row.number);
	dump_string(out, view, row.call);
	fprintf(out, " stack=%" PRIu32 " context=%" PRIu32 " tid=%" PRIu32 " state=%s", row.stack,
		row.context, row.tid, row.state <= RANGE_FREED ? states[row.state] : "?");
	dump_time(out, "made", row.time_ns);
	dump_shape(out, &row);
	if (row.state == RANGE_FREED)
		dump_freed(out, view, &row);
}
