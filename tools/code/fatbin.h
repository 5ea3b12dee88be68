/*
 * fatbin.h - read a container of GPU code, as nvcc and fatbinary make it. Each entry is machine
 * code (a cubin) or PTX for one architecture, and may be compressed with LZ4 or Zstandard. The
 * container is not trusted.
 *
 * A container starts with {u32 magic, u16 version, u16 size of this header, u64 size of the rest}.
 * Each entry starts with {u16 kind, u16 version, u32 size of this header, u64 size of the rest, u32
 * size of the compressed data in the rest, ..., u64 flags at 0x28, u64 decompressed size at 0x38}.
 * The format is undocumented; it was observed with nvcc 13.0 in each --compress-mode.
 */
#ifndef CULPRIT_TOOLS_FATBIN_H
#define CULPRIT_TOOLS_FATBIN_H

#include <stdbool.h>

#include "coredump/byte_span.h"

enum fatbin_kind { FATBIN_PTX = 1, FATBIN_CUBIN = 2 };

/* One entry; other kinds than those above are unknown. */
struct fatbin_entry {
	uint16_t kind;
	struct byte_span code; /* in `owned` or in the container; empty: cannot be read */
	unsigned char *owned;  /* the caller frees it; NULL: not compressed */
};

/* Return the size of the complete container at the start of `bytes`, or 0 if there is none. */
uint64_t fatbin_size(struct byte_span bytes);

/*
 * Read the entry at *offset of a container (0: the first) and advance *offset to the next one.
 * Return false at the end, or with *out_is_damaged if the rest is not an entry. Decompressed bytes
 * are subtracted from *budget; an entry that exceeds the budget has no code.
 */
bool fatbin_next(struct byte_span container, uint64_t *offset, uint64_t *budget,
		 struct fatbin_entry *out, bool *out_is_damaged);

#endif
