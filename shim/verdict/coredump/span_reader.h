/*
 * span_reader.h - reads a byte span from its start to its end: fixed integers, LEB128 integers and
 * strings. Past the end everything reads as 0 and the reader stays at the end. One thread at a
 * time per reader.
 */
#ifndef CULPRIT_VERDICT_SPAN_READER_H
#define CULPRIT_VERDICT_SPAN_READER_H

#include "verdict/coredump/byte_span.h"

/* Invariant: at <= span.size. */
struct span_reader {
	struct byte_span span;
	size_t at;
	bool is_short; /* something was read that was not there */
};

/* Is there something left, and was nothing read that was not there? */
bool reader_has_more(const struct span_reader *reader);

uint8_t reader_u8(struct span_reader *reader);

/* An integer of `size` bytes; above 8 it reads as 0. */
uint64_t reader_uint(struct span_reader *reader, unsigned int size);

/* LEB128, as DWARF has them; bits past 64 are dropped. */
uint64_t reader_uleb(struct span_reader *reader);
int64_t reader_sleb(struct span_reader *reader);

/* The string here, "" if its NUL is missing. */
const char *reader_string(struct span_reader *reader);

/* A reader of the next `size` bytes, which this one passes over; an empty one if they are not
 * there. */
struct span_reader reader_take(struct span_reader *reader, uint64_t size);

#endif
