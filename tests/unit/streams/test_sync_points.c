/*
 * test_sync_points.c - which streams a synchronisation of a context finishes, and how far. The
 * contexts are simulated here.
 */
#include "record/streams/sync_points.h"

#include <stddef.h>

#include "record/host/arena.h"
#include "record/progress/progress_tracker.h"
#include "record/streams/contexts.h"
#include "record/streams/stream_rows.h"
#include "support/check.h"

enum { N_STREAMS = 150, CALL = 9 };

static struct context primary, green, foreign;
static struct context *const contexts[] = {&foreign, &green, &primary};
static struct stream streams[N_STREAMS];
static struct stream_row rows[N_STREAMS];
static bool has_no_memory;
static unsigned n_checked;

/* Nothing in an arena is freed. */
void *arena_alloc_aside(size_t size)
{
	static _Alignas(max_align_t) unsigned char memory[1 << 16];
	static size_t n_used;
	void *out = memory + n_used;
	if (has_no_memory)
		return NULL;
	n_used += size;
	CHECK(n_used <= sizeof(memory));
	return out;
}

uint64_t streams_submitted(const struct stream *stream)
{
	return stream->row->submitted;
}

void streams_finished(struct stream_row *row, uint64_t ordinal, uint32_t call)
{
	CHECK_EQUAL(call, CALL);
	row->synced = ordinal;
}

void progress_tracker_check(struct progress_tracker *tracker, uint64_t ordinal)
{
	CHECK(tracker && ordinal);
	n_checked++;
}

void contexts_for_each(void (*visit)(struct context *context, void *data), void *data)
{
	for (size_t i = 0; i < sizeof(contexts) / sizeof(*contexts); i++)
		visit(contexts[i], data);
}

void streams_for_each(struct context *context, void (*visit)(struct stream *stream, void *data),
		      void *data)
{
	for (int i = 0; i < N_STREAMS; i++) {
		if (streams[i].context == context)
			visit(&streams[i], data);
	}
}

/* The streams are those of the primary context, of its green one and of another one by turns. */
static void start(void)
{
	green.primary = &primary;
	for (int i = 0; i < N_STREAMS; i++) {
		rows[i] = (struct stream_row){.submitted = 5 + (uint64_t)i, .synced = 4};
		streams[i] = (struct stream){.context = i % 3 == 0   ? &primary
							: i % 3 == 1 ? &green
								     : &foreign,
					     .row = &rows[i]};
	}
	n_checked = 0;
}

/* Waiting for the primary context includes its green one. Later submissions do not count. */
static void test_context(struct sync_points *points)
{
	start();
	rows[0].synced = rows[0].submitted; /* nothing is left to finish */
	sync_points_take(points, &primary);
	CHECK_EQUAL(points->n, 2 * N_STREAMS / 3 - 1);
	rows[3].submitted += 7;
	sync_points_finished(points, CALL);
	CHECK_EQUAL(n_checked, 2 * N_STREAMS / 3 - 1);
	for (int i = 0; i < N_STREAMS; i++)
		CHECK_EQUAL(rows[i].synced, i % 3 == 2 ? 4 : 5 + i);
	CHECK_EQUAL(points->n, 0);
	start();
	sync_points_take(points, &green);
	CHECK_EQUAL(points->n, N_STREAMS / 3);
	sync_points_take(points, NULL);
	CHECK_EQUAL(points->n, 0);
}

/* Without memory for more, the first ones are noted. */
static void test_no_memory(void)
{
	struct sync_points points = {0};
	start();
	has_no_memory = true;
	sync_points_take(&points, &primary);
	CHECK_EQUAL(points.n, 0);
	has_no_memory = false;
	sync_points_take(&points, &green);
	has_no_memory = true;
	CHECK(points.capacity > 0 && points.capacity < 2 * N_STREAMS / 3);
	sync_points_take(&points, &primary);
	CHECK_EQUAL(points.n, points.capacity);
	has_no_memory = false;
}

int main(void)
{
	struct sync_points points = {0};
	test_context(&points);
	test_no_memory();
	return 0;
}
