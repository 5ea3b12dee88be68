/*
 * argument_ranges.h - the memory that a launch's arguments point to.
 */
#ifndef CULPRIT_CHECK_ARGUMENT_RANGES_H
#define CULPRIT_CHECK_ARGUMENT_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/journal_ranges.h"
#include "record/streams/contexts.h"

struct function;

/* A pointer among the arguments; each address is listed once. */
struct argument_range {
	uint64_t address;
	uint64_t bytes;       /* that belong to it, as far as that is known */
	uint64_t start, size; /* of its allocation */
	uint64_t number;      /* the allocation's */
	uint32_t parameter;
	uint32_t offset; /* in the parameter, of a pointer in a structure */
	uint32_t context;
	uint16_t flags; /* enum range_flags */
	uint8_t kind;   /* enum range_kind */
	uint8_t device;
	bool is_repeated; /* another argument has the same address */
};

/*
 * List up to `max` pointers to live memory among the arguments of a launch, in the order of the
 * parameters; with a context, only those that its kernels may read. Reads what `parameters` and
 * `extra` point to, as the driver is about to do. Arguments after the first 4096 bytes are left
 * out.
 *
 * `bytes` ends with the allocation, or where another part of it starts. Caching allocators hand out
 * parts of one allocation at multiples of 512 bytes. A pointer at such an offset, in this launch or
 * an earlier one, shows that a part starts there. Any thread.
 */
size_t argument_ranges_find(const struct function *function, void *const *parameters,
			    void *const *extra, const struct context *context,
			    struct argument_range *out, size_t max);

/* True if the memory is still as it was found: not freed since. Any thread. */
bool argument_ranges_is_live(const struct argument_range *range);

/*
 * Bracket asking whether memory is live and launching a check of it. A thread that is about to free
 * memory has noted that, and then calls argument_ranges_settle(), which waits for threads that may
 * have found it live: for 0.1 s at most, since a launch may itself wait for the GPU. Any thread.
 */
void argument_ranges_begin_use(void);
void argument_ranges_end_use(void);
void argument_ranges_settle(void);

#endif
