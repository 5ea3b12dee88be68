/*
 * context_making.c - make markers' memory and streams, and search for progress counters.
 */
#include "record/streams/context_making.h"

#include <stdbool.h>

#include "record/driver/captures.h"
#include "record/driver/driver.h"
#include "record/files/meta.h"
#include "record/progress/progress_channels.h"
#include "record/progress/progress_states.h"
#include "record/streams/contexts.h"

/*
 * Hold and enter the context. This runs after a call has returned from the driver, so nothing else
 * keeps another thread from destroying the context.
 */
static bool begin_making(struct context *context, bool *out_has_pushed)
{
	if (!contexts_hold(context))
		return false;
	bool is_entered = contexts_enter(context, out_has_pushed);
	if (!is_entered)
		contexts_let_go(context);
	return is_entered;
}

static void end_making(struct context *context, bool has_pushed)
{
	contexts_leave(has_pushed);
	contexts_let_go(context);
}

static void prepare_markers(struct context *context)
{
	CUresult result = marker_memory_prepare(&context->markers);
	if (context->row && result != CUDA_SUCCESS)
		__atomic_store_n(&context->row->marker_result, (int32_t)result, __ATOMIC_RELAXED);
	contexts_note_markers(context);
}

void context_making_markers(struct context *context)
{
	bool has_pushed = false;
	if (__atomic_load_n(&context->markers.state, __ATOMIC_ACQUIRE) != MARKER_MEMORY_NONE ||
	    !begin_making(context, &has_pushed))
		return;
	prepare_markers(context);
	end_making(context, has_pushed);
}

/* Without the states, synchronisations may still give them: the GPU was late, or is busy. */
static const char *found(void)
{
	return progress_states_are_known()
		       ? "the driver's progress counters were found"
		       : "the driver's progress counters were found, but no states of kernels";
}

/*
 * Search, using the markers' streams and words before they serve markers. A green context uses its
 * primary one's, as with its channels.
 */
static void search(struct context *context)
{
	const struct context *owner = context->primary ? context->primary : context;
	const struct marker_memory *memory = &context->markers;
	struct probe_streams probe =
		probe_streams_on(memory->side, memory->words + MARKER_WORDS,
				 memory->device_words + MARKER_WORDS * sizeof(uint32_t));
	CUstreamCaptureMode mode = captures_exchange_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
	struct progress_channels *channels = contexts_progress(context);
	const char *trouble = NULL;
	if (progress_channels_prepare(channels, owner->id, &probe, &trouble)) {
		if (!trouble) {
			progress_kernels_try(&probe, channels);
			progress_probes_try(&probe, channels);
		}
		meta_note(META_PROGRESS, trouble ? trouble : found());
	}
	(void)captures_exchange_mode(mode);
}

static bool has_markers(const struct context *context)
{
	return __atomic_load_n(&context->markers.state, __ATOMIC_ACQUIRE) == MARKER_MEMORY_READY;
}

void context_making_search(struct context *context)
{
	bool has_pushed = false;
	if (!progress_channels_may_search(contexts_progress(context)) || !has_markers(context) ||
	    !begin_making(context, &has_pushed))
		return;
	/* The context may have become another one since. */
	if (has_markers(context))
		search(context);
	end_making(context, has_pushed);
}

void context_making_grow(struct context *context)
{
	bool has_pushed = false;
	if (!begin_making(context, &has_pushed))
		return;
	marker_memory_grow(&context->markers);
	end_making(context, has_pushed);
}
