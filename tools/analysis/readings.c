/*
 * readings.c - what a snapshot read of channels, kernels and markers.
 */
#include "analysis/readings.h"

static void apply_channel(const struct reading_row *reading, const struct bundle_view *view)
{
	/* The cast is safe: the bundle owns the bytes that its view points to. */
	struct channel_row *row = (struct channel_row *)(uintptr_t)view_channel(view, reading->id);
	if (!row)
		return;
	row->started = (uint32_t)reading->value;
	row->started_gpu_ns = reading->gpu_ns;
	row->is_read = 1;
}

static void apply_state(const struct reading_row *reading, const struct bundle_view *view)
{
	struct kernel_state_row *row =
		(struct kernel_state_row *)(uintptr_t)view_kernel_state(view, reading->id);
	if (!row)
		return;
	row->value = (uint32_t)reading->value;
	row->is_read = 1;
}

/* The marker may be ahead of `submitted`, which was read earlier: cap it. */
static void apply_marker(const struct reading_row *reading, const struct bundle_view *view)
{
	struct stream_row *row = (struct stream_row *)(uintptr_t)view_stream(view, reading->id);
	uint64_t marked = reading->value;
	if (!row)
		return;
	if (marked > row->submitted)
		marked = row->submitted;
	if (marked > row->marked)
		row->marked = marked;
}

void readings_apply(const struct reading_row *readings, size_t n, struct bundle *bundle)
{
	for (size_t index = 0; index < n; index++) {
		const struct reading_row *reading = &readings[index];
		if (reading->kind == READING_CHANNEL)
			apply_channel(reading, &bundle->view);
		else if (reading->kind == READING_STATE)
			apply_state(reading, &bundle->view);
		else if (reading->kind == READING_MARKER)
			apply_marker(reading, &bundle->view);
	}
}

uint64_t readings_apply_last(struct bundle *bundle)
{
	const struct snapshot_row *snapshot = view_snapshot(&bundle->view);
	uint64_t n_rows = bundle->view.tables[JOURNAL_SNAPSHOTS].n_rows;
	if (!snapshot || !snapshot->n_finished || snapshot->n_started != snapshot->n_finished ||
	    snapshot->n_readings >= n_rows)
		return 0;
	for (uint32_t number = 1; number <= snapshot->n_readings; number++) {
		const struct reading_row *reading = view_reading(&bundle->view, number);
		if (reading)
			readings_apply(reading, 1, bundle);
	}
	return snapshot->time_ns;
}
