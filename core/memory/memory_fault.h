/*
 * memory_fault.h - what the GPU did wrong, in words: the access, its address, and the memory that
 * is there or nearby.
 */
#ifndef CULPRIT_MEMORY_MEMORY_FAULT_H
#define CULPRIT_MEMORY_MEMORY_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "attribution/verdict.h"
#include "base/text.h"
#include "fault/fault_story.h"
#include "memory/memory_find.h"

enum memory_fault_kind {
	MEMORY_FAULT_NONE,   /* nothing is known, or only that something faulted */
	MEMORY_FAULT_MEMORY, /* an address that has no memory, or may not be used like this */
	MEMORY_FAULT_ALIGNMENT,
	MEMORY_FAULT_INVALID, /* an address that no memory can have */
	MEMORY_FAULT_LOCAL,   /* beyond local memory; the address is an offset */
	MEMORY_FAULT_SHARED,  /* beyond shared memory; the address is an offset */
	MEMORY_FAULT_STACK,   /* the stack is too small for the calls */
	MEMORY_FAULT_OTHER,   /* another exception */
	N_MEMORY_FAULT_KINDS
};

struct memory_fault {
	enum memory_fault_kind kind;
	const struct fault_row *row;
	uint64_t n;                       /* such faults */
	bool has_address;                 /* and it is one, not an offset */
	bool is_page;                     /* only the page is known */
	struct memory_answer answer;      /* with has_address: what is there */
	struct instruction_access access; /* of the instruction, if the verdict has it */
};

/* Return the moment at which one of the verdict's suspects was launched. NULL: the end. */
struct range_moment memory_fault_moment(const struct verdict *verdict);

/* Describe the first fault of a story, with the memory of memory_fault_moment(). Any thread. */
void memory_fault_read(const struct bundle_view *view, const struct verdict *verdict,
		       const struct fault_story *story, struct memory_fault *out);

/* Return "memory", "misaligned", ...: the kind for programs, which never changes. */
const char *memory_fault_label(enum memory_fault_kind kind);

/* Return "read", "write" or "atomic" for an enum fault_access; "access" for any other. */
const char *memory_fault_access_word(uint8_t access);

/* Append "wrote 0x7f6c34a12000 (4 KiB page)" or "shared memory out of range, offset 0x400400". */
void memory_fault_add_access(const struct memory_fault *fault, struct text *out);

/*
 * Append what is there, without the memory's origin: ", 8 KiB past the end of allocation #3".
 * Append nothing unless the fault has an address. `context` is that of the work; NULL: not known.
 */
void memory_fault_add_place(const struct bundle_view *view, const struct memory_fault *fault,
			    const struct context_row *context, struct text *out);

/* True if the fault has an address, and it is near 0: a null pointer. Any thread. */
bool memory_fault_is_null(const struct memory_fault *fault);

/* Return how likely a pointer was the base of the faulting address: 0 unlikely; more: better. */
uint64_t memory_fault_fit(const struct memory_fault *fault, uint64_t pointer);

#endif
