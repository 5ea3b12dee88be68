/*
 * byte_span.h - foreign bytes with their bounds: every read is checked, and one outside reads as
 * nothing. All little-endian, as x86 and the GPU are. Any thread.
 */
#ifndef CULPRIT_VERDICT_BYTE_SPAN_H
#define CULPRIT_VERDICT_BYTE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes belong to whoever made the span and outlive it. */
struct byte_span {
	const unsigned char *bytes;
	size_t size;
};

/* The part of `size` bytes from `offset` on; false, and *out untouched, if it is not all inside. */
bool span_part(struct byte_span span, uint64_t offset, uint64_t size, struct byte_span *out);

/* Copies `size` bytes at `offset` into *out; false, and *out untouched, if they are not inside. */
bool span_copy(struct byte_span span, uint64_t offset, void *out, size_t size);

/* The integer at `offset`, 0 if it is not inside. */
uint8_t span_u8(struct byte_span span, uint64_t offset);
uint16_t span_u16(struct byte_span span, uint64_t offset);
uint32_t span_u32(struct byte_span span, uint64_t offset);
uint64_t span_u64(struct byte_span span, uint64_t offset);

/* The string at `offset`; "" if it does not begin inside or its NUL is not. */
const char *span_string(struct byte_span span, uint64_t offset);

#endif
