/*
 * run_slot.h - where `culprit run` is told things whatever becomes of disks and directories: a
 * file in memory that it has open, and that CULPRIT_RUN leads to. No descriptor is passed on, so
 * the host's are as without culprit.
 */
#ifndef CULPRIT_RECORD_RUN_SLOT_H
#define CULPRIT_RECORD_RUN_SLOT_H

#include <stddef.h>

/*
 * Adds to the slot of run `run` (the setting) what this process tells: a RUN_SLOT_ word and its
 * text. 0; -ENOENT: there is no `culprit run`, or it is another's; or -errno. The failure, and at
 * exit.
 */
int run_slot_tell(const char *run, const char *word, const char *text, size_t size);

#endif
