/*
 * dump_live.c - print what threads waited for, and the newest snapshot of the process's progress.
 */
#include "dump/dump_parts.h"

#include <inttypes.h>

void dump_wait(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct wait_row *row = view_wait(view, id);
	fprintf(out, "tid=%" PRIu32, row->tid);
	if (!row->since_ns)
		return;
	fputs(" call=", out);
	dump_string(out, view, row->call);
	fprintf(out, " stack=%" PRIu32 " stream=%" PRIu32 " ordinal=%" PRIu64 " since=%" PRIu64,
		row->stack, row->stream, row->ordinal, row->since_ns);
}

void dump_snapshot(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct snapshot_row *snapshot = view_snapshot(view);
	const struct reading_row *reading = view_reading(view, id - 1);
	static const char *const words[] = {
		[READING_NONE] = "none",          [READING_CHANNEL] = "channel",
		[READING_STATE] = "kernel-state", [READING_MARKER] = "marker",
		[READING_LOCKED] = "locked",
	};
	if (!reading)
		fprintf(out, "looks=%" PRIu32 " readings=%" PRIu32 " tid=%" PRIu32 " time=%" PRIu64,
			snapshot->n_finished, snapshot->n_readings, snapshot->tid,
			snapshot->time_ns);
	else
		fprintf(out, "%s id=%" PRIu32 " value=%" PRIu64 " gpu=%" PRIu64,
			reading->kind <= READING_LOCKED ? words[reading->kind] : "unknown",
			reading->id, reading->value, reading->gpu_ns);
}
