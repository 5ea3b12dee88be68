/*
 * nvtx_journal.c - write one row for each range from the outermost changed one on. The whole set is
 * written again before the ring could have overwritten any of it.
 */
#include "record/nvtx/nvtx_ranges.h"

#include <string.h>

#include "base/hot.h"
#include "record/journal/ring.h"
#include "record/nvtx/nvtx_names.h"

/* The rows that one submission writes, and where. */
struct writer {
	struct ring *ring;
	uint32_t tid;
	struct nvtx_thread *ranges;
	uint8_t n_open[N_NVTX_SCOPES]; /* number of ranges with rows: the outermost ones */
	uint16_t n_unkept;             /* number of the other ranges */
};

static uint8_t at_most(uint8_t n, uint64_t limit)
{
	return n < limit ? n : (uint8_t)limit;
}

/* In a small ring, use less than an eighth of it: the rest is for submissions. */
static struct writer writer_for(struct ring *ring, uint32_t tid, struct nvtx_thread *ranges)
{
	uint64_t limit = ring->capacity / 16;
	struct writer writer = {.ring = ring, .tid = tid, .ranges = ranges};
	writer.n_open[NVTX_OF_THREAD] = at_most(ranges->n_open, limit);
	writer.n_open[NVTX_OF_PROCESS] = at_most(ranges->n_process, limit);
	uint32_t n_unkept = ranges->n_unkept + ranges->n_unkept_process +
			    (ranges->n_open - writer.n_open[NVTX_OF_THREAD]) +
			    (ranges->n_process - writer.n_open[NVTX_OF_PROCESS]);
	writer.n_unkept = n_unkept < UINT16_MAX ? (uint16_t)n_unkept : UINT16_MAX;
	return writer;
}

static void append(const struct writer *writer, enum nvtx_scope scope, unsigned index)
{
	const struct nvtx_range *range = scope == NVTX_OF_THREAD ? &writer->ranges->ranges[index]
								 : &writer->ranges->process[index];
	struct journal_record record = {.kind = RECORD_NVTX, .tid = writer->tid};
	record.nvtx.scope = (uint8_t)scope;
	record.nvtx.index = (uint8_t)index;
	memcpy(record.nvtx.n_open, writer->n_open, sizeof(writer->n_open));
	record.nvtx.n_unkept = writer->n_unkept;
	record.nvtx.domain = nvtx_name_string(range->domain);
	record.nvtx.text_size = range->text.size;
	record.nvtx.is_cut = range->text.is_cut;
	memcpy(record.nvtx.text, range->text.bytes, range->text.size);
	(void)ring_append(writer->ring, &record);
}

/* The oldest quarter of a full ring may lack rows written before it; newer parts have them. */
static bool is_whole_set_due(const struct nvtx_thread *self, const struct ring *ring)
{
	return self->ring != ring || ring->next - self->whole_at >= ring->capacity / 4;
}

/* If the process's ranges changed since this thread wrote them, copy them and return true. */
static bool take_process_ranges(struct nvtx_thread *self)
{
	uint32_t generation = nvtx_process_generation();
	if (generation == self->process_generation)
		return false;
	self->process_generation = generation;
	self->n_process = nvtx_process_ranges(self->process, &self->n_unkept_process);
	return true;
}

/* Append at least one row, the innermost range's: each row says how many ranges are open. */
static void append_thread_ranges(const struct writer *writer, unsigned first)
{
	unsigned n_open = writer->n_open[NVTX_OF_THREAD];
	if (n_open && first >= n_open)
		first = n_open - 1;
	for (unsigned i = first; i < n_open; i++)
		append(writer, NVTX_OF_THREAD, i);
}

static void append_ranges(const struct writer *writer, bool with_process)
{
	/* Reset this before writing: a signal handler may change ranges meanwhile. */
	unsigned first = writer->ranges->first_changed;
	writer->ranges->first_changed = NVTX_NOT_CHANGED;
	for (unsigned i = 0; with_process && i < writer->n_open[NVTX_OF_PROCESS]; i++)
		append(writer, NVTX_OF_PROCESS, i);
	append_thread_ranges(writer, first);
}

HOT bool nvtx_journal(struct ring *ring, uint32_t tid)
{
	struct nvtx_thread *self = nvtx_is_used() && ring->header ? nvtx_thread_self() : NULL;
	if (!self)
		return false;
	bool is_process_changed = take_process_ranges(self);
	if (is_process_changed)
		nvtx_close_destroyed(self);
	if (self->n_open == 0 && self->n_process == 0)
		return false;
	if (is_whole_set_due(self, ring)) {
		self->ring = ring;
		self->whole_at = ring->next;
		self->first_changed = 0;
		is_process_changed = true;
	}
	if (is_process_changed || self->first_changed != NVTX_NOT_CHANGED) {
		struct writer writer = writer_for(ring, tid, self);
		append_ranges(&writer, is_process_changed || self->n_open == 0);
	}
	return true;
}
