/*
 * looks.h - a look into this process from outside: `culprit status` and `culprit run --hang` want
 * to know how far the GPU is, and the words that tell it lie in memory that is the process's alone.
 *
 * One thread of ours sleeps on a word of the journal, which others map; it is woken by a look that
 * somebody asks for, costs nothing until then, and copies the words into the journal. It calls no
 * driver, takes no lock that a launch takes on its usual way, has all signals blocked, and none of
 * the process's descriptors. Where the journal lies in private memory nobody could ask, and there
 * is no thread.
 */
#ifndef CULPRIT_RECORD_LOOKS_H
#define CULPRIT_RECORD_LOOKS_H

/*
 * Sees to it that there is such a thread, once in a process that uses the GPU; without one nothing
 * is missed but looks. Never from a launch, no lock held. Any thread.
 */
void looks_ensure(void);

#endif
