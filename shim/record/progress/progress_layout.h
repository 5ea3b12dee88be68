/*
 * progress_layout.h - where the driver keeps its knowledge of its own progress. It is undocumented,
 * so nothing is assumed: each process searches for the places by what moves when work is submitted
 * (progress_search.h), and checks them from then on (progress_tracker.h). An H200 with driver
 * 580.159 showed this:
 *
 * - CUstream: +0 the stream's object; from there +0x268 (tracker) its tracker, and +0x158 (next),
 *   +0x160 (previous) its neighbours in the list of all streams of its context, which includes the
 *   driver's own and threads' default ones
 * - tracker: +0x10 how many entries it has, 8 before the next, more than one after a graph; +0x18
 *   (entries) their address: +0x28 (entry) while there were at most four, each of 40 bytes: struct
 *   progress_entry
 *
 * An entry says which channel has the stream's newest submission, and its number there, the
 * payload. Memsets, memory operations, copies and graphs have an entry of kind 1, with the channel
 * in pairs[0]; copies from and to the host name a copy engine's channel. Kernels, and copies on the
 * device, have one of kind 3: pairs[0] has an object for the kernel and how often it was used
 * before, pairs[1] the channel. Other kinds are unknown.
 *
 * A graph has several entries. Often one of kind 1 is no part of it: the newest number of the
 * driver's own first stream, or of the graph's launch before this one in another stream. One of
 * kind 1 has the launch's number on its stream's channel. Each of the graph's ends that is a kernel
 * has one of kind 3, and the first of these usually has that number, too. An end that is a memset
 * has one of kind 1, a copy to the host one on its engine's channel, a host function one of kind
 * 0x10. Events that the stream waits for are among them until its next submission. Five or more
 * entries are stored elsewhere, and stay there.
 *
 * - channel's object: +0x38 (index) its number, from 0
 * - pool - 16 * index: the channel's counter, struct progress_counter, in a page that the driver
 *   shares with the GPU; the payload is written when the submission starts
 * - kernel's object: +0x18 (state_link) -> +0x10 (state_word) the address of its state, in the same
 *   page: 4n + 1 when its n-th use starts, 4n + 2 when that has finished; a stream has eight, by
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

/* A channel's counter as the GPU writes it. */
struct progress_counter {
	uint32_t payload;
	uint32_t zero;
	uint64_t gpu_ns;
};

enum {
	COUNT_BEFORE = 8,     /* the number's distance before the pointer to the entries */
	ENTRIES_MAX = 64,     /* how many are searched after a graph */
	TRACKER_SIZE = 0x100, /* how much of a tracker, or of a channel's object, is searched */
	WORD_STEP = 16,       /* between the counters of neighbouring channels */
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
	bool has_index; /* unknown if all streams share one channel */
	bool has_list;  /* unknown if another thread made a stream between our two */
	bool has_state;
};

/* Return where a stream's object names its tracker; 0: the handle leads nowhere. */
uintptr_t progress_layout_place(const struct progress_layout *layout, struct own_memory *memory,
				uint64_t stream_handle);

/* Return a tracker's entries; 0: it is no tracker. Entries stored elsewhere must have a kind. */
uintptr_t progress_layout_entries(const struct progress_layout *layout, struct own_memory *memory,
				  uint64_t tracker);

/* True if it looks like a tracker. *out_entry is its first entry. */
bool progress_layout_entry(const struct progress_layout *layout, struct own_memory *memory,
			   uint64_t tracker, struct progress_entry *out_entry);

/*
 * True if the counter reaches a payload that has certainly started. It may lag the GPU's write by a
 * moment, so this waits for a bounded time. Only while the page is mapped.
 */
bool progress_counter_reaches(const volatile struct progress_counter *word, uint32_t payload);

/*
 * Find the number of a graph's newest launch among the n entries after it, with its channel: a
 * kernel's number that an entry without a kernel also has. A launch that waits for the one before
 * it, in another stream, may also have that one's number. Its own is then on `channel`, where its
 * stream went last; on the same channel it is the later one. False: none, or ambiguous.
 */
bool progress_entries_graph(const volatile struct progress_entry *entries, uint32_t n,
			    uint64_t channel, struct progress_pair *out_where);

static inline struct progress_pair progress_pair_read(const volatile struct progress_pair *pair)
{
	return (struct progress_pair){.object = pair->object, .value = pair->value};
}

#endif
