/*
 * byte_span.h - foreign bytes with their bounds. Every read is checked, and a read outside the
 * bounds yields nothing. Integers are little-endian, as on x86 and the GPU. Any thread.
 */
#ifndef CULPRIT_COREDUMP_BYTE_SPAN_H
#define CULPRIT_COREDUMP_BYTE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes belong to the creator of the span and outlive it. */
struct byte_span {
	const unsigned char *bytes;
	size_t size;
};

/* Return `size` bytes from `offset` on in *out; false and *out unchanged unless all are inside. */
bool span_part(struct byte_span span, uint64_t offset, uint64_t size, struct byte_span *out);

/* Copy `size` bytes at `offset` into *out; false and *out unchanged unless all are inside. */
bool span_copy(struct byte_span span, uint64_t offset, void *out, size_t size);

/* Return the integer at `offset`, 0 if it is not inside. */
uint8_t span_u8(struct byte_span span, uint64_t offset);
uint16_t span_u16(struct byte_span span, uint64_t offset);
uint32_t span_u32(struct byte_span span, uint64_t offset);
uint64_t span_u64(struct byte_span span, uint64_t offset);

/* Return the string at `offset`; "" unless its start and its NUL are inside. */
const char *span_string(struct byte_span span, uint64_t offset);

#endif
