/*
 * span_reader.c - the checked steps.
 */
#include "coredump/span_reader.h"

#include <string.h>

bool reader_has_more(const struct span_reader *reader)
{
	return !reader->is_short && reader->at < reader->span.size;
}

/* Skip `size` bytes. If fewer are left, stay at the end and return false. */
static bool skip(struct span_reader *reader, uint64_t size)
{
	if (size > reader->span.size - reader->at) {
		reader->at = reader->span.size;
		reader->is_short = true;
		return false;
	}
	reader->at += (size_t)size;
	return true;
}

uint8_t reader_u8(struct span_reader *reader)
{
	return (uint8_t)reader_uint(reader, 1);
}

uint64_t reader_uint(struct span_reader *reader, unsigned int size)
{
	size_t start = reader->at;
	uint64_t value = 0;
	if (skip(reader, size) && size <= sizeof(value))
		(void)span_copy(reader->span, start, &value, size);
	return value;
}

/* Read a LEB128 integer, and its size in bits for the sign. */
static uint64_t read_leb(struct span_reader *reader, unsigned int *out_bits, bool *out_negative)
{
	unsigned int bits = 0;
	uint64_t value = 0;
	uint8_t byte = 0;
	do {
		byte = reader_u8(reader);
		if (bits < 64)
			value |= (uint64_t)(byte & 0x7f) << bits;
		bits += bits < 64 ? 7 : 0;
	} while (byte & 0x80);
	*out_bits = bits;
	*out_negative = byte & 0x40;
	return value;
}

uint64_t reader_uleb(struct span_reader *reader)
{
	bool is_negative = false;
	unsigned int bits = 0;
	return read_leb(reader, &bits, &is_negative);
}

int64_t reader_sleb(struct span_reader *reader)
{
	bool is_negative = false;
	unsigned int bits = 0;
	uint64_t value = read_leb(reader, &bits, &is_negative);
	if (is_negative && bits < 64)
		value |= ~0ull << bits;
	return (int64_t)value;
}

const char *reader_string(struct span_reader *reader)
{
	size_t start = reader->at;
	if (start == reader->span.size) {
		reader->is_short = true;
		return "";
	}
	const unsigned char *end =
		memchr(reader->span.bytes + start, '\0', reader->span.size - start);
	if (!skip(reader, end ? (uint64_t)(end - reader->span.bytes) - start + 1 : UINT64_MAX))
		return "";
	return (const char *)reader->span.bytes + start;
}

struct span_reader reader_take(struct span_reader *reader, uint64_t size)
{
	struct span_reader part = {.span = {NULL, 0}};
	size_t start = reader->at;
	if (skip(reader, size))
		(void)span_part(reader->span, start, size, &part.span);
	return part;
}
