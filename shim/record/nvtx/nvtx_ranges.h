/*
 * nvtx_ranges.h - the NVTX ranges that are open: those that each thread pushed and has not popped,
 * and those that the process started and has not ended. They are kept from the program's first
 * range on, long before there may be a bundle; nvtx_journal.h writes them down.
 *
 * Concurrency: a thread's ranges are touched by that thread alone, and by handlers of signals that
 * arrive in it. Ranges of the process are slots of a table, each guarded by its own id: taken by a
 * compare-and-swap, filled with relaxed stores, published by a release store of the id. Nobody
 * waits for anybody. `nvtx_process_generation` is raised after each change.
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

/* What the interface calls NVTX_NO_PUSH_POP_TRACKING, and its "negative value" of an error. */
enum { NVTX_NOT_TRACKED = -2, NVTX_NONE_OPEN = -1 };

struct nvtx_range {
	const struct nvtx_name *domain; /* NULL: the default one */
	struct nvtx_text text;
};

/* Domains in which one thread has ranges open at once; pushes to others are not tracked. */
enum { NVTX_MAX_LEVELS = 16 };

#define NVTX_NOT_CHANGED UINT8_MAX /* more than any index */

/* How deep a thread is in one domain. n_unkept of its innermost ranges found no room. */
struct nvtx_level {
	const struct nvtx_name *domain;
	uint32_t n_open;
	uint32_t n_unkept;
	uint32_t n_ends; /* of the domain, when the outermost range was pushed */
};

/*
 * One thread's ranges, all domains in one stack, and what of it the thread's ring knows. Mapped at
 * the thread's first range, unmapped at its end.
 */
struct nvtx_thread {
	uint8_t n_open;
	uint8_t first_changed; /* ranges below it are as in the ring; NVTX_NOT_CHANGED: all */
	uint8_t n_process;
	uint32_t n_unkept; /* sum over levels */
	uint32_t n_unkept_process;
	uint32_t process_generation;
	const struct ring *ring; /* the members below are about this one */
	uint64_t whole_at;       /* its next record when the whole set was last written */
	struct nvtx_level levels[NVTX_MAX_LEVELS];
	struct nvtx_range ranges[NVTX_MAX_OPEN];
	struct nvtx_range process[NVTX_MAX_PROCESS]; /* as last written */
};

/* The end of threads will be told to us. Once in a process. 0 or -errno. */
int nvtx_ranges_start(void);

/*
 * Was there any range yet? One load: what a submission pays where NVTX is not used. Signal-safe.
 * Any thread.
 */
extern __attribute__((visibility("hidden"))) bool nvtx_used; /* atomic */
static inline bool nvtx_is_used(void)
{
	return __atomic_load_n(&nvtx_used, __ATOMIC_RELAXED);
}
void nvtx_note_use(void);

/* The calling thread's ranges; NULL without memory, or when the thread is ending. Keeps errno. */
struct nvtx_thread *nvtx_thread_self(void);

/*
 * Opens a range that the calling thread pushed; its text is to be filled by the caller. *out_level
 * is what the interface returns: 0 for the outermost range of the domain. NULL: the range is
 * counted, or not tracked at all, and its text is not wanted. Keeps errno. Signal-safe after the
 * thread's first one.
 */
struct nvtx_text *nvtx_push(const struct nvtx_name *domain, int *out_level);

/* Closes the newest range of the domain; its level, or NVTX_NONE_OPEN. As nvtx_push. */
int nvtx_pop(const struct nvtx_name *domain);

/* Opens a range of the process and returns its id, never 0. Signal-safe. Any thread. */
uint64_t nvtx_start(const struct nvtx_name *domain, const struct nvtx_text *text);

/* Closes it; an id that is not open is ignored. Signal-safe. Any thread. */
void nvtx_end(uint64_t id);

/*
 * The domain was destroyed: closes the process's ranges in it. Threads close theirs when they next
 * push to it or, told by the generation, submit. Signal-safe. Any thread.
 */
void nvtx_end_domain(const struct nvtx_name *domain);

/* Closes the calling thread's ranges in domains that were destroyed. Slot owner only. */
void nvtx_close_destroyed(struct nvtx_thread *self);

/* Raised with release order after each start and end. Any thread. */
uint32_t nvtx_process_generation(void);

/*
 * Copies the ranges of the process that are open into out[NVTX_MAX_PROCESS], oldest first; returns
 * how many. *out_n_unkept are further ones that found no room. Any thread.
 */
uint8_t nvtx_process_ranges(struct nvtx_range *out, uint32_t *out_n_unkept);

#endif
