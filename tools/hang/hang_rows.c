/*
 * hang_rows.c - compare the streams of one snapshot with those of the snapshots before.
 */
#include "hang/hang_rows.h"

#include <stddef.h>

void hang_rows_begin(struct hang_rows *rows)
{
	for (uint32_t i = 0; i < rows->n; i++)
		rows->rows[i].is_seen = false;
}

static void drop(struct hang_rows *rows, uint32_t index)
{
	rows->rows[index] = rows->rows[--rows->n];
}

struct hang_row *hang_rows_find(struct hang_rows *rows, long pid, uint32_t stream)
{
	for (uint32_t i = 0; i < rows->n; i++)
		if (rows->rows[i].pid == pid && rows->rows[i].stream == stream)
			return &rows->rows[i];
	return NULL;
}

void hang_rows_forget(struct hang_rows *rows, long pid)
{
	for (uint32_t i = rows->n; i > 0; i--)
		if (rows->rows[i - 1].pid == pid)
			drop(rows, i - 1);
}

void hang_rows_forget_all(struct hang_rows *rows)
{
	rows->n = 0;
}

static struct hang_long *find_long(struct hang_rows *rows, long pid, uint32_t function)
{
	for (uint32_t i = 0; i < rows->n_longs; i++)
		if (rows->longs[i].pid == pid && rows->longs[i].function == function)
			return &rows->longs[i];
	return NULL;
}

/* The row's kernel has finished: remember its duration if it had counted as stuck. */
static void learn(struct hang_rows *rows, const struct hang_row *row)
{
	struct hang_long *known = find_long(rows, row->pid, row->function);
	uint64_t ns = row->last_ns - row->first_ns;
	if (!row->function || !row->is_stuck)
		return;
	if (!known && rows->n_longs == HANG_MAX_LONG)
		return;
	if (!known) {
		known = &rows->longs[rows->n_longs++];
		*known = (struct hang_long){.pid = row->pid, .function = row->function};
	}
	known->ns = ns > known->ns ? ns : known->ns;
}

void hang_rows_end(struct hang_rows *rows)
{
	for (uint32_t i = rows->n; i > 0; i--) {
		if (rows->rows[i - 1].is_seen)
			continue;
		learn(rows, &rows->rows[i - 1]);
		drop(rows, i - 1);
	}
}

static uint64_t limit_of(struct hang_rows *rows, const struct hang_row *row, uint64_t limit_ns)
{
	const struct hang_long *known = find_long(rows, row->pid, row->function);
	return known && known->ns * 2 > limit_ns ? known->ns * 2 : limit_ns;
}

/* True if a thread has waited for the stream, or for all streams, for `limit_ns`. */
static bool is_awaited(const struct process_status *status, uint32_t stream, uint64_t limit_ns)
{
	for (uint32_t i = 0; i < status->n_waits; i++) {
		const struct waiting_thread *wait = &status->waits[i];
		if ((wait->stream == 0 || wait->stream == stream) &&
		    status->now_ns > wait->since_ns && status->now_ns - wait->since_ns >= limit_ns)
			return true;
	}
	return false;
}

static struct hang_row *row_of(struct hang_rows *rows, const struct process_status *status,
			       const struct stall *stall)
{
	struct hang_row *row = hang_rows_find(rows, status->pid, stall->stream);
	bool is_kernel = stall->front.work == WORK_KERNEL;
	if (row && row->sequence == stall->front.sequence)
		return row;
	if (row)
		learn(rows, row);
	else if (rows->n < HANG_MAX_ROWS)
		row = &rows->rows[rows->n++];
	else
		return NULL;
	*row = (struct hang_row){.pid = status->pid,
				 .stream = stall->stream,
				 .function = is_kernel ? stall->front.launch.function : 0,
				 .sequence = stall->front.sequence,
				 .first_ns = status->now_ns};
	return row;
}

static bool add_stream(struct hang_rows *rows, const struct process_status *status,
		       const struct stall *stall, uint64_t limit_ns, bool must_be_awaited)
{
	struct hang_row *row = row_of(rows, status, stall);
	if (!row)
		return false;
	row->is_seen = true;
	row->last_ns = status->now_ns;
	if (!stall->is_proven)
		row->proven_ns = 0;
	else if (!row->proven_ns)
		row->proven_ns = status->now_ns;
	uint64_t limit = limit_of(rows, row, limit_ns);
	uint64_t since_ns = row->proven_ns ? row->proven_ns : row->first_ns;
	row->is_stuck =
		status->now_ns - since_ns >= limit &&
		((row->proven_ns && !must_be_awaited) || is_awaited(status, row->stream, limit));
	return row->is_stuck && !row->is_told;
}

uint32_t hang_rows_add(struct hang_rows *rows, const struct process_status *status,
		       uint64_t limit_ns, bool must_be_awaited)
{
	uint32_t n_stuck = 0;
	for (uint32_t i = 0; i < status->stalls.n; i++)
		n_stuck +=
			add_stream(rows, status, &status->stalls.rows[i], limit_ns, must_be_awaited)
				? 1
				: 0;
	return n_stuck;
}
