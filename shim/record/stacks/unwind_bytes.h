/*
 * unwind_bytes.h - read the numbers of DWARF call frame information, never past an end: a file may
 * be damaged, and is read inside the host.
 */
#ifndef CULPRIT_RECORD_UNWIND_BYTES_H
#define CULPRIT_RECORD_UNWIND_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Once bad, it stays bad and later reads give 0, so is_bad needs only one check at the end. */
struct unwind_bytes {
	const uint8_t *at;
	const uint8_t *end;
	bool is_bad;
};

/* Read the next `size` (1 to 8) bytes as a little-endian number. */
uint64_t unwind_bytes_unsigned(struct unwind_bytes *bytes, size_t size);
int64_t unwind_bytes_signed(struct unwind_bytes *bytes, size_t size);

/* Read the two variable-length forms of DWARF. */
uint64_t unwind_bytes_uleb(struct unwind_bytes *bytes);
int64_t unwind_bytes_sleb(struct unwind_bytes *bytes);

/* Read a pointer in an encoding of .eh_frame, absolute or relative to its own address. */
uint64_t unwind_bytes_pointer(struct unwind_bytes *bytes, uint8_t encoding);

/* Split off the next `size` bytes as a range of their own. */
struct unwind_bytes unwind_bytes_take(struct unwind_bytes *bytes, uint64_t size);

#endif
