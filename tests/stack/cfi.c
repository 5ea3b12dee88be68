/*
 * cfi.c - call frame instructions as compilers write them, and the row that follows. Built for
 * x86-64's numbers and, on every machine, for those of aarch64 (cfi_numbers.h).
 */
#include "record/stacks/unwind_cfi.h"
#include "support/check.h"

enum { START = 0x1000, CODE_UNIT = CFI_SIGNS ? 4 : 1 };

/* Instructions with a register in the low bits, and the two of aarch64. */
enum { ADVANCE = 0x40, OFFSET = 0x80, RESTORE = 0xc0, CFA_OFFSET = 0x0e, CFA = 0x0c };
enum { NEGATE_WITH_PC = 0x2c, NEGATE = 0x2d };

/* Run to `address`, after a common entry that says where the caller's registers are at a start. */
static bool run(const uint8_t *bytes, size_t size, uint64_t address, struct cfi_row *out_row)
{
	struct cfi_common common = {.code_unit = CODE_UNIT, .data_unit = -8};
	struct unwind_bytes instructions = {.at = bytes, .end = bytes + size};
	struct cfi_row row = {.cfa_register = CFI_SP};
	if (!CFI_SIGNS)
		row.return_address = (struct cfi_place){CFI_AT_OFFSET, -8};
	common.initial = row;
	*out_row = row;
	return cfi_run(instructions, &common, START, address, out_row);
}
#define RUN(bytes, address, out_row) run(bytes, sizeof(bytes), address, out_row)

/* A function that saves both registers, then restores them: three rows. */
static void test_frame(void)
{
	static const uint8_t bytes[] = {
		ADVANCE + 1,
		CFA_OFFSET,
		32,
		OFFSET + CFI_FP,
		4,
		OFFSET + CFI_RETURN_ADDRESS,
		3,
		ADVANCE + 2,
		RESTORE + CFI_RETURN_ADDRESS,
		RESTORE + CFI_FP,
		CFA_OFFSET,
		0,
	};
	struct cfi_row row;
	CHECK(RUN(bytes, START, &row));
	CHECK_EQUAL(row.cfa_offset, 0);
	CHECK_EQUAL(row.fp.where, CFI_SAME);
	CHECK(RUN(bytes, START + CODE_UNIT, &row));
	CHECK_EQUAL(row.cfa_register, CFI_SP);
	CHECK_EQUAL(row.cfa_offset, 32);
	CHECK(row.fp.where == CFI_AT_OFFSET && row.fp.offset == -32);
	CHECK(row.return_address.where == CFI_AT_OFFSET && row.return_address.offset == -24);
	CHECK(RUN(bytes, START + 3 * CODE_UNIT, &row));
	CHECK_EQUAL(row.cfa_offset, 0);
	CHECK_EQUAL(row.fp.where, CFI_SAME);
	CHECK_EQUAL(row.return_address.where, CFI_SIGNS ? CFI_SAME : CFI_AT_OFFSET);
}

/* Signing has no operand, changes nothing that a walk needs, and is unknown elsewhere. */
static void test_signed(uint8_t instruction)
{
	const uint8_t bytes[] = {
		ADVANCE + 1, instruction, ADVANCE + 1, CFA,        CFI_FP,
		16,          ADVANCE + 1, instruction, CFA_OFFSET, 48,
	};
	struct cfi_row row;
	CHECK_EQUAL(RUN(bytes, START + 2 * CODE_UNIT, &row), CFI_SIGNS);
	if (!CFI_SIGNS)
		return;
	CHECK_EQUAL(row.cfa_register, CFI_FP);
	CHECK_EQUAL(row.cfa_offset, 16);
	CHECK_EQUAL(row.return_address.where, CFI_SAME);
	CHECK(RUN(bytes, START + 3 * CODE_UNIT, &row));
	CHECK_EQUAL(row.cfa_offset, 48);
}

/* A thread's first function has no caller. */
static void test_outermost(void)
{
	static const uint8_t bytes[] = {0x07, CFI_RETURN_ADDRESS};
	struct cfi_row row;
	CHECK(RUN(bytes, START, &row));
	CHECK_EQUAL(row.return_address.where, CFI_UNDEFINED);
}

/* Rules for other registers, vector registers among them, change nothing. */
static void test_others(void)
{
	static const uint8_t bytes[] = {OFFSET + 19, 2, 0x05, 72, 3, 0x09, 20, 21, RESTORE + 19};
	struct cfi_row row;
	CHECK(RUN(bytes, START, &row));
	CHECK_EQUAL(row.fp.where, CFI_SAME);
	CHECK_EQUAL(row.cfa_offset, 0);
}

/* A stack frame of scalable vectors: the CFA is sp + 16 + 8 * VG, which no rule can express. */
static void test_scalable(void)
{
	static const uint8_t bytes[] = {0x0f, 12,   0x8f, 0,    0x92, 0x2e, 0,
					0x38, 0x1e, 0x22, 0x23, 16,   0x96, 0x96};
	struct cfi_row row;
	CHECK(RUN(bytes, START, &row));
	CHECK_EQUAL(row.cfa, CFI_CFA_ELSEWHERE);
}

int main(void)
{
	test_frame();
	test_signed(NEGATE);
	test_signed(NEGATE_WITH_PC);
	test_outermost();
	test_others();
	test_scalable();
	return 0;
}
