/*
 * code_extents.h - find the kernel whose code contains a program counter of the GPU. The journal
 * has words of the driver's objects that may be the addresses of code (base/journal_code.h). Sizes
 * come from the images that were loaded, if the caller has read them. Pure.
 *
 * One column holds the words at one offset, one per function. A column is refused if two functions
 * share an address, unless they have the same name, or if their code would overlap. Each function
 * is compared with its neighbours in the table. A function contains a program counter if all these
 * hold:
 * - The function's size is known, and the program counter lies within it.
 * - Its handle was valid when the word was read (CODE_CONFIRMED). A destroyed context's is not.
 * - The column has the address of another function whose size is known, and none in the table
 *   shares its address or overlaps its code.
 * - The column makes no sense as ends of code, or no other function would then contain the program
 *   counter.
 * - If the exceptions are those of accesses, the instruction there may access memory. Where it
 *   cannot with ends of code, those make no sense.
 * - All columns that are not refused, and that place the program counter, name the same kernel. A
 *   column places it if it has a start at most 64 MiB below.
 */
#ifndef CULPRIT_FAULT_CODE_EXTENTS_H
#define CULPRIT_FAULT_CODE_EXTENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "view/bundle_view.h"

/* The access of one thread by an instruction. bytes 0: not known. */
struct instruction_access {
	uint8_t kind; /* enum fault_access: FAULT_READ, FAULT_WRITE or FAULT_ATOMIC */
	uint8_t bytes;
};

/* The size of a function's code, in bytes, over all versions in its image; 0: not known. */
struct code_size {
	uint32_t least, most;
	/* A bit for each CODE_STEP bytes: some version has an instruction there that may
	   access memory. NULL: not known. */
	uint8_t *accesses;
	uint32_t n_accesses;
	/* As many bits: in all versions, the value that the instruction loads is awaited before
	   anything else can end its thread. NULL: not known. In the memory of `accesses`. */
	uint8_t *awaited;
};

enum { CODE_STEP = 16 };

/* Sizes by the function's index in its table; NULL: none is known. */
struct code_sizes {
	const struct code_size *of;
	uint32_t n;
	bool are_accesses; /* the program counters are those of accesses */
};

enum { EXTENTS_PCS_MAX = 16 };

/* Where one program counter is. */
struct code_location {
	uint64_t pc;
	uint64_t start;    /* of the code; 0: not known */
	uint32_t function; /* id; 0: not known */
	bool is_inside;    /* false: the code only starts nearest below */
	bool is_awaited;   /* inside, and the thread had to wait for the value it loads there */
};

struct code_extents {
	uint32_t n;
	struct code_location locations[EXTENTS_PCS_MAX];
	uint16_t offset;        /* of the column in use */
	bool are_inside;        /* all of these are inside known code */
	bool are_contradictory; /* columns disagree */
};

/* Place the program counters, of which *out has the first. Any thread. */
void code_extents_locate(const struct bundle_view *view, struct code_sizes sizes,
			 const uint64_t *pcs, uint32_t n_pcs, struct code_extents *out);

/*
 * True if all code of this function is known, also by a valid handle, and contains no such program
 * counter. Any thread.
 */
bool code_extents_exclude(const struct bundle_view *view, struct code_sizes sizes,
			  const struct code_extents *extents, uint32_t function);

/*
 * Return the places in the function's code, or after it and before other code: bit i is places[i].
 * Any thread.
 */
uint32_t code_extents_named(const struct bundle_view *view, const struct code_extents *extents,
			    uint32_t function);

/*
 * Place the program counter in the code of the only kernel in the table, where the words of no
 * other kernel can agree. Return true if just one address is such that the program counter is in
 * the kernel's code and the instruction there may access memory, after exceptions of accesses. This
 * is good enough to show, and to clear nothing. Any thread.
 */
bool code_extents_place_alone(const struct bundle_view *view, struct code_sizes sizes, uint64_t pc,
			      uint32_t function, struct code_location *out);

#endif
