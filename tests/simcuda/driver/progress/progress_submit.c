/*
 * progress_submit.c - update the tracker when work is submitted, and the counters when it starts
 * and finishes.
 */
#include <pthread.h>

#include "addresses/memory.h"
#include "progress/progress.h"
#include "progress/progress_objects.h"
#include "settings.h"
#include "sim.h"

/* Additional submissions of the driver at a function's first launch, which load the function. */
enum { LOADING_SUBMISSIONS = 4 };

/* The payload of channel 0 after the driver's own first submissions. */
enum { FIRST_PAYLOAD = 5 };

/* Largest memset without a kernel; larger ones were seen to run as kernels of the driver. */
enum { MOST_BYTES_INLINE = 64 };

enum side { SIDE_PAGEABLE, SIDE_PINNED, SIDE_DEVICE };

static enum side side_of(const void *address)
{
	const struct memory_range *range = memory_find(address);
	if (!range)
		return SIDE_PAGEABLE;
	if (range->kind == MEMORY_HOST || range->kind == MEMORY_REGISTERED)
		return SIDE_PINNED;
	return SIDE_DEVICE;
}

static struct progress_channel *copy_channel(const struct progress_stream *stream, unsigned which)
{
	return &stream->progress->channels[settings.n_connections + which];
}

/* Return the channel of a copy. *out_is_kernel is set for copies on the device. */
static struct progress_channel *channel_of_copy(const struct progress_stream *stream,
						const struct copy_work *copy, bool *out_is_kernel)
{
	enum side source = side_of(copy->source);
	enum side destination = side_of(copy->destination);
	if (source == SIDE_PAGEABLE || destination == SIDE_PAGEABLE)
		return stream->channel;
	if (source == SIDE_PINNED)
		return copy_channel(stream, COPY_TO_DEVICE);
	if (destination == SIDE_PINNED)
		return copy_channel(stream, COPY_TO_HOST);
	*out_is_kernel = true;
	return stream->channel;
}

/* Separate rows, and more than a few bytes, are filled by a kernel. */
static bool has_kernel(const struct memset_work *memset)
{
	return memset->height > 1 || memset->width * memset->element_size > MOST_BYTES_INLINE;
}

/* Return the channel of the work, or NULL if no channel counts such work. */
static struct progress_channel *channel_of(const struct progress_stream *stream,
					   const struct work *work, bool *out_is_kernel)
{
	*out_is_kernel = work->kind == WORK_KERNEL ||
			 (work->kind == WORK_MEMSET && has_kernel(&work->memset));
	switch (work->kind) {
	case WORK_COPY:
		return channel_of_copy(stream, &work->copy, out_is_kernel);
	case WORK_KERNEL:
	case WORK_MEMSET:
	case WORK_MEMOPS:
	case WORK_GRAPH:
		return stream->channel;
	default:
		return NULL;
	}
}

static uint32_t take_payload(struct progress_channel *channel, const struct work *work)
{
	if (work->kind == WORK_KERNEL && !work->kernel.function->is_launched) {
		work->kernel.function->is_launched = true;
		channel->newest += LOADING_SUBMISSIONS;
	}
	return ++channel->newest;
}

static void append(struct progress_channel *channel, struct progress_use *use)
{
	if (channel->last)
		channel->last->next = use;
	else
		channel->first = use;
	channel->last = use;
}

static bool is_waiting(const struct progress_use *use)
{
	return use->next || (use->channel && use->channel->last == use);
}

/* Remove a submission from the channel's list. Return true if it was the first. */
static bool take_out(struct progress_channel *channel, struct progress_use *use)
{
	struct progress_use *before = NULL;
	for (struct progress_use *other = channel->first; other != use; other = other->next)
		before = other;
	if (before)
		before->next = use->next;
	else
		channel->first = use->next;
	if (channel->last == use)
		channel->last = before;
	use->next = NULL;
	return !before;
}

static struct progress_kernel *take_kernel(struct progress_stream *stream)
{
	unsigned number = stream->next_kernel++ % RING_KERNELS;
	return &stream->ring->kernels[number];
}

static void note_kernel(struct progress_stream *stream, struct progress_use *use)
{
	use->kernel = take_kernel(stream);
	use->turn = use->kernel->n_uses++;
	progress_poke_kind(stream->tracker, 0, ENTRY_KERNEL);
	progress_poke_pair(stream->tracker, 0, ENTRY_FIRST, use->kernel->object, use->turn);
	progress_poke_pair(stream->tracker, 0, ENTRY_SECOND, use->channel->object, use->payload);
}

static void note_plain(struct progress_stream *stream, const struct progress_use *use)
{
	progress_poke_kind(stream->tracker, 0, ENTRY_PLAIN);
	progress_poke_pair(stream->tracker, 0, ENTRY_FIRST, use->channel->object, use->payload);
}

/* Entries that do not fit in the tracker move to other memory and stay there. */
static void make_room(struct progress_stream *stream, unsigned n)
{
	const struct progress_layout *layout = progress_layout();
	uint64_t *old = stream->entries;
	if (n <= stream->tracker[layout->capacity / sizeof(*stream->tracker)])
		return;
	stream->entries = sim_alloc((size_t)n * ENTRY_BYTES);
	progress_poke_pointer(stream->tracker, layout->self, stream->entries);
	progress_poke(stream->tracker, layout->capacity, n);
	free(old);
}

/* Count the parts of the graph without dependents, at least 1. */
static unsigned count_ends(const struct compound *graph)
{
	unsigned n = graph->parts->count_ends(graph);
	return n ? n : 1;
}

/* The first entry is older than the launch. The graph is the object of each end's entry. */
static void note_graph(struct progress_stream *stream, const struct progress_use *use,
		       const struct compound *graph)
{
	const struct progress_channel *other = &stream->progress->channels[0];
	progress_poke_kind(stream->tracker, 0, ENTRY_PLAIN);
	progress_poke_pair(stream->tracker, 0, ENTRY_FIRST, other->object, FIRST_PAYLOAD);
	progress_poke_kind(stream->tracker, 1, ENTRY_PLAIN);
	progress_poke_pair(stream->tracker, 1, ENTRY_FIRST, use->channel->object, use->payload);
	for (unsigned i = 2; i < 2 + count_ends(graph); i++) {
		progress_poke_kind(stream->tracker, i, ENTRY_KERNEL);
		progress_poke_pair(stream->tracker, i, ENTRY_FIRST, graph, use->payload);
		progress_poke_pair(stream->tracker, i, ENTRY_SECOND, use->channel->object,
				   use->payload);
	}
}

static void note_host(struct progress_stream *stream, const struct host_work *work)
{
	progress_poke(stream->tracker, progress_layout()->n_entries, 1);
	progress_poke_kind(stream->tracker, 0, ENTRY_HOST);
	progress_poke_pair(stream->tracker, 0, ENTRY_FIRST, work->data, UINT64_C(1) << 32);
}

static unsigned count_entries(const struct operation *operation)
{
	return operation->work.kind == WORK_GRAPH ? 2 + count_ends(operation->work.graph) : 1;
}

/* Count a submission, and apply settings that make the pages unusable at some point. */
static void count_submission(struct progress *progress)
{
	uint64_t n = ++progress->n_submissions;
	if (n == settings.progress.vanish_after)
		progress_pages_unmap(&progress->pages);
	if (n == settings.progress.blank_after)
		progress_pages_blank(&progress->pages);
}

void progress_submitted(struct operation *operation)
{
	struct progress_stream *stream = operation->stream->progress;
	struct progress_use *use = &operation->progress;
	if (!stream)
		return;
	if (operation->work.kind == WORK_HOST)
		note_host(stream, &operation->work.host);
	bool is_kernel = false;
	use->channel = channel_of(stream, &operation->work, &is_kernel);
	if (!use->channel)
		return;
	count_submission(stream->progress);
	use->number = stream->progress->n_submissions;
	use->payload = take_payload(use->channel, &operation->work);
	append(use->channel, use);
	make_room(stream, count_entries(operation));
	progress_poke(stream->tracker, progress_layout()->n_entries, count_entries(operation));
	if (is_kernel)
		note_kernel(stream, use);
	else if (operation->work.kind == WORK_GRAPH)
		note_graph(stream, use, operation->work.graph);
	else
		note_plain(stream, use);
}

bool progress_may_begin(const struct operation *operation)
{
	const struct progress_use *use = &operation->progress;
	return !use->channel || use->channel->first == use || !is_waiting(use);
}

/* Return the highest started payload, but none after the first that has not started. */
static uint32_t payload_to_show(const struct progress_channel *channel)
{
	const struct progress_use *first = channel->first;
	return first && (int32_t)(channel->begun - first->payload) > 0 ? first->payload - 1
								       : channel->begun;
}

static void show(struct progress_pages *pages, const struct progress_use *use)
{
	const struct progress_settings *wrong = &settings.progress;
	uint32_t payload = payload_to_show(use->channel);
	if ((wrong->stuck_after && use->number > wrong->stuck_after) ||
	    use->channel->index + 1 == wrong->still)
		return;
	if (wrong->lie_after && use->number > wrong->lie_after)
		payload++;
	progress_pages_write_channel(pages, progress_word_of(use->channel), payload);
}

static void write_state(struct progress_pages *pages, struct progress_kernel *kernel,
			uint32_t value)
{
	/* Overlapping launches may finish in another order: never decrease the counter. */
	if ((int32_t)(value - kernel->value) <= 0)
		return;
	kernel->value = value;
	progress_pages_write_state(pages, kernel->offset, value);
}

static uint32_t state_value(const struct progress_use *use, unsigned what)
{
	return (uint32_t)(4 * use->turn + what);
}

enum { STATE_BEGUN = 1, STATE_FINISHED = 2 };

void progress_begun(struct operation *operation)
{
	struct progress_use *use = &operation->progress;
	struct progress_channel *channel = use->channel;
	if (!channel || !is_waiting(use))
		return;
	bool was_first = take_out(channel, use);
	if ((int32_t)(use->payload - channel->begun) > 0)
		channel->begun = use->payload;
	struct progress_pages *pages = &operation->stream->progress->progress->pages;
	if (was_first)
		show(pages, use);
	if (use->kernel)
		write_state(pages, use->kernel, state_value(use, STATE_BEGUN));
	/* Later work on the channel may have become ready. */
	if (was_first && channel->first)
		pthread_cond_signal(&sim_work);
}

void progress_dropped(struct operation *operation)
{
	struct progress_use *use = &operation->progress;
	if (is_waiting(use))
		take_out(use->channel, use);
}

void progress_finished(const struct operation *operation)
{
	const struct progress_use *use = &operation->progress;
	if (use->kernel)
		write_state(&operation->stream->progress->progress->pages, use->kernel,
			    state_value(use, STATE_FINISHED));
}

void progress_faulted(const struct operation *operation)
{
	if (settings.progress.ends)
		progress_finished(operation);
}
