/*
 * fatbin.c - iterate over the entries of a container and decompress them.
 */
#include "code/fatbin.h"

#include <limits.h>
#include <lz4.h>
#include <stdlib.h>
#include <zstd.h>

static const uint32_t MAGIC = 0xba55ed50u;

enum { CONTAINER_HEADER = 16, ENTRY_HEADER = 64, HEADER_MAX = 1 << 16 };
enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000 };
enum {
	CONTAINER_HEADER_SIZE = 0x06,
	CONTAINER_SIZE = 0x08,
	ENTRY_KIND = 0x00,
	ENTRY_HEADER_SIZE = 0x04,
	ENTRY_SIZE = 0x08,
	ENTRY_COMPRESSED = 0x10,
	ENTRY_FLAGS = 0x28,
	ENTRY_DECOMPRESSED = 0x38,
};

uint64_t fatbin_size(struct byte_span bytes)
{
	uint64_t header = span_u16(bytes, CONTAINER_HEADER_SIZE);
	uint64_t size = span_u64(bytes, CONTAINER_SIZE);
	if (bytes.size < CONTAINER_HEADER || span_u32(bytes, 0) != MAGIC ||
	    header < CONTAINER_HEADER || header > bytes.size || size > bytes.size - header)
		return 0;
	return header + size;
}

static bool decompress_into(struct byte_span packed, uint64_t flags, unsigned char *out,
			    size_t size)
{
	if (flags & FLAG_ZSTD)
		return ZSTD_decompress(out, size, packed.bytes, packed.size) == size;
	return packed.size <= INT_MAX && size <= INT_MAX &&
	       LZ4_decompress_safe((const char *)packed.bytes, (char *)out, (int)packed.size,
				   (int)size) == (int)size;
}

static void decompress(struct byte_span packed, uint64_t flags, uint64_t size, uint64_t *budget,
		       struct fatbin_entry *out)
{
	if (size == 0 || size > *budget)
		return;
	out->owned = malloc(size);
	if (!out->owned)
		return;
	*budget -= size;
	if (decompress_into(packed, flags, out->owned, size))
		out->code = (struct byte_span){out->owned, size};
}

static void read_code(struct byte_span entry, uint64_t header, uint64_t *budget,
		      struct fatbin_entry *out)
{
	uint64_t flags = span_u64(entry, ENTRY_FLAGS);
	uint64_t packed_size = span_u32(entry, ENTRY_COMPRESSED);
	struct byte_span packed;
	if (!(flags & (FLAG_LZ4 | FLAG_ZSTD)))
		(void)span_part(entry, header, entry.size - header, &out->code);
	else if (span_part(entry, header, packed_size, &packed))
		decompress(packed, flags, span_u64(entry, ENTRY_DECOMPRESSED), budget, out);
}

bool fatbin_next(struct byte_span container, uint64_t *offset, uint64_t *budget,
		 struct fatbin_entry *out, bool *out_is_damaged)
{
	uint64_t start = *offset ? *offset : span_u16(container, CONTAINER_HEADER_SIZE);
	uint64_t size = span_u64(container, start + ENTRY_SIZE);
	uint64_t header = span_u32(container, start + ENTRY_HEADER_SIZE);
	*out_is_damaged = false;
	if (start >= container.size)
		return false;
	*out_is_damaged = true;
	struct byte_span entry;
	if (header < ENTRY_HEADER || header > HEADER_MAX || size > container.size ||
	    !span_part(container, start, header + size, &entry))
		return false;
	*out_is_damaged = false;
	*out = (struct fatbin_entry){.kind = span_u16(entry, ENTRY_KIND)};
	*offset = start + entry.size;
	read_code(entry, header, budget, out);
	return true;
}
