/*
 * run_slot.h - messages of this process to its `culprit run`. They are plain stores into memory,
 * and so do not depend on disks, directories, descriptors or rights after the start.
 *
 * The mapping and what it says of this process are static, written by run_slot_open() before
 * another thread asks.
 */
#ifndef CULPRIT_RECORD_RUN_SLOT_H
#define CULPRIT_RECORD_RUN_SLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Map the slot of run `run` (the setting) and take an entry in it. If there is no such run, or the
 * slot belongs to another user, the functions below do nothing. No descriptor stays open. Once.
 */
void run_slot_open(const char *run);

/* Publish the verdict's text, cut to the slot's size. False without a reader. At the failure. */
bool run_slot_publish_verdict(const char *text, size_t size);

/* Publish the process's end and number of submissions. False without a reader. At exit. */
bool run_slot_publish_end(uint64_t n_submissions);

/* Ask `culprit run` to end the run (--on-failure kill). At the failure only. */
void run_slot_publish_fatal(void);

/*
 * True if this process is the command of the `culprit run` that reads the slot, and that is alive.
 * Orphans may be its children, too. Any thread.
 */
bool run_slot_is_of_command(void);

#endif
