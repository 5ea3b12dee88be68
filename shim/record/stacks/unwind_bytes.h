/*
 * unwind_bytes.h - reads the numbers of DWARF call frame information, never past an end: a file
 * may be damaged, and we read it inside the host.
 */
#ifndef CULPRIT_RECORD_UNWIND_BYTES_H
#define CULPRIT_RECORD_UNWIND_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Once bad, always bad: later reads give 0, so only the end result needs a look at is_bad. */
struct unwind_bytes {
	const uint8_t *at;
	const uint8_t *end;
	bool is_bad;
};

/* The next `size` (1 to 8) bytes as a little-endian number. */
uint64_t unwind_bytes_unsigned(struct unwind_bytes *bytes, size_t size);
int64_t unwind_bytes_signed(struct unwind_bytes *bytes, size_t size);

/* The two variable-length forms of DWARF. */
uint64_t unwind_bytes_uleb(struct unwind_bytes *bytes);
int64_t unwind_bytes_sleb(struct unwind_bytes *bytes);

/* A pointer in one of the encodings of .eh_frame, absolute or relative to its own place. */
uint64_t unwind_bytes_pointer(struct unwind_bytes *bytes, uint8_t encoding);

/* Cuts the next `size` bytes off as a range of their own. */
struct unwind_bytes unwind_bytes_take(struct unwind_bytes *bytes, uint64_t size);

#endif
