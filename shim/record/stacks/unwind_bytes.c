/*
 * unwind_bytes.c - the bounds-checked reader of call frame information. Little-endian, as x86-64.
 */
#include "record/stacks/unwind_bytes.h"

#include <string.h>

/* The low half of a pointer's encoding (DW_EH_PE_*): its form. */
enum {
	FORM_ABSOLUTE = 0x00,
	FORM_ULEB = 0x01,
	FORM_U2 = 0x02,
	FORM_U4 = 0x03,
	FORM_U8 = 0x04,
	FORM_SLEB = 0x09,
	FORM_S2 = 0x0a,
	FORM_S4 = 0x0b,
	FORM_S8 = 0x0c,
	FORM_MASK = 0x0f,
	BASE_PLACE = 0x10, /* relative to its own address */
	BASE_MASK = 0xf0,
};

struct unwind_bytes unwind_bytes_take(struct unwind_bytes *bytes, uint64_t size)
{
	if (bytes->is_bad || size > (uint64_t)(bytes->end - bytes->at)) {
		bytes->is_bad = true;
		return (struct unwind_bytes){.is_bad = true};
	}
	struct unwind_bytes taken = {.at = bytes->at, .end = bytes->at + size};
	bytes->at += size;
	return taken;
}

uint64_t unwind_bytes_unsigned(struct unwind_bytes *bytes, size_t size)
{
	struct unwind_bytes taken = unwind_bytes_take(bytes, size);
	uint64_t value = 0;
	if (!taken.is_bad)
		memcpy(&value, taken.at, size);
	return value;
}

/* Convert a number whose highest bit is bit `n_bits` - 1 to a signed one. */
static int64_t extend_sign(uint64_t value, unsigned n_bits)
{
	if (n_bits < 64 && value >> (n_bits - 1) & 1)
		value |= ~0ull << n_bits;
	return (int64_t)value;
}

int64_t unwind_bytes_signed(struct unwind_bytes *bytes, size_t size)
{
	return extend_sign(unwind_bytes_unsigned(bytes, size), (unsigned)size * 8);
}

/* Read the seven-bit groups; *out_bits is the total number of their bits. */
static uint64_t read_groups(struct unwind_bytes *bytes, unsigned *out_bits)
{
	uint64_t value = 0;
	unsigned n_bits = 0;
	uint64_t byte = 0;
	do {
		byte = unwind_bytes_unsigned(bytes, 1);
		if (n_bits > 63)
			bytes->is_bad = true;
		else
			value |= (byte & 0x7f) << n_bits;
		n_bits += 7;
	} while (byte & 0x80 && !bytes->is_bad);
	*out_bits = n_bits;
	return value;
}

uint64_t unwind_bytes_uleb(struct unwind_bytes *bytes)
{
	unsigned n_bits = 0;
	return read_groups(bytes, &n_bits);
}

int64_t unwind_bytes_sleb(struct unwind_bytes *bytes)
{
	unsigned n_bits = 0;
	uint64_t value = read_groups(bytes, &n_bits);
	return extend_sign(value, n_bits);
}

static uint64_t read_form(struct unwind_bytes *bytes, uint8_t form)
{
	switch (form) {
	case FORM_ABSOLUTE:
	case FORM_U8:
	case FORM_S8:
		return unwind_bytes_unsigned(bytes, 8);
	case FORM_ULEB:
		return unwind_bytes_uleb(bytes);
	case FORM_SLEB:
		return (uint64_t)unwind_bytes_sleb(bytes);
	case FORM_U2:
		return unwind_bytes_unsigned(bytes, 2);
	case FORM_U4:
		return unwind_bytes_unsigned(bytes, 4);
	case FORM_S2:
		return (uint64_t)unwind_bytes_signed(bytes, 2);
	case FORM_S4:
		return (uint64_t)unwind_bytes_signed(bytes, 4);
	default:
		bytes->is_bad = true;
		return 0;
	}
}

uint64_t unwind_bytes_pointer(struct unwind_bytes *bytes, uint8_t encoding)
{
	uint64_t place = (uintptr_t)bytes->at;
	uint64_t value = read_form(bytes, encoding & FORM_MASK);
	if ((encoding & BASE_MASK) == BASE_PLACE)
		return value + place;
	if (encoding & BASE_MASK)
		bytes->is_bad = true;
	return value;
}
