/*
 * nvtx_ranges.h - the open NVTX ranges: those that a thread pushed and did not pop, and those that
 * the process started and did not end. They are kept from the program's first range on, long
 * before there may be a bundle; nvtx_journal.c writes them to the journal.
 *
 * Concurrency: a thread's ranges are touched by that thread alone, and by signal handlers that run
 * in it. Ranges of the process are slots of a table, each guarded by its own id. A slot is taken by
 * a compare-and-swap, filled with relaxed stores, and published by a release store of the id. No
 * thread waits for another. `nvtx_process_generation` is raised after each change.
 */
#ifndef CULPRIT_RECORD_NVTX_RANGES_H
#define CULPRIT_RECORD_NVTX_RANGES_H

#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

#include "base/journal_format.h"
#include "record/nvtx/nvtx_text.h"

struct nvtx_name;
struct ring;

/* The interface's NVTX_NO_PUSH_POP_TRACKING, and its "negative value" for an error. */
enum { NVTX_NOT_TRACKED = -2, NVTX_NONE_OPEN = -1 };

struct nvtx_range {
	const struct nvtx_name *domain; /* NULL for the default one */
	struct nvtx_text text;
};

/* The domains in which one thread can have open ranges; pushes to others are not tracked. */
enum { NVTX_MAX_LEVELS = 16 };

#define NVTX_NOT_CHANGED UINT8_MAX /* more than any index */

/* A thread's depth in one domain. Its n_unkept innermost ranges found no room. */
struct nvtx_level {
	const struct nvtx_name *domain;
	uint32_t n_open;
	uint32_t n_unkept;
	uint32_t n_ends; /* the domain's count when the outermost range was pushed */
};

/*
 * One thread's ranges, all domains in one stack, and the part that the thread's ring has. Mapped at
 * the thread's first range, unmapped at its exit.
 */
struct nvtx_thread {
	uint8_t n_open;
	uint8_t first_changed; /* ranges below it are as in the ring; NVTX_NOT_CHANGED: all are */
	uint8_t n_process;
	uint32_t n_unkept; /* sum over levels */
	uint32_t n_unkept_process;
	uint32_t process_generation;
	const struct ring *ring; /* the members below are about this one */
	uint64_t whole_at;       /* the ring's next record when the whole set was last written */
	struct nvtx_level levels[NVTX_MAX_LEVELS];
	struct nvtx_range ranges[NVTX_MAX_OPEN];
	struct nvtx_range process[NVTX_MAX_PROCESS]; /* as last written */
};

/* Prepare to see threads exit. Once in a process. Return 0 or -errno. */
int nvtx_ranges_start(void);

/*
 * True if there was any range yet. A program without NVTX pays only this load per submission.
 * Signal-safe. Any thread.
 */
extern __attribute__((visibility("hidden"))) bool nvtx_used; /* atomic */
static inline bool nvtx_is_used(void)
{
	return __atomic_load_n(&nvtx_used, __ATOMIC_RELAXED);
}
void nvtx_note_use(void);

/* Return the thread's ranges; NULL if memory is short or the thread is exiting. Keeps errno. */
struct nvtx_thread *nvtx_thread_self(void);

/*
 * Open a range that the calling thread pushed. Return its text, for the caller to fill. *out_level
 * is the interface's result: 0 for the outermost range of the domain. NULL: the range is only
 * counted, or not tracked at all, and needs no text. Keeps errno. Signal-safe after the thread's
 * first call.
 */
struct nvtx_text *nvtx_push(const struct nvtx_name *domain, int *out_level);

/* Close the newest range of the domain; return its level, or NVTX_NONE_OPEN. As nvtx_push(). */
int nvtx_pop(const struct nvtx_name *domain);

/* Open a range of the process and return its id, never 0. Signal-safe. Any thread. */
uint64_t nvtx_start(const struct nvtx_name *domain, const struct nvtx_text *text);

/* Close it; an id that is not open is ignored. Signal-safe. Any thread. */
void nvtx_end(uint64_t id);

/*
 * The domain was destroyed: close the process's ranges in it. Threads close theirs at their next
 * push to it, or at the next submission, when they see the new generation. Signal-safe. Any thread.
 */
void nvtx_end_domain(const struct nvtx_name *domain);

/* Close the calling thread's ranges in domains that were destroyed. Slot owner only. */
void nvtx_close_destroyed(struct nvtx_thread *self);

/* Return the generation, raised with release order after each start and end. Any thread. */
uint32_t nvtx_process_generation(void);

/*
 * Copy the open ranges of the process into out[NVTX_MAX_PROCESS], oldest first, and return their
 * number. *out_n_unkept is the number of further ranges that found no room. Any thread.
 */
uint8_t nvtx_process_ranges(struct nvtx_range *out, uint32_t *out_n_unkept);

struct ring;

/*
 * Return true if any range is open: the following submission then needs RECORD_IN_RANGES. Appends
 * RECORD_NVTX rows of the thread `tid`: usually at most one, never more than an eighth of the ring.
 * Slot owner only.
 */
bool nvtx_journal(struct ring *ring, uint32_t tid);

#endif
