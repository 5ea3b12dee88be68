/*
 * run_slot.h - what this process tells its `culprit run`, by stores into memory alone: whatever
 * becomes of disks, directories, descriptors and rights after the start.
 *
 * The mapping is a static, written by run_slot_open() before another thread asks.
 */
#ifndef CULPRIT_RECORD_RUN_SLOT_H
#define CULPRIT_RECORD_RUN_SLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Maps the slot of run `run` (the setting) and takes an entry there. Without such a run, or where
 * the slot belongs to another user, the functions below do nothing. No descriptor stays open. Once.
 */
void run_slot_open(const char *run);

/* Publish the text of the verdict, cut to the slot's size. False: nobody reads it. The failure. */
bool run_slot_tell_verdict(const char *text, size_t size);

/* Publish the process's end. False: nobody reads it. At exit. */
bool run_slot_tell_end(uint64_t n_submissions);

#endif
