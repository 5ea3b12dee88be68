/*
 * progress_layout.h - where the driver's own objects have what they say about its progress. A
 * table of offsets, because tools may assume none: SIMCUDA_PROGRESS=other has different ones.
 */
#ifndef SIMCUDA_PROGRESS_LAYOUT_H
#define SIMCUDA_PROGRESS_LAYOUT_H

#include <stdint.h>

enum {
	OBJECT_BYTES = 0x400, /* of a stream */
	TRACKER_BYTES = 0x100,
	CHANNEL_BYTES = 0x100,
	KERNEL_BYTES = 0xc8,
	LINK_BYTES = 0x40,
	TRACKER_CAPACITY = 4, /* entries that a tracker has room for */
	LEGACY_OTHER = 0x40,  /* behind the legacy stream's object, another one with its tracker */
};

enum entry_kind { ENTRY_PLAIN = 1, ENTRY_KERNEL = 3, ENTRY_HOST = 0x10 };

/* Offsets within an entry: {kind, and what was there}, then two pairs of an object and a value. */
enum { ENTRY_KIND = 0, ENTRY_FIRST = 0x08, ENTRY_SECOND = 0x18, ENTRY_BYTES = 0x28 };

struct progress_layout {
	unsigned legacy;  /* in a context: its legacy stream's object */
	unsigned tracker; /* in a stream's object, as the next two */
	unsigned next;    /* its neighbours in the list of all of its context */
	unsigned previous;
	unsigned n_entries;  /* in a tracker, as those up to entry */
	unsigned self;       /* the address of the first entry */
	unsigned capacity;   /* of the entries */
	unsigned entry;      /* the first one */
	unsigned index;      /* in a channel's object */
	unsigned state_link; /* in a kernel's object */
	unsigned state_word; /* behind that link: the address of the word */
};

/* Of this process. */
const struct progress_layout *progress_layout(void);

/* Sets 8 bytes of an object, which others read without asking. */
void progress_poke(uint64_t *object, unsigned offset, uint64_t value);
void progress_poke_pointer(uint64_t *object, unsigned offset, const void *pointer);

/* The kind of an entry, from 0. The four bytes behind it stay what they were. */
void progress_poke_kind(uint64_t *tracker, unsigned number, enum entry_kind kind);

/* One of the pairs of a tracker's entry: ENTRY_FIRST or ENTRY_SECOND. */
void progress_poke_pair(uint64_t *tracker, unsigned number, unsigned pair, const void *object,
			uint64_t value);

#endif
