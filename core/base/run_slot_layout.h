/*
 * run_slot_layout.h - the slot of a `culprit run`: a memfd that each process of the run maps once.
 * At its failure and at its exit a process then only stores into memory.
 *
 * The file is a header, an array of entries, and a text for each entry. Parts that were never
 * written are holes. A process takes an entry when it starts recording; `culprit run` reads the
 * slot while the processes write. A nested `culprit run` takes an entry for each process that it
 * reports on.
 */
#ifndef CULPRIT_BASE_RUN_SLOT_LAYOUT_H
#define CULPRIT_BASE_RUN_SLOT_LAYOUT_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define RUN_SLOT_MAGIC 0x32544f4c53525543ull /* "CURSLOT2" */

enum {
	RUN_SLOT_HEAD = 4096,           /* for the header */
	RUN_SLOT_ALIGNMENT = 64 * 1024, /* of texts, which are mapped: a multiple of any page */
	RUN_SLOT_MAX_ENTRIES = 64 * 1024,
	RUN_SLOT_TEXT_SIZE = 64 * 1024,
};

struct run_slot_header {
	uint64_t magic;
	uint32_t capacity;  /* number of entries in the file */
	uint32_t n_entries; /* live: entries taken; above the capacity if more were requested */
	uint32_t bell;      /* live: raised with release order after a text; a futex */
	uint32_t command;   /* process ID, stored before the command starts; 0: not known */
};

enum run_slot_flags {
	RUN_SLOT_FINISHED = 1, /* the process is exiting: n_submissions is final */
	RUN_SLOT_SHOWN = 2,    /* the text is already on standard error */
	RUN_SLOT_FATAL = 4,    /* the run must end (--on-failure kill); the bell is rung after it */
};

struct run_slot_entry {
	uint32_t pid;           /* live: 0 until the entry is taken */
	uint32_t flags;         /* live: enum run_slot_flags, stored with release order */
	uint64_t n_submissions; /* written before RUN_SLOT_FINISHED */
	uint64_t published_ns;  /* CLOCK_MONOTONIC; written before text_size */
	uint32_t text_size; /* live: of the verdict, in bytes; stored with release order after the
			       text */
	uint32_t reserved;
};
static_assert(sizeof(struct run_slot_entry) == 32, "processes of other versions map it");

/* Offsets, and the size of a file, in bytes. */
static inline size_t run_slot_entry_at(size_t index)
{
	return RUN_SLOT_HEAD + index * sizeof(struct run_slot_entry);
}

static inline size_t run_slot_text_at(size_t capacity, size_t index)
{
	size_t entries_end = run_slot_entry_at(capacity) + RUN_SLOT_ALIGNMENT - 1;
	return entries_end / RUN_SLOT_ALIGNMENT * RUN_SLOT_ALIGNMENT + index * RUN_SLOT_TEXT_SIZE;
}

static inline size_t run_slot_size(size_t capacity)
{
	return run_slot_text_at(capacity, capacity);
}

/*
 * Write the path by which another process can open the slot of run `run`. Returns 0, or -ENOENT if
 * there is no such run or the file there belongs to another one. Any thread.
 */
int run_slot_path(const char *run, char *out_path, size_t capacity);

/* Return the process ID of the `culprit run` that made run `run`, -1 if `run` is not a run's name.
 */
long run_slot_runner(const char *run);

#endif
