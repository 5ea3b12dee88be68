/*
 * cancellation.h - keep the host's threads from being cancelled inside our own system calls. The
 * host made a driver call, which is no cancellation point, and our locks would stay taken for ever.
 * Use it around code that opens, writes or waits; the usual call does none of these.
 */
#ifndef CULPRIT_RECORD_CANCELLATION_H
#define CULPRIT_RECORD_CANCELLATION_H

/* Disable cancellation of the calling thread. Pass the result to restore(). Any thread. */
int cancellation_hold(void);
void cancellation_restore(int state);

#endif
