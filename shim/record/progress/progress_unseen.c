/*
 * progress_unseen.c - compare the driver's notes about a stream with what was recorded.
 */
#include "record/progress/progress_unseen.h"

#include "base/hot.h"

/*
 * STATE_STEP is the distance of a stream's neighbouring words (H200, driver 580.159). The order is
 * believed once ENOUGH_STEPS launches used neighbours, and more than did not.
 */
enum { STATE_STEP = 8, ENOUGH_STEPS = 4 };

static uint32_t noticed;          /* atomic: enum progress_unseen bits, except UNSEEN_BETWEEN */
static uint32_t n_steps, n_skips; /* atomic: launches that used the next word, and another one */

void progress_unseen_note(enum progress_unseen how)
{
	(void)__atomic_fetch_or(&noticed, (uint32_t)how, __ATOMIC_RELAXED);
}

static bool is_between(void)
{
	uint32_t n = __atomic_load_n(&n_steps, __ATOMIC_RELAXED);
	uint32_t n_unlike = __atomic_load_n(&n_skips, __ATOMIC_RELAXED);
	return n_unlike > 0 && n >= ENOUGH_STEPS && n > n_unlike;
}

uint32_t progress_unseen(void)
{
	return __atomic_load_n(&noticed, __ATOMIC_RELAXED) | (is_between() ? UNSEEN_BETWEEN : 0);
}

COLD void progress_unseen_between(const struct progress_tracker *tracker, uint32_t id)
{
	const struct progress_newest *kernel =
		tracker->newest.kernel.object ? &tracker->newest : &tracker->newest_kernel;
	uintptr_t before = progress_states_address(kernel->state);
	uintptr_t now = progress_states_address(id);
	if (!before || !now)
		return;
	bool is_next = now == before + STATE_STEP ||
		       now + (uintptr_t)(STREAM_STATES - 1) * STATE_STEP == before;
	(void)__atomic_fetch_add(is_next ? &n_steps : &n_skips, 1, __ATOMIC_RELAXED);
}

bool progress_unseen_newest(const struct progress_tracker *tracker, uint64_t ordinal,
			    bool is_marked)
{
	const struct progress_newest *newest = &tracker->newest;
	if (!tracker->place ||
	    *tracker->place != __atomic_load_n(&tracker->object, __ATOMIC_RELAXED) ||
	    __atomic_load_n(&newest->ordinal, __ATOMIC_RELAXED) != ordinal ||
	    !progress_tracker_has_entry(tracker))
		return false;
	struct progress_pair pair = progress_pair_read(&tracker->entry->pairs[0]);
	if (tracker->entry->kind == ENTRY_KERNEL)
		return pair.object != newest->kernel.object || pair.value != newest->kernel.value;
	return tracker->entry->kind == ENTRY_PLAIN && !is_marked &&
	       (pair.object != tracker->channel_object || (uint32_t)pair.value != newest->payload);
}

bool progress_unseen_is_kernel(struct own_memory *memory, uint64_t object)
{
	uint64_t tracker = own_memory_word(memory, object + progress_layout.tracker);
	struct progress_entry entry;
	return tracker && progress_layout_entry(&progress_layout, memory, tracker, &entry) &&
	       entry.kind == ENTRY_KERNEL;
}
