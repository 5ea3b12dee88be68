/*
 * memory_find.h - whose address is this? Looks it up among all memory that the journal knows, live
 * and freed.
 */
#ifndef CULPRIT_VERDICT_MEMORY_FIND_H
#define CULPRIT_VERDICT_MEMORY_FIND_H

#include <stdbool.h>
#include <stdint.h>

#include "verdict/view/bundle_view.h"

/* Further away than so many bytes, memory has nothing to do with an address. */
#define MEMORY_NEAR (UINT64_C(1) << 30)

/* How an address lies to a piece of memory. */
enum memory_relation {
	MEMORY_NOWHERE, /* none is known near it */
	MEMORY_INSIDE,  /* of one that lives: `distance` bytes from its begin */
	MEMORY_FREED,   /* the same of the newest that was there; none is by now */
	MEMORY_AFTER,   /* of one that lives, the nearest: `distance` bytes behind its last byte + 1
			 */
	MEMORY_BEFORE,  /* the same: `distance` bytes before its begin */
};

struct memory_answer {
	enum memory_relation relation;
	uint64_t distance;
	struct range_row range; /* that it lies so to; unless NOWHERE */
	bool was_freed;         /* INSIDE: other memory lay there before */
	struct range_row freed; /* the newest of it */
	bool is_reserved;       /* the address lies in reserved addresses that live */
	struct range_row reserved;
};

/* Looks at every row once, so a live process may go on meanwhile. Any thread. */
void memory_find(const struct bundle_view *view, uint64_t address, struct memory_answer *out);

/*
 * Mapped memory that cuMemSetAccess gave no device the right to read (to write); false of other
 * kinds. Any thread.
 */
bool memory_lacks_read(const struct range_row *range);
bool memory_lacks_write(const struct range_row *range);

#endif
