/*
 * grace_period.h - before destroying a driver object, wait for threads that may be using it.
 *
 * A call that uses a stream or a kernel spends half a microsecond in culprit, and many microseconds
 * when it sees objects for the first time. Without culprit it would have reached the driver by
 * then. A thread that destroys the stream or unloads the kernel must not overtake it: the driver
 * may crash on the destroyed object (580.159). So each thread has a word that says that it is
 * coming, and a destroying thread waits until each such thread has arrived. It also waits until a
 * launch is back. Otherwise both threads would meet at the driver, and would do so from then on.
 * Calls that start later overlap just as they would without culprit.
 */
#ifndef CULPRIT_RECORD_GRACE_PERIOD_H
#define CULPRIT_RECORD_GRACE_PERIOD_H

#include <stdint.h>

/* A thread in the list of threads to wait for. Its memory is never freed. */
struct grace_reader {
	struct grace_reader *next;  /* atomic: read without the list's lock */
	struct grace_reader **link; /* the pointer to this entry */
	uint32_t *coming;           /* atomic: its word, near what the thread's launches write */
};

/* Start and stop counting the word, which is 0 now. Takes a lock of its own. Any thread. */
void grace_join(struct grace_reader *reader, uint32_t *coming);
void grace_leave(struct grace_reader *reader);

enum grace_word {
	GRACE_ELSEWHERE,
	GRACE_COMING,
	GRACE_LAUNCHES, /* is at the driver with a launch */
};

/*
 * Record that the thread is on its way to the driver, or has arrived; that it is in the driver with
 * a launch, or is back. Only the word's own thread calls these.
 */
static inline void grace_come(uint32_t *coming)
{
	__atomic_store_n(coming, GRACE_COMING, __ATOMIC_RELAXED);
	/* For the compiler: it must not store this later. grace_period.c says why that suffices. */
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
 * Announce that the calling thread, which has no word, is coming; that it is coming by its word
 * now, which has joined, or NULL: it is not. Any thread.
 */
void grace_start(void);
void grace_started(uint32_t *coming);

/*
 * Wait for each thread that is coming or launching now, at most some milliseconds in all. A thread
 * that is late then is not waited for again until it comes anew. The caller must not be coming
 * itself, or two destroying threads would wait for each other, and holds no lock. Any thread.
 */
void grace_wait(void);

/* The same, but do not wait for launches: for callers that then take a lock which launches hold. */
void grace_wait_arrivals(void);

#endif
