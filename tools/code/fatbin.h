/*
 * fatbin.h - a container of GPU code, as nvcc and fatbinary make them: code for one architecture
 * each, machine code (cubins) or PTX, perhaps compressed with LZ4 or Zstandard. Foreign input.
 *
 * A container is {u32 magic, u16 version, u16 size of this header, u64 bytes behind it}. Each entry
 * in it is {u16 kind, u16 version, u32 size of this header, u64 bytes behind it, u32 bytes of these
 * that are compressed data, ..., u64 flags at 0x28, u64 bytes once decompressed at 0x38}. Seen with
 * nvcc 13.0 and each of its --compress-mode; not documented.
 */
#ifndef CULPRIT_TOOLS_FATBIN_H
#define CULPRIT_TOOLS_FATBIN_H

#include <stdbool.h>

#include "verdict/coredump/byte_span.h"

enum fatbin_kind { FATBIN_PTX = 1, FATBIN_CUBIN = 2 };

/* One entry; of another kind than those above nothing is known. */
struct fatbin_entry {
	uint16_t kind;
	struct byte_span code; /* in `owned`, or in the container; empty: it cannot be read */
	unsigned char *owned;  /* free(); NULL: not compressed */
};

/* Does a container begin here, all of which is there? Its size with the header, else 0. */
uint64_t fatbin_size(struct byte_span bytes);

/*
 * Reads the entry at *offset of a container and moves that behind it; 0 begins at the first. False:
 * no more, or what follows is no entry: then *out_is_damaged. At most *budget bytes are
 * decompressed, of which what was is taken off; an entry beyond has no code.
 */
bool fatbin_next(struct byte_span container, uint64_t *offset, uint64_t *budget,
		 struct fatbin_entry *out, bool *out_is_damaged);

#endif
