/*
 * grace_period.h - who ends something of the driver's lets those go first who have come before.
 *
 * A call that uses a stream or a kernel is on its way through culprit for half a microsecond, and
 * for many where things are met for the first time. Without culprit it would be at the driver by
 * then, so a thread that destroys the stream, or unloads the kernel, must not get there before it:
 * the driver may crash on what is gone (580.159). Each thread has a word that says that it is
 * coming; who ends something waits until each that was coming has arrived. A launch is waited for
 * until it is back, too: who has just arrived would meet at the driver's door with who has waited
 * for that, and from then on always. What begins behind that is as it would be without culprit.
 */
#ifndef CULPRIT_RECORD_GRACE_PERIOD_H
#define CULPRIT_RECORD_GRACE_PERIOD_H

#include <stdint.h>

/* A thread in the list of those that are waited for. Its memory is never given back. */
struct grace_reader {
	struct grace_reader *next;  /* atomic: read without the list's lock */
	struct grace_reader **link; /* what points to it */
	uint32_t *coming;           /* atomic: its word, where the thread's launches write anyway */
};

/* From now on the word, 0 now, counts; and not any more. Takes a lock of its own. Any thread. */
void grace_join(struct grace_reader *reader, uint32_t *coming);
void grace_leave(struct grace_reader *reader);

/* The calling thread, which has no word yet, is coming; it has one now. Any thread. */
void grace_start(void);
void grace_started(void);

enum grace_word {
	GRACE_ELSEWHERE,
	GRACE_COMING,
	GRACE_LAUNCHES, /* is at the driver with a launch */
};

/*
 * The thread is on its way to the driver, and now it is there; with a launch, and now it is back.
 * The word's thread only.
 */
static inline void grace_come(uint32_t *coming)
{
	__atomic_store_n(coming, GRACE_COMING, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}
static inline void grace_arrive(uint32_t *coming)
{
	/* Pairs with the acquire in grace_wait(). */
	__atomic_store_n(coming, GRACE_ELSEWHERE, __ATOMIC_RELEASE);
}
static inline void grace_launch(uint32_t *coming)
{
	__atomic_store_n(coming, GRACE_LAUNCHES, __ATOMIC_RELEASE);
}
static inline void grace_return(uint32_t *coming)
{
	grace_arrive(coming);
}

/*
 * Waits for each thread that is coming or launches now, some milliseconds at most in all; for who
 * has not arrived or is not back by then nobody waits again until it comes anew. By a thread that
 * is not coming itself, or two that end something would wait for each other, and holds no lock. Any
 * thread.
 */
void grace_wait(void);

/* The same, but launches are left at the driver: for who takes a lock then that they have. */
void grace_wait_arrivals(void);

#endif
