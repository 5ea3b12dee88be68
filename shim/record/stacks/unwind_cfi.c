/*
 * unwind_cfi.c - the interpreter of call frame instructions (DWARF 5, section 6.4.2, the two
 * that GNU added, and two of aarch64). It rejects unknown instructions.
 */
#include "record/stacks/unwind_cfi.h"

enum { MAX_REMEMBERED = 8 };

/* The instructions whose operand sits in their low six bits, and that operand's mask. */
enum { ADVANCE = 0x40, OFFSET = 0x80, RESTORE = 0xc0, OPERAND = 0x3f };

enum {
	NOP = 0x00,
	SET_LOCATION = 0x01,
	ADVANCE_1 = 0x02,
	ADVANCE_2 = 0x03,
	ADVANCE_4 = 0x04,
	OFFSET_EXTENDED = 0x05,
	RESTORE_EXTENDED = 0x06,
	UNDEFINED = 0x07,
	SAME_VALUE = 0x08,
	REGISTER = 0x09,
	REMEMBER_STATE = 0x0a,
	RESTORE_STATE = 0x0b,
	DEFINE_CFA = 0x0c,
	DEFINE_CFA_REGISTER = 0x0d,
	DEFINE_CFA_OFFSET = 0x0e,
	DEFINE_CFA_EXPRESSION = 0x0f,
	EXPRESSION = 0x10,
	OFFSET_EXTENDED_SIGNED = 0x11,
	DEFINE_CFA_SIGNED = 0x12,
	DEFINE_CFA_OFFSET_SIGNED = 0x13,
	VALUE_OFFSET = 0x14,
	VALUE_OFFSET_SIGNED = 0x15,
	VALUE_EXPRESSION = 0x16,
	AARCH64_NEGATE_STATE_WITH_PC = 0x2c,
	AARCH64_NEGATE_STATE = 0x2d,
	GNU_ARGUMENTS_SIZE = 0x2e,
	GNU_NEGATIVE_OFFSET = 0x2f,
};

/* Operations of expressions: the frame pointer + a signed number; the word at that address. */
enum { OPERATION_FP = 0x70 + CFI_FP, OPERATION_DEREF = 0x06 };

struct machine {
	struct unwind_bytes bytes;
	const struct cfi_common *common;
	struct cfi_row *row;
	uint64_t location; /* the address from which the row holds */
	struct cfi_row remembered[MAX_REMEMBERED];
	unsigned n_remembered;
};

static uint64_t uleb(struct machine *machine)
{
	return unwind_bytes_uleb(&machine->bytes);
}

/* Wraps for a damaged file; the rule's own checks come later. */
static int64_t scaled(const struct machine *machine, uint64_t factor)
{
	return (int64_t)(factor * (uint64_t)machine->common->data_unit);
}

static int64_t signed_offset(struct machine *machine)
{
	return scaled(machine, (uint64_t)unwind_bytes_sleb(&machine->bytes));
}

static void place(struct machine *machine, uint64_t reg, enum cfi_where where, int64_t offset)
{
	struct cfi_place found = {.where = where, .offset = offset};
	if (reg == CFI_FP)
		machine->row->fp = found;
	else if (reg == CFI_RETURN_ADDRESS)
		machine->row->return_address = found;
}

static void restore(struct machine *machine, uint64_t reg)
{
	const struct cfi_row *initial = &machine->common->initial;
	if (reg == CFI_FP)
		machine->row->fp = initial->fp;
	else if (reg == CFI_RETURN_ADDRESS)
		machine->row->return_address = initial->return_address;
}

static void advance(struct machine *machine, uint64_t units)
{
	machine->location += units * machine->common->code_unit;
}

static void remember(struct machine *machine)
{
	if (machine->n_remembered == MAX_REMEMBERED)
		machine->bytes.is_bad = true;
	else
		machine->remembered[machine->n_remembered++] = *machine->row;
}

static void recall(struct machine *machine)
{
	if (machine->n_remembered == 0)
		machine->bytes.is_bad = true;
	else
		*machine->row = machine->remembered[--machine->n_remembered];
}

static void define_cfa(struct machine *machine, uint64_t reg, int64_t offset)
{
	machine->row->cfa_register = reg;
	machine->row->cfa_offset = offset;
	machine->row->cfa = CFI_CFA_REGISTER;
}

/* True if the expression is the frame pointer + *out_offset, then the operation `tail` unless that
 * is 0. */
static bool is_from_fp(struct unwind_bytes expression, uint8_t tail, int64_t *out_offset)
{
	bool is_fp = unwind_bytes_unsigned(&expression, 1) == OPERATION_FP;
	*out_offset = unwind_bytes_sleb(&expression);
	bool is_tail = !tail || unwind_bytes_unsigned(&expression, 1) == tail;
	return is_fp && is_tail && !expression.is_bad && expression.at == expression.end;
}

/*
 * A function that aligns its stack (gcc's way, for vector registers) keeps the CFA in memory and
 * saves the frame pointer next to it. In practice a walk finds no other expression.
 */
static void define_cfa_by_expression(struct machine *machine)
{
	struct unwind_bytes expression = unwind_bytes_take(&machine->bytes, uleb(machine));
	struct cfi_row *row = machine->row;
	bool is_word = is_from_fp(expression, OPERATION_DEREF, &row->cfa_offset);
	row->cfa = is_word ? CFI_CFA_WORD : CFI_CFA_ELSEWHERE;
}

static void place_by_expression(struct machine *machine, uint64_t reg)
{
	struct unwind_bytes expression = unwind_bytes_take(&machine->bytes, uleb(machine));
	int64_t offset = 0;
	if (is_from_fp(expression, 0, &offset))
		place(machine, reg, CFI_AT_FP, offset);
	else
		place(machine, reg, CFI_ELSEWHERE, 0);
}

/* Run instructions that move the location or keep whole rows; return false for others. */
static bool run_location(struct machine *machine, uint8_t instruction)
{
	struct unwind_bytes *bytes = &machine->bytes;
	switch (instruction) {
	case NOP:
		return true;
	case SET_LOCATION:
		machine->location = unwind_bytes_pointer(bytes, machine->common->pointer_encoding);
		return true;
	case ADVANCE_1:
		advance(machine, unwind_bytes_unsigned(bytes, 1));
		return true;
	case ADVANCE_2:
		advance(machine, unwind_bytes_unsigned(bytes, 2));
		return true;
	case ADVANCE_4:
		advance(machine, unwind_bytes_unsigned(bytes, 4));
		return true;
	case REMEMBER_STATE:
		remember(machine);
		return true;
	case RESTORE_STATE:
		recall(machine);
		return true;
	case GNU_ARGUMENTS_SIZE: /* for landing pads only */
		(void)uleb(machine);
		return true;
	case AARCH64_NEGATE_STATE: /* A walk strips every return address, signed or not. */
	case AARCH64_NEGATE_STATE_WITH_PC:
		return CFI_SIGNS;
	default:
		return false;
	}
}

/* Run instructions that define the CFA; return false for others. */
static bool run_cfa(struct machine *machine, uint8_t instruction)
{
	struct cfi_row *row = machine->row;
	uint64_t reg = 0;
	switch (instruction) {
	case DEFINE_CFA:
		reg = uleb(machine);
		define_cfa(machine, reg, (int64_t)uleb(machine));
		return true;
	case DEFINE_CFA_SIGNED:
		reg = uleb(machine);
		define_cfa(machine, reg, signed_offset(machine));
		return true;
	case DEFINE_CFA_REGISTER:
		row->cfa_register = uleb(machine);
		return true;
	case DEFINE_CFA_OFFSET:
		row->cfa_offset = (int64_t)uleb(machine);
		return true;
	case DEFINE_CFA_OFFSET_SIGNED:
		row->cfa_offset = signed_offset(machine);
		return true;
	case DEFINE_CFA_EXPRESSION:
		define_cfa_by_expression(machine);
		return true;
	default:
		return false;
	}
}

/* Run instructions about a register, their first operand; return false for others. */
static bool run_register(struct machine *machine, uint8_t instruction)
{
	uint64_t reg = uleb(machine);
	switch (instruction) {
	case OFFSET_EXTENDED:
		place(machine, reg, CFI_AT_OFFSET, scaled(machine, uleb(machine)));
		return true;
	case OFFSET_EXTENDED_SIGNED:
		place(machine, reg, CFI_AT_OFFSET, signed_offset(machine));
		return true;
	case GNU_NEGATIVE_OFFSET:
		place(machine, reg, CFI_AT_OFFSET, scaled(machine, 0 - uleb(machine)));
		return true;
	case RESTORE_EXTENDED:
		restore(machine, reg);
		return true;
	case UNDEFINED:
		place(machine, reg, CFI_UNDEFINED, 0);
		return true;
	case SAME_VALUE:
		place(machine, reg, CFI_SAME, 0);
		return true;
	case REGISTER:
	case VALUE_OFFSET:
	case VALUE_OFFSET_SIGNED: /* one number follows; its sign does not matter */
		(void)uleb(machine);
		place(machine, reg, CFI_ELSEWHERE, 0);
		return true;
	case EXPRESSION:
		place_by_expression(machine, reg);
		return true;
	case VALUE_EXPRESSION:
		(void)unwind_bytes_take(&machine->bytes, uleb(machine));
		place(machine, reg, CFI_ELSEWHERE, 0);
		return true;
	default:
		return false;
	}
}

static void run_one(struct machine *machine)
{
	uint8_t instruction = (uint8_t)unwind_bytes_unsigned(&machine->bytes, 1);
	uint8_t operand = instruction & OPERAND;
	if ((instruction & ~OPERAND) == ADVANCE)
		advance(machine, operand);
	else if ((instruction & ~OPERAND) == OFFSET)
		place(machine, operand, CFI_AT_OFFSET, scaled(machine, uleb(machine)));
	else if ((instruction & ~OPERAND) == RESTORE)
		restore(machine, operand);
	else if (!run_location(machine, instruction) && !run_cfa(machine, instruction) &&
		 !run_register(machine, instruction))
		machine->bytes.is_bad = true;
}

bool cfi_run(struct unwind_bytes instructions, const struct cfi_common *common, uint64_t start,
	     uint64_t address, struct cfi_row *row)
{
	struct machine machine;
	machine.bytes = instructions;
	machine.common = common;
	machine.row = row;
	machine.location = start;
	machine.n_remembered = 0;
	while (!machine.bytes.is_bad && machine.bytes.at < machine.bytes.end) {
		run_one(&machine);
		if (machine.location > address)
			break;
	}
	return !machine.bytes.is_bad;
}
