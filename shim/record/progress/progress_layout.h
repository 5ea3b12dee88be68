/*
 * progress_layout.h - where the driver keeps what it knows of its own progress. Nothing here is
 * documented, so nothing of it is assumed: the places are searched for in each process
 * (progress_search.h), by what moves when work is submitted, and checked from then on
 * (progress_tracker.h). What was seen on an H200 under driver 580.159:
 *
 * - CUstream: +0 the stream's object; from there +0x268 (tracker) its tracker, and +0x158 (next),
 *   +0x160 (previous) its neighbours in the list of all streams of its context, the driver's own
 *   and threads' default ones among them
 * - tracker: +0x10 how many entries it has, 8 before the next, more than one after a graph; +0x18
 *   (entries) where they are: at +0x28 (entry) while there were at most four, each of 40 bytes:
 *   struct progress_entry
 *
 * An entry tells of the stream's newest submission which channel has it and under which number (its
 * payload). Memsets, memory operations, copies and graphs have an entry of kind 1, with the channel
 * in pairs[0]: copies from and to the host that of a copy engine. Kernels, and copies on the
 * device, have one of kind 3: in pairs[0] an object for the kernel and how often it was used
 * before, in pairs[1] the channel. What other kinds mean is not known. A graph has several: often
 * one of kind 1 that is no part of it, the newest number of the driver's own first stream, or of
 * the graph's launch before this one in another stream; one of kind 1 with the launch's number on
 * its stream's channel; and for each of its ends that is a kernel one of kind 3, the first of them
 * mostly with that number, too. An end that is a memset has one of kind 1, a copy to the host one
 * on its engine's channel, a host function one of kind 0x10. What the stream waits for by an event
 * stands among them until its next submission. From five entries on they are elsewhere, and stay
 * so.
 *
 * - channel's object: +0x38 (index) its number, from 0
 * - pool - 16 * index: the channel's word, struct progress_word, in a page that the driver shares
 *   with the GPU; the payload is written when the submission begins
 * - kernel's object: +0x18 (state_link) -> +0x10 (state_word) where its state is kept, in the same
 *   page: 4n + 1 when its n-th use begins, 4n + 2 when that has finished; a stream has eight, by
 *   turns
 */
#ifndef CULPRIT_RECORD_PROGRESS_LAYOUT_H
#define CULPRIT_RECORD_PROGRESS_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/host/own_memory.h"

struct progress_pair {
	uint64_t object; /* an address in the driver's memory */
	uint64_t value;
};

enum progress_entry_kind { ENTRY_PLAIN = 1, ENTRY_KERNEL = 3 };

struct progress_entry {
	uint32_t kind; /* enum progress_entry_kind, or another */
	uint32_t unknown;
	struct progress_pair pairs[2];
};

/* A channel's word as the GPU writes it. */
struct progress_word {
	uint32_t payload;
	uint32_t zero;
	uint64_t gpu_ns;
};

enum {
	COUNT_BEFORE = 8,     /* the pointer to the entries */
	ENTRIES_MAX = 64,     /* are looked through behind a graph */
	TRACKER_SIZE = 0x100, /* how much of a tracker is looked at, as of a channel's object */
	WORD_STEP = 16,       /* between the words of neighbouring channels */
};

/* Offsets, by the names above. All zero: not found yet. */
struct progress_layout {
	uint32_t tracker;
	uint32_t entries;
	uint32_t entry;
	uint32_t index;
	uint32_t state_link;
	uint32_t state_word;
	uint32_t next;
	uint32_t previous;
	bool has_index; /* where all streams share one channel it cannot be told */
	bool has_list;  /* nor this where another thread made a stream between the two that were
			   tried */
	bool has_state;
};

/* Where the object of a stream names its tracker; 0: the handle leads nowhere. */
uintptr_t progress_layout_place(const struct progress_layout *layout, struct own_memory *memory,
				uint64_t stream_handle);

/* Where a tracker has its entries; 0: it is none. What is elsewhere shows a kind. */
uintptr_t progress_layout_entries(const struct progress_layout *layout, struct own_memory *memory,
				  uint64_t tracker);

/* Does the tracker look as trackers do? *out_entry is its first entry. */
bool progress_layout_entry(const struct progress_layout *layout, struct own_memory *memory,
			   uint64_t tracker, struct progress_entry *out_entry);

/*
 * Does the word come to show a payload that has begun for sure? It may follow what the GPU wrote
 * last by a moment: a bounded look. While the page is there.
 */
bool progress_word_reaches(const volatile struct progress_word *word, uint32_t payload);

/*
 * The number of a graph's newest launch among the n entries behind it, with its channel: that of
 * a kernel, with an entry of no kernel that has it, too. A launch that has to wait for the one
 * before it, in another stream, may have that one's besides: then its own is on `channel`, where
 * its stream went last, or on one channel the later. False: there is none, or no telling which.
 */
bool progress_entries_graph(const volatile struct progress_entry *entries, uint32_t n,
			    uint64_t channel, struct progress_pair *out_where);

static inline struct progress_pair progress_pair_read(const volatile struct progress_pair *pair)
{
	return (struct progress_pair){.object = pair->object, .value = pair->value};
}

/* Which of an entry's pairs names the channel; NULL: its kind is not known. */
static inline const struct progress_pair *progress_entry_channel(const struct progress_entry *entry)
{
	if (entry->kind == ENTRY_KERNEL)
		return &entry->pairs[1];
	return entry->kind == ENTRY_PLAIN ? &entry->pairs[0] : NULL;
}

#endif
