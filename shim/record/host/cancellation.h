/*
 * cancellation.h - keeps the host's threads from being cancelled inside our own system calls: where
 * the host made a call of the driver there is no cancellation point, and the locks that we hold
 * would stay taken for ever. Around whatever opens, writes or waits; the usual call does none of
 * it.
 */
#ifndef CULPRIT_RECORD_CANCELLATION_H
#define CULPRIT_RECORD_CANCELLATION_H

/* Holds cancellation of the calling thread back; returns what to give to the other. Any thread. */
int cancellation_hold(void);
void cancellation_restore(int state);

#endif
