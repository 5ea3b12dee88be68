/*
 * memory_find.h - looks up an address among all memory in the journal, live and freed.
 */
#ifndef CULPRIT_MEMORY_MEMORY_FIND_H
#define CULPRIT_MEMORY_MEMORY_FIND_H

#include <stdbool.h>
#include <stdint.h>

#include "progress/range_order.h"
#include "view/bundle_view.h"

/* Memory that is at least this many bytes away is unrelated to an address. */
#define MEMORY_NEAR (UINT64_C(1) << 30)

/* Position of an address relative to memory. */
enum memory_relation {
	MEMORY_NOWHERE,   /* no known memory is near */
	MEMORY_INSIDE,    /* `distance` bytes from the start of live memory */
	MEMORY_FREED,     /* the same in the newest freed memory; no live memory is there */
	MEMORY_IN_FLIGHT, /* INSIDE, but it was freed while the launch may have been unfinished */
	MEMORY_AFTER,     /* `distance` bytes past the end of the nearest live memory */
	MEMORY_BEFORE,    /* `distance` bytes before the start of the nearest live memory */
};

struct memory_answer {
	enum memory_relation relation;
	uint64_t distance;
	struct range_row range; /* the memory that `relation` is about; unless NOWHERE */
	bool was_freed;         /* INSIDE: other memory was there before */
	struct range_row freed; /* the newest such memory */
	bool is_reserved;       /* the address is in live reserved addresses */
	struct range_row reserved;
};

/*
 * Look up an address, among memory as it was `at` a launch; NULL: at the end. Reads every row once,
 * so a live process may run meanwhile. Any thread.
 */
void memory_find(const struct bundle_view *view, uint64_t address, const struct range_moment *at,
		 struct memory_answer *out);

/*
 * True for mapped memory that cuMemSetAccess allowed no device to read (to write); false for other
 * kinds. Any thread.
 */
bool memory_lacks_read(const struct range_row *range);
bool memory_lacks_write(const struct range_row *range);

#endif
