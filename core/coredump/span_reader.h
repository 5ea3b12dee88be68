/*
 * span_reader.h - reads a byte span from start to end: fixed integers, LEB128 integers and strings.
 * Past the end everything reads as 0 and the reader stays at the end. One thread at a time per
 * reader.
 */
#ifndef CULPRIT_COREDUMP_SPAN_READER_H
#define CULPRIT_COREDUMP_SPAN_READER_H

#include "coredump/byte_span.h"

/* Invariant: at <= span.size. */
struct span_reader {
	struct byte_span span;
	size_t at;
	bool is_short; /* a read went past the end */
};

/* True if bytes are left and no read went past the end. */
bool reader_has_more(const struct span_reader *reader);

uint8_t reader_u8(struct span_reader *reader);

/* Read an integer of `size` bytes; 0 if size is above 8. */
uint64_t reader_uint(struct span_reader *reader, unsigned int size);

/* Read a LEB128 integer as in DWARF; bits past 64 are dropped. */
uint64_t reader_uleb(struct span_reader *reader);
int64_t reader_sleb(struct span_reader *reader);

/* Read a string; "" if its NUL is missing. */
const char *reader_string(struct span_reader *reader);

/* Return a reader of the next `size` bytes and skip them; an empty reader if there are fewer. */
struct span_reader reader_take(struct span_reader *reader, uint64_t size);

#endif
