/*
 * journal_code.h - the part of journal_format.h for where the code of kernels may be on the GPU.
 * Include journal_format.h instead of this file.
 */
#ifndef CULPRIT_BASE_JOURNAL_CODE_H
#define CULPRIT_BASE_JOURNAL_CODE_H

#include <assert.h>
#include <stdint.h>

enum code_address_flags {
	CODE_CONFIRMED = 1, /* the function's handle was valid when this was read */
};

/*
 * A word of the driver's own object of a function that may be the address of its code on the GPU.
 * Which word that is, is not documented, so each word is recorded that may be an address for all
 * functions. Readers compare them with what they know of the code and of the fault. Written at the
 * failure; the rows of a function follow each other, by offset.
 */
struct code_address_row {
	uint64_t address;  /* the word's value: a multiple of CODE_ALIGNMENT, not host memory */
	uint32_t function; /* id in functions */
	uint16_t offset;   /* of the word in the object, in bytes */
	uint16_t flags;    /* enum code_address_flags */
};
static_assert(sizeof(struct code_address_row) == 16, "code_address_row is part of the format");

/* Seen on an H100: code of kernels starts at multiples of this. */
enum { CODE_ALIGNMENT = 0x80 };

/* How much of an object is read, and how many of its words are recorded at most. */
enum { CODE_OBJECT_SIZE = 0x200, CODE_WORDS_MAX = 8 };

#endif
