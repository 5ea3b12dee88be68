/*
 * fault_tracker.h - one file of nvidia-uvm-tools with its queue of events of one kind. The kernel
 * writes the queue. fault_events.c owns the trackers and calls all of this under its lock, except
 * fault_tracker_forget().
 */
#ifndef CULPRIT_RECORD_FAULT_TRACKER_H
#define CULPRIT_RECORD_FAULT_TRACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "record/fault/fault_abi.h"

/* Entries of a queue. One always stays free. */
enum { FAULT_TRACKER_ENTRIES = 64 };

struct fault_tracker {
	uint8_t kind; /* of its events: UVM_FATAL_FAULT or UVM_GPU_FAULT */
	bool is_wide; /* events are of UVM_LONG_EVENT_SIZE */
	bool has_identity;
	int fd;               /* -1: not open */
	int opening[2];       /* atomic: descriptors before one of them is fd, for a forked child */
	struct stat identity; /* of fd, or of those that are being opened */
	unsigned char *queue;
	size_t queue_size; /* the control page follows the queue */
	size_t size;
};

enum fault_tracker_result {
	TRACKER_OPEN,
	TRACKER_ABSENT,    /* there is no such device */
	TRACKER_FORBIDDEN, /* it cannot be opened */
	TRACKER_NO_NUMBER, /* no high descriptor is free */
	TRACKER_REFUSED,   /* the driver refuses: it may accept later */
};

/* Open the file at a high number, and enable its events. Nothing is left open if it fails. */
enum fault_tracker_result fault_tracker_open(struct fault_tracker *tracker);

/* Close it. The host may have closed the descriptor, and may use its number for a file of its own.
 */
void fault_tracker_close(struct fault_tracker *tracker);

/*
 * Close the child's copies, also of a file that was being opened. Only in the child of a fork,
 * which has one thread.
 */
void fault_tracker_forget(struct fault_tracker *tracker);

/* Return how many events are in the queue of an open tracker. */
uint32_t fault_tracker_count(const struct fault_tracker *tracker);

/* Stop the events, and return how many are in the queue; -1: it is not ours, or not plausible. */
int fault_tracker_stop(struct fault_tracker *tracker);

/* Return how many events found no place in the queue. */
uint64_t fault_tracker_dropped(const struct fault_tracker *tracker);

/* Return one of the events that fault_tracker_stop() counted; may be unaligned. */
const void *fault_tracker_entry(const struct fault_tracker *tracker, int index);

#endif
