/*
 * snapshots.h - snapshots of this process from outside. `culprit status` and `culprit run --hang`
 * ask how far the GPU is; the progress counters that show it are in memory private to the process.
 *
 * One thread of ours sleeps on a word of the journal, which other processes map. A request for a
 * snapshot wakes the thread, which copies the counters into the journal; until then it costs
 * nothing. It calls no driver and takes no lock that a launch usually takes. All its signals are
 * blocked, and it shares no descriptor with the process. A journal in private memory can receive no
 * request, so there is no thread.
 */
#ifndef CULPRIT_RECORD_SNAPSHOTS_H
#define CULPRIT_RECORD_SNAPSHOTS_H

/*
 * Start that thread, once in a process that uses the GPU. If it cannot be started, only snapshots
 * are lost. Never call this from a launch or with a lock. Any thread.
 */
void snapshots_ensure(void);

#endif
