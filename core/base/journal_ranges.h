/*
 * journal_ranges.h - the table of memory ranges: the call that made each range, its kind, and the
 * call that freed it. Part of journal_format.h, which says how tables are read.
 */
#ifndef CULPRIT_BASE_JOURNAL_RANGES_H
#define CULPRIT_BASE_JOURNAL_RANGES_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum range_state { RANGE_LIVE = 1, RANGE_FREED = 2 };

/* Kinds of memory: name, number in bundles, and words for reports. */
#define RANGE_KINDS(KIND)                                                         \
	KIND(UNKNOWN, 0, "memory")                                                \
	KIND(DEVICE, 1, "device memory")                                          \
	KIND(PITCHED, 2, "pitched device memory")                                 \
	KIND(MANAGED, 3, "managed memory")                                        \
	KIND(HOST, 4, "pinned host memory")                                       \
	KIND(REGISTERED, 5, "registered host memory")                             \
	KIND(ORDERED, 6, "stream-ordered memory")                                 \
	KIND(GRAPH, 7, "memory of a graph")                                       \
	KIND(MAPPED, 8, "mapped memory") /* virtual memory that cuMemMap made */  \
	KIND(IPC, 9, "memory of another process")                                 \
	KIND(IMPORTED, 10, "imported memory")                                     \
	KIND(RESERVED, 11, "reserved addresses") /* no memory is there by that */ \
	KIND(PHYSICAL, 12, "physical memory")    /* start is a handle */          \
	KIND(ARRAY, 13, "array")                 /* start is a handle */          \
	KIND(MIPMAP, 14, "mipmapped array")      /* start is a handle */

enum range_kind {
#define KIND(name, number, words) RANGE_##name = (number),
	RANGE_KINDS(KIND)
#undef KIND
		N_RANGE_KINDS
};

enum range_flags {
	RANGE_PORTABLE = 1,        /* host memory: a flag of its allocation */
	RANGE_DEVICE_MAP = 2,      /* the same */
	RANGE_WRITE_COMBINED = 4,  /* the same */
	RANGE_READ_ONLY = 8,       /* registered host memory */
	RANGE_CAN_READ = 16,       /* live: mapped memory: cuMemSetAccess allowed it to a device */
	RANGE_CAN_WRITE = 32,      /* live: the same */
	RANGE_HAS_MAPPING = 64,    /* live: physical memory: a mapping of it has a row too */
	RANGE_FROM_POOL = 128,     /* stream-ordered memory from a pool that the program chose */
	RANGE_DEVICE_KNOWN = 256,  /* `device` is the device's ordinal */
	RANGE_OF_CONTEXT_END = 512 /* live: freed with its context, without a call of its own */
};

struct range_row {
	uint64_t start; /* address; for some kinds a handle */
	uint64_t size;
	uint64_t number; /* allocations are numbered from 1 in the order they were made */
	uint32_t call;   /* string: the call that made it */
	uint32_t stack;
	uint32_t freed_call;  /* live: string */
	uint32_t freed_stack; /* live */
	uint32_t state;       /* live: enum range_state; 0: row being reused */
	uint32_t context;
	uint64_t freed_after; /* live: newest submission number when it was freed */
	uint64_t time_ns;     /* CLOCK_MONOTONIC */
	uint64_t freed_ns;    /* live: the same */
	uint32_t tid;
	uint32_t freed_tid; /* live */
	uint32_t stream;    /* stream-ordered memory: id in streams; 0: none */
	uint32_t parent;    /* mapped memory: id of its physical memory; 0: unknown */
	uint16_t flags;     /* live: enum range_flags */
	uint8_t kind;       /* enum range_kind */
	uint8_t device;
	uint32_t freed_stream; /* live: freed in this stream's order: its id in streams; 0: none */
};
static_assert(sizeof(struct range_row) == 96, "range_row is part of the format");

/*
 * Host memory that the process may read or write, as listed by the kernel at the failure. Rows are
 * ordered by address. Neighbours with the same name share a row.
 */
struct host_mapping_row {
	uint64_t start;
	uint64_t end;  /* one past the last byte */
	uint32_t name; /* string: a file's path, "[heap]", "[stack]"; 0: anonymous */
	uint32_t reserved;
};
static_assert(sizeof(struct host_mapping_row) == 24, "host_mapping_row is part of the format");

/* Most rows of ranges: a million live ones, and the newest freed ones. */
enum { RANGE_ROWS_MAX = (1024 + 64) * 1024 };

/* True if a range of this kind starts at an address; unknown kinds do. Any thread. */
static inline bool range_has_address(uint32_t kind)
{
	return kind < RANGE_RESERVED || kind >= N_RANGE_KINDS;
}

#endif
