/*
 * failure.h - the one failure of a process: recognising it, and finding its culprit.
 *
 * Concurrency. The failure is in one of four states, a word that only goes on (none, considering,
 * confirmed, told) or from considering back to none. Any number of threads may see an error at
 * once: the one that takes the word from none to considering is the attributing thread, and it
 * alone moves the word on. What it finds is published by that word:
 *
 *   code and sequence           written before confirmed, never again
 *   the failure's row           written before told; its counters are atomic
 *   dump, verdict, texts        the attributing thread's alone, in failure_telling.c and
 *                               watched_dump.c; the headline can be read by all once told
 *
 * The others wait on the word itself (futex), for a bounded time: whoever has seen the code can end
 * the process without losing the verdict. There is no lock that the attributing thread could fail
 * to hold yet, or take into a fork.
 */
#ifndef CULPRIT_FAILURE_FAILURE_H
#define CULPRIT_FAILURE_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/driver_calls.h"

struct context;
struct thread;

/* The call that has returned an error, or a success that is doubted. */
struct observer {
	struct thread *thread;
	void *frame; /* of the entry point: where the walk over the caller's stack starts */
	enum driver_call id;
	uint32_t stream;         /* that the call is about, its id in the journal; 0: none */
	struct context *context; /* that the call is about; NULL: not known */
};

/* Do launches return only when their kernel has ended? Start-up only. */
void failure_start(bool are_launches_blocking);

/*
 * The observer's call returned `result`: an error, or a success that doubt_success() doubts. If it
 * is sticky, and the first, and the driver or a core dump confirms it, this thread attributes it,
 * writes the verdict into the bundle and prints it. Other threads wait for that. The driver
 * confirms it by a sticky code from another call in the same context; where no context can be
 * asked, nothing has failed. Of an error that is not sticky nothing comes. Slot owner only; no lock
 * held.
 */
void failure_consider(const struct observer *observer, CUresult result);

/* Was a failure confirmed? Any thread. Signal-safe. */
bool failure_has_happened(void);

/* Its code; CUDA_SUCCESS before it. Any thread. */
CUresult failure_code(void);

/* The newest submission when it was confirmed; 0 before it. Any thread. */
uint64_t failure_sequence(void);

/* A cleanup call was made harmless. Any thread, after a failure. */
void failure_count_cleanup(void);

/*
 * A sticky code was returned after the failure. True if it is another failure, later, of a context
 * that was sound: that is printed and noted, and not attributed. No lock held. Any thread.
 */
bool failure_is_later(CUresult result);

/*
 * Waits, for a second at most, until an attribution under way in another thread has printed its
 * verdict. Any thread.
 */
void failure_wait_for_verdict(void);

/*
 * Return failure_telling_culprit() once the verdict on that code stands, else NULL. Return NULL
 * again after a later failure, which the code may be of. Any thread.
 */
const char *failure_culprit(CUresult code, const char **out_verdict);

/* culpritFailure, whose contract is in culprit.h. Any thread. */
CUresult failure_told(const char **out_headline, const char **out_directory);

#endif
