/*
 * progress.c - create and destroy the progress objects of contexts and streams.
 */
#include "progress/progress.h"

#include <stdlib.h>

#include "progress/progress_objects.h"
#include "settings.h"
#include "sim.h"

/* Offsets in the pages. */
enum { FIRST_WORD = 0xfff0, WORD_STEP = 16, FIRST_STATE = 0x37a00, STATE_STEP = 8 };

enum { MAX_RINGS = (PAGES_BYTES - FIRST_STATE) / (RING_KERNELS * STATE_STEP) };

/* Objects of one kind share a class pointer; the driver's point to tables of functions. */
static const uint64_t tracker_class[8], channel_class[8], kernel_class[8];

static unsigned count_channels(void)
{
	return settings.n_connections + COPY_TO_HOST + 1;
}

/* Start a channel with a payload above 0: the driver itself uses each one before the program. */
static void begin_channel(struct progress *progress, unsigned index)
{
	struct progress_channel *channel = &progress->channels[index];
	*channel = (struct progress_channel){.index = index, .newest = 5 + 3 * index};
	channel->begun = channel->newest;
	progress_poke_pointer(channel->object, 0, channel_class);
	progress_poke(channel->object, progress_layout()->index, index);
	progress_pages_write_channel(&progress->pages, progress_word_of(channel), channel->newest);
}

unsigned progress_word_of(const struct progress_channel *channel)
{
	return FIRST_WORD - WORD_STEP * channel->index;
}

/* Make the channels of a context and its green contexts. */
static struct progress *make_progress(void)
{
	struct progress *progress = sim_alloc(sizeof(*progress));
	progress->n_references = 1;
	progress_pages_map(&progress->pages);
	for (unsigned i = 0; i < count_channels(); i++)
		begin_channel(progress, i);
	return progress;
}

static void release(struct progress *progress)
{
	if (--progress->n_references > 0)
		return;
	progress_pages_unmap(&progress->pages);
	while (progress->unused) {
		struct progress_ring *ring = progress->unused;
		progress->unused = ring->next;
		free(ring);
	}
	free(progress);
}

static void begin_kernel(struct progress_kernel *kernel, const struct progress_pages *pages,
			 unsigned number)
{
	const struct progress_layout *layout = progress_layout();
	kernel->offset = FIRST_STATE + STATE_STEP * number;
	progress_poke_pointer(kernel->object, 0, kernel_class);
	progress_poke_pointer(kernel->object, layout->state_link, kernel->link);
	if (pages->start)
		progress_poke_pointer(kernel->link, layout->state_word,
				      pages->start + kernel->offset);
}

/* Return a ring of kernel counters, or NULL if the pages are full. */
static struct progress_ring *take_ring(struct progress *progress)
{
	struct progress_ring *ring = progress->unused;
	if (ring) {
		progress->unused = ring->next;
		return ring;
	}
	if (progress->n_rings == MAX_RINGS)
		return NULL;
	ring = sim_alloc(sizeof(*ring));
	for (unsigned i = 0; i < RING_KERNELS; i++)
		begin_kernel(&ring->kernels[i], &progress->pages,
			     progress->n_rings * RING_KERNELS + i);
	progress->n_rings++;
	return ring;
}

/* Make a tracker. The bytes after an entry's kind are garbage, as in the driver. */
static uint64_t *make_tracker(const struct progress *progress)
{
	const struct progress_layout *layout = progress_layout();
	uint64_t *tracker = sim_alloc(TRACKER_BYTES);
	progress_poke_pointer(tracker, 0x00, tracker_class);
	progress_poke_pointer(tracker, 0x08, progress);
	progress_poke(tracker, layout->n_entries, 1);
	progress_poke_pointer(tracker, layout->self, (char *)tracker + layout->entry);
	progress_poke(tracker, layout->capacity, TRACKER_CAPACITY);
	progress_poke(tracker, layout->entry, UINT64_C(0x7f3a51c0) << 32);
	return tracker;
}

static void append_stream(struct progress_stream *last, struct progress_stream *stream)
{
	const struct progress_layout *layout = progress_layout();
	stream->previous = last;
	progress_poke_pointer(stream->object, layout->previous, last->object);
	last->next = stream;
	progress_poke_pointer(last->object, layout->next, stream->object);
}

static struct progress_stream *last_of(CUcontext context)
{
	struct progress_stream *stream = context->first_progress;
	while (stream->next)
		stream = stream->next;
	return stream;
}

static void leave_list(struct progress_stream *stream)
{
	const struct progress_layout *layout = progress_layout();
	struct progress_stream *next = stream->next;
	struct progress_stream *previous = stream->previous;
	if (previous) {
		previous->next = next;
		progress_poke_pointer(previous->object, layout->next, next ? next->object : NULL);
	}
	if (next) {
		next->previous = previous;
		progress_poke_pointer(next->object, layout->previous,
				      previous ? previous->object : NULL);
	}
}

/* Make the driver's own stream, which has no submission. */
static struct progress_stream *make_first(const struct progress *progress)
{
	struct progress_stream *first = sim_alloc(sizeof(*first));
	first->tracker = make_tracker(progress);
	progress_poke(first->tracker, progress_layout()->n_entries, 0);
	progress_poke_pointer(first->object, progress_layout()->tracker, first->tracker);
	return first;
}

void progress_begin(CUcontext context)
{
	struct progress *progress = context->primary ? context->primary->progress : NULL;
	if (progress)
		progress->n_references++;
	else if (!context->primary && !settings.progress.is_absent)
		progress = make_progress();
	context->progress = progress;
	context->first_progress = progress ? make_first(progress) : NULL;
}

void progress_end(CUcontext context)
{
	struct progress_stream *first = context->first_progress;
	if (!context->progress)
		return;
	leave_list(first);
	free(first->tracker);
	free(first);
	context->first_progress = NULL;
	if (!context->primary)
		progress_pages_unmap(&context->progress->pages);
	release(context->progress);
	context->progress = NULL;
}

static struct progress_channel *next_channel(struct progress *progress, CUstream stream)
{
	if (stream->kind == STREAM_LEGACY && !stream->context->primary)
		return &progress->channels[0];
	return &progress->channels[++progress->n_streams % settings.n_connections];
}

/* A primary context refers to its legacy stream's tracker twice, once by an extra object. */
static void name_legacy(CUstream stream)
{
	const struct progress_layout *layout = progress_layout();
	struct progress_stream *own = stream->progress;
	progress_poke_pointer((uint64_t *)stream->context, layout->legacy, own->object);
	if (!stream->context->is_primary)
		return;
	own->other = sim_alloc(OBJECT_BYTES);
	progress_poke_pointer(own->other, layout->tracker, own->tracker);
	progress_poke_pointer((uint64_t *)stream->context, layout->legacy + LEGACY_OTHER,
			      own->other);
}

void progress_stream_begin(CUstream stream)
{
	struct progress *progress = stream->context->progress;
	struct progress_ring *ring = progress ? take_ring(progress) : NULL;
	if (!ring)
		return;
	progress->n_references++;
	struct progress_stream *own = sim_alloc(sizeof(*own));
	own->progress = progress;
	own->tracker = make_tracker(progress);
	own->channel = next_channel(progress, stream);
	own->ring = ring;
	progress_poke_pointer(own->object, progress_layout()->tracker, own->tracker);
	append_stream(last_of(stream->context), own);
	stream->progress = own;
	if (stream->kind == STREAM_LEGACY)
		name_legacy(stream);
}

void progress_stream_end(CUstream stream)
{
	struct progress_stream *own = stream->progress;
	if (!own)
		return;
	leave_list(own);
	own->ring->next = own->progress->unused;
	own->progress->unused = own->ring;
	release(own->progress);
	free(own->tracker);
	free(own->entries);
	free(own->other);
	free(own);
	stream->progress = NULL;
}

CUresult progress_told(CUresult code)
{
	if (code != CUDA_SUCCESS)
		progress_pages_put_all();
	return code;
}
