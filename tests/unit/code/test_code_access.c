/*
 * test_code_access.c - widths of loads, stores and atomics. The instructions are nvcc's.
 */
#include "code/code_access.h"

#include <string.h>

#include "support/check.h"

/* The first and the fifth 16 bits of the atomics of nvcc 13.0, and what nvdisasm 13.2 calls them.
 */
static const struct {
	uint8_t architecture;
	uint16_t first, fifth;
	uint8_t bytes;
} atomics[] = {
	{75, 0x098a, 0x4144, 4},  /* ATOM.ADD */
	{75, 0x798a, 0x4548, 8},  /* ATOM.ADD.64 */
	{75, 0x798a, 0x4744, 4},  /* ATOM.ADD.F32.FTZ.RN */
	{75, 0x798a, 0x4944, 4},  /* ATOM.ADD.F16x2.RN */
	{75, 0x798a, 0x4d44, 8},  /* ATOM.ADD.F64.RN */
	{75, 0x738b, 0x4105, 4},  /* ATOM.CAS */
	{75, 0x738b, 0x4506, 8},  /* ATOM.CAS.64 */
	{75, 0x738c, 0x00ff, 4},  /* ATOMS.EXCH */
	{75, 0x738c, 0x02ff, 4},  /* ATOMS.MAX.S32 */
	{75, 0x798c, 0x0404, 8},  /* ATOMS.EXCH.64 */
	{75, 0x738d, 0x0003, 4},  /* ATOMS.CAST.SPIN */
	{75, 0x738d, 0x0406, 8},  /* ATOMS.CAST.SPIN.64 */
	{75, 0x798e, 0x4104, 4},  /* RED.INC */
	{75, 0x898e, 0x4304, 4},  /* RED.MAX.S32 */
	{75, 0x798e, 0x4504, 8},  /* RED.AND.64 */
	{75, 0x798e, 0x4704, 4},  /* RED.ADD.F32.FTZ.RN */
	{75, 0x798e, 0x4b04, 8},  /* RED.MAX.S64 */
	{75, 0x798e, 0x4d04, 8},  /* RED.ADD.F64.RN */
	{75, 0x79a8, 0x4144, 4},  /* ATOMG.EXCH */
	{75, 0x79a8, 0x4544, 8},  /* ATOMG.EXCH.64 */
	{75, 0x79a8, 0x4744, 4},  /* ATOMG.ADD.F32.FTZ.RN */
	{75, 0x79a8, 0x4b44, 8},  /* ATOMG.MIN.S64 */
	{75, 0x79a8, 0x4d44, 8},  /* ATOMG.ADD.F64.RN */
	{75, 0x73a9, 0x4108, 4},  /* ATOMG.CAS */
	{75, 0x73a9, 0x4506, 8},  /* ATOMG.CAS.64 */
	{90, 0x098a, 0xe1c4, 4},  /* ATOM.ADD */
	{90, 0x798a, 0xe5c6, 8},  /* ATOM.ADD.64 */
	{90, 0x738b, 0xe107, 4},  /* ATOM.CAS */
	{90, 0x738b, 0x050a, 8},  /* ATOM.CAST.SPIN.64 */
	{90, 0x798c, 0x0004, 4},  /* ATOMS.EXCH */
	{90, 0x798c, 0x0204, 4},  /* ATOMS.MAX.S32 */
	{90, 0x798c, 0x0404, 8},  /* ATOMS.EXCH.64 */
	{90, 0x738d, 0x0005, 4},  /* ATOMS.CAST.SPIN */
	{90, 0x738d, 0x0406, 8},  /* ATOMS.CAST.SPIN.64 */
	{90, 0x738d, 0x080c, 16}, /* ATOMS.CAS.128 */
	{90, 0x798e, 0xe184, 4},  /* REDG.INC */
	{90, 0x098e, 0xe384, 4},  /* REDG.MAX.S32 */
	{90, 0x798e, 0xe584, 8},  /* REDG.AND.64 */
	{90, 0x798e, 0xe784, 8},  /* REDG.MAX.S64 */
	{90, 0x79a2, 0xe1c4, 4},  /* ATOM.ADD.F16x2.RN */
	{90, 0x79a2, 0xe7c4, 4},  /* ATOM.ADD.BF16x2.RN */
	{90, 0x79a2, 0xf3c4, 4},  /* ATOM.ADD.F32.FTZ.RN */
	{90, 0x79a2, 0xffc4, 8},  /* ATOM.ADD.F64.RN */
	{90, 0x79a3, 0xe1c4, 4},  /* ATOMG.ADD.F16x2.RN */
	{90, 0x79a3, 0xe3c4, 8},  /* ATOMG.ADD.F16x4.RN */
	{90, 0x79a3, 0xe5c4, 16}, /* ATOMG.ADD.F16x8.RN */
	{90, 0x79a3, 0xe7c4, 4},  /* ATOMG.ADD.BF16x2.RN */
	{90, 0x79a3, 0xe9c4, 8},  /* ATOMG.ADD.BF16x4.RN */
	{90, 0x79a3, 0xebc4, 16}, /* ATOMG.ADD.BF16x8.RN */
	{90, 0x79a3, 0xf3c4, 4},  /* ATOMG.ADD.F32.FTZ.RN */
	{90, 0x79a3, 0xf5c4, 8},  /* ATOMG.ADD.F32x2.FTZ.RN */
	{90, 0x79a3, 0xf7c4, 16}, /* ATOMG.ADD.F32x4.FTZ.RN */
	{90, 0x79a3, 0xffc4, 8},  /* ATOMG.ADD.F64.RN */
	{90, 0x79a6, 0xe184, 4},  /* REDG.MIN.F16x2.RN */
	{90, 0x79a6, 0xe384, 8},  /* REDG.ADD.F16x4.RN */
	{90, 0x79a6, 0xe584, 16}, /* REDG.ADD.F16x8.RN */
	{90, 0x79a6, 0xe784, 4},  /* REDG.ADD.BF16x2.RN */
	{90, 0x79a6, 0xe984, 8},  /* REDG.ADD.BF16x4.RN */
	{90, 0x79a6, 0xeb84, 16}, /* REDG.MIN.BF16x8.RN */
	{90, 0x79a6, 0xf384, 4},  /* REDG.ADD.F32.FTZ.RN */
	{90, 0x79a6, 0xf584, 8},  /* REDG.ADD.F32x2.FTZ.RN */
	{90, 0x79a6, 0xf784, 16}, /* REDG.ADD.F32x4.FTZ.RN */
	{90, 0x79a6, 0xff84, 8},  /* REDG.ADD.F64.RN */
	{90, 0x79a8, 0xe1c4, 4},  /* ATOMG.EXCH */
	{90, 0x79a8, 0xe5c4, 8},  /* ATOMG.EXCH.64 */
	{90, 0x79a8, 0xe7c4, 8},  /* ATOMG.MIN.S64 */
	{90, 0x79a8, 0xe9c4, 16}, /* ATOMG.EXCH.128 */
	{90, 0x73a9, 0xe10b, 4},  /* ATOMG.CAS */
	{90, 0x73a9, 0xe506, 8},  /* ATOMG.CAS.64 */
	{90, 0x73a9, 0xe90c, 16}, /* ATOMG.CAS.128 */
};

static void check(uint16_t first, uint16_t fifth, uint8_t architecture, uint8_t kind, uint8_t bytes)
{
	unsigned char code[2 * CODE_STEP] = {0};
	struct code_instruction found;
	memcpy(code + CODE_STEP, &first, sizeof(first));
	memcpy(code + CODE_STEP + 8, &fifth, sizeof(fifth));
	code_access_decode((struct byte_span){code, sizeof(code)}, CODE_STEP, architecture, &found);
	CHECK_EQUAL(found.architecture, architecture);
	CHECK(found.words[0] == first && found.words[1] == fifth);
	CHECK_EQUAL(found.access.kind, kind);
	CHECK_EQUAL(found.access.bytes, bytes);
}

static void test_outside(void)
{
	unsigned char code[CODE_STEP] = {0x81, 0x79};
	struct code_instruction found;
	code_access_decode((struct byte_span){code, sizeof(code)}, CODE_STEP, 90, &found);
	CHECK_EQUAL(found.architecture, 0);
	code_access_decode((struct byte_span){code, sizeof(code) - 1}, 0, 90, &found);
	CHECK(found.architecture == 0 && found.access.kind == FAULT_ACCESS_UNKNOWN);
}

static void test_atomics(void)
{
	for (size_t i = 0; i < sizeof(atomics) / sizeof(*atomics); i++)
		check(atomics[i].first, atomics[i].fifth, atomics[i].architecture, FAULT_ATOMIC,
		      atomics[i].bytes);
}

/* The same bits are other types before sm_90, and some instructions do not exist there. */
static void test_architectures(void)
{
	check(0x79a8, 3 << 9, 89, FAULT_ATOMIC, 4);
	check(0x79a8, 3 << 9, 90, FAULT_ATOMIC, 8);
	check(0x79a6, 15 << 9, 120, FAULT_ATOMIC, 8);
	check(0x79a6, 15 << 9, 89, FAULT_ACCESS_UNKNOWN, 0);
}

/* A type that nvcc has not made is not known. */
static void test_unknown_types(void)
{
	check(0x79a8, 7 << 9, 75, FAULT_ATOMIC, 0);
	check(0x79a8, 5 << 9, 90, FAULT_ATOMIC, 0);
	check(0x79a6, 8 << 9, 90, FAULT_ATOMIC, 0);
	check(0x7981, 7 << 9, 90, FAULT_READ, 0);
}

/* Bit 76 is no part of the type of a load. */
static void test_loads_and_stores(void)
{
	for (uint8_t architecture = 75; architecture <= 120; architecture += 15) {
		check(0x7981, 6 << 9, architecture, FAULT_READ, 16);
		check(0x7981, 14 << 9, architecture, FAULT_READ, 16);
		check(0x7388, 2 << 9, architecture, FAULT_WRITE, 2);
		check(0x7202, 0, architecture, FAULT_ACCESS_UNKNOWN, 0);
	}
}

/* The first instruction; the opcode and the barriers that the second and the third wait for. */
static bool is_awaited(uint64_t first, uint64_t barrier, uint64_t second, uint64_t second_waits,
		       uint64_t third, uint64_t third_waits)
{
	const uint64_t words[6] = {first, barrier << 46,    second, second_waits << 52,
				   third, third_waits << 52};
	const struct byte_span code = {(const unsigned char *)words, sizeof(words)};
	return code_access_is_awaited(code, 0, 90);
}

static void test_loads_are_awaited(void)
{
	enum {
		LDG = 0x7981,
		STG = 0x7986,
		ATOMG = 0x79a8,
		IADD = 0x7210,
		BRA = 0x7947,
		EXIT = 0x794d
	};
	CHECK(is_awaited(LDG, 2, IADD, 1 << 2, EXIT, 0));
	CHECK(is_awaited(LDG, 5, IADD, 0, EXIT, 1 << 5));
	CHECK(is_awaited(LDG, 0, IADD, 0, STG, 0x3f));
	CHECK(is_awaited(ATOMG, 1, IADD, 0, IADD, 1 << 1));
	/* another barrier, none, a jump before it, or no end of the code */
	CHECK(!is_awaited(LDG, 2, IADD, 1 << 1, EXIT, 1 << 3));
	CHECK(!is_awaited(LDG, 7, IADD, 0xff, EXIT, 0xff));
	CHECK(!is_awaited(LDG, 6, IADD, 0xff, EXIT, 0xff));
	CHECK(!is_awaited(LDG, 2, BRA, 0, IADD, 1 << 2));
	CHECK(!is_awaited(LDG, 2, 0x7940, 0, IADD, 1 << 2));
	CHECK(!is_awaited(LDG, 2, 0x795f, 0, IADD, 1 << 2));
	CHECK(!is_awaited(LDG, 2, IADD, 0, IADD, 0));
	CHECK(!is_awaited(STG, 2, IADD, 1 << 2, EXIT, 0));
	CHECK(!is_awaited(IADD, 2, IADD, 1 << 2, EXIT, 0));
}

int main(void)
{
	test_atomics();
	test_outside();
	test_architectures();
	test_unknown_types();
	test_loads_and_stores();
	test_loads_are_awaited();
	return 0;
}
