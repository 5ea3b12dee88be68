/*
 * failure.h - recognise the one failure of a process, and find its culprit.
 *
 * Concurrency. One word holds the failure's state. It only advances (none, considering, confirmed,
 * reported), or returns from considering to none. Any number of threads may see an error at once.
 * The thread that moves the word from none to considering is the attributing thread, and it alone
 * moves the word on. The word publishes what it finds:
 *
 *   code and sequence           written before confirmed, never again
 *   the failure's row           written before reported; its counters are atomic
 *   dump, verdict, texts        the attributing thread's alone, in failure_report.c and
 *                               watched_dump.c; every thread can read the headline once reported
 *
 * Other threads wait on the word itself (futex) for a bounded time, so that a thread that has seen
 * the code can end the process without losing the verdict. The attributing thread needs no lock,
 * which it could still be waiting for or take into a fork.
 */
#ifndef CULPRIT_FAILURE_FAILURE_H
#define CULPRIT_FAILURE_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/driver_calls.h"

struct context;
struct thread;

/* The call that has returned an error, or a doubted success. */
struct observer {
	struct thread *thread;
	void *frame; /* the entry point's; the walk over the caller's stack starts here */
	enum driver_call id;
	uint32_t stream;         /* the call's stream, its id in the journal; 0: none */
	struct context *context; /* the call's context; NULL: unknown */
};

/* Note whether each launch returns only after its kernel has finished. Start-up only. */
void failure_start(bool are_launches_blocking);

/*
 * Have `act` called by the thread that attributes the failure, before it reads the journal. It must
 * not call the driver. Start-up only.
 */
void failure_before_verdict(void (*act)(void));

/*
 * Handle the `result` of the observer's call: an error, or a success that doubt_success() doubts.
 * If it is sticky and the first, and the driver or a core dump confirms it, this thread attributes
 * it, writes the verdict into the bundle and prints it. Other threads wait for that. The driver
 * confirms it by a sticky code from another call in the same context; if no context can be asked,
 * nothing has failed. Other errors have no effect. Slot owner only; no lock held.
 */
void failure_consider(const struct observer *observer, CUresult result);

/* True if a failure was confirmed. Any thread. Signal-safe. */
bool failure_has_happened(void);

/* Return the failure's code; CUDA_SUCCESS before it. Any thread. */
CUresult failure_code(void);

/* Return the newest submission's number at confirmation; 0 before it. Any thread. */
uint64_t failure_sequence(void);

/*
 * Return the ID of the thread that discovered the failure; 0 before its bundle is saved. Any
 * thread.
 */
uint32_t failure_discoverer(void);

/* Count a clean-up call whose error was hidden. Any thread, after a failure. */
void failure_count_cleanup(void);

/*
 * True if a sticky code, returned after the failure, is a later failure of a context that was
 * sound. Such a failure is printed and noted, but not attributed. No lock held. Any thread.
 */
bool failure_is_later(CUresult result);

/*
 * Wait until an attribution in another thread has printed its verdict, for a second at most. Any
 * thread.
 */
void failure_wait_for_verdict(void);

/*
 * Return failure_report_culprit() once there is a verdict on that code, else NULL. NULL again
 * after a later failure, to which the code may belong. Any thread.
 */
const char *failure_culprit(CUresult code, const char **out_verdict);

/* culpritFailure, whose contract is in culprit.h. Any thread. */
CUresult failure_reported(const char **out_headline, const char **out_directory);

#endif
