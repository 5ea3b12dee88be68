/*
 * unwind_cfi.h - run the call frame instructions of one function up to one address. It follows only
 * the three registers that a walk needs: the stack pointer, the frame pointer and the return
 * address.
 */
#ifndef CULPRIT_RECORD_UNWIND_CFI_H
#define CULPRIT_RECORD_UNWIND_CFI_H

#include "arch/cfi_numbers.h"
#include "record/stacks/unwind_bytes.h"

enum cfi_where {
	CFI_SAME,      /* the register still holds the caller's value */
	CFI_AT_OFFSET, /* in memory, at CFA + offset */
	CFI_AT_FP,     /* in memory, at the frame pointer + offset */
	CFI_UNDEFINED,
	CFI_ELSEWHERE, /* an expression or another register, which a rule cannot express */
};

struct cfi_place {
	enum cfi_where where;
	int64_t offset;
};

enum cfi_cfa {
	CFI_CFA_REGISTER,  /* it is cfa_register + cfa_offset */
	CFI_CFA_WORD,      /* it is the word in memory at the frame pointer + cfa_offset */
	CFI_CFA_ELSEWHERE, /* any other expression */
};

/* How to find the caller's registers at one address. */
struct cfi_row {
	uint64_t cfa_register;
	int64_t cfa_offset;
	enum cfi_cfa cfa;
	struct cfi_place fp;
	struct cfi_place return_address;
};

/* The common information entry's facts about a function's instructions. */
struct cfi_common {
	uint64_t code_unit;
	int64_t data_unit;
	uint8_t pointer_encoding;
	struct cfi_row
		initial; /* the row at a function's start; restore instructions go back to it */
};

/*
 * Run the instructions, which start at address `start`, as far as they concern `address`. *row is
 * both the row at the start and the result. Return false if they are damaged or unknown.
 */
bool cfi_run(struct unwind_bytes instructions, const struct cfi_common *common, uint64_t start,
	     uint64_t address, struct cfi_row *row);

#endif
