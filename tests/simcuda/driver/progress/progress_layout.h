/*
 * progress_layout.h - offsets of the progress members in the driver's objects. They are a table,
 * because tools must not assume any: SIMCUDA_PROGRESS=other has different ones.
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
	TRACKER_CAPACITY = 4, /* entries that fit in a tracker */
	LEGACY_OTHER = 0x40,  /* from the legacy stream's object to another with its tracker */
};

enum entry_kind { ENTRY_PLAIN = 1, ENTRY_KERNEL = 3, ENTRY_HOST = 0x10 };

/* Offsets within an entry: the kind with four bytes of garbage, then two (object, value) pairs. */
enum { ENTRY_KIND = 0, ENTRY_FIRST = 0x08, ENTRY_SECOND = 0x18, ENTRY_BYTES = 0x28 };

struct progress_layout {
	/* In a context: */
	unsigned legacy; /* its legacy stream's object */
	/* In a stream's object: */
	unsigned tracker;
	unsigned next; /* neighbours in the list of the context's streams */
	unsigned previous;
	/* In a tracker: */
	unsigned n_entries;
	unsigned self;     /* address of the first entry */
	unsigned capacity; /* of the entries */
	unsigned entry;    /* the first entry itself */
	/* In a channel's object: */
	unsigned index;
	/* In a kernel's object, and in the object that state_link points to: */
	unsigned state_link;
	unsigned state_word; /* address of the counter */
};

/* Return the layout of this process. */
const struct progress_layout *progress_layout(void);

/* Set 8 bytes of an object, which tools may read at any time. */
void progress_poke(uint64_t *object, unsigned offset, uint64_t value);
void progress_poke_pointer(uint64_t *object, unsigned offset, const void *pointer);

/* Set the kind of an entry, numbered from 0. The four bytes after the kind do not change. */
void progress_poke_kind(uint64_t *tracker, unsigned number, enum entry_kind kind);

/* Set a pair of a tracker's entry: ENTRY_FIRST or ENTRY_SECOND. */
void progress_poke_pair(uint64_t *tracker, unsigned number, unsigned pair, const void *object,
			uint64_t value);

#endif
