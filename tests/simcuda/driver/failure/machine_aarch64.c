/*
 * machine_aarch64.c - faults of an aarch64 processor. The kernel does not say in every emulation
 * how memory was accessed, so the instruction says it (Arm ARM, C4.1, "Loads and Stores"). Programs
 * cannot switch on an alignment check: kernels call a function of ours for each misaligned access.
 */
#include "failure/machine.h"

#include <string.h>

enum { ADDRESS_BITS = 48, STACK_POINTER = 31 };

/* Values of the bits 29 to 27 and 24 of a load or store. */
enum { IS_EXCLUSIVE = 1, IS_LITERAL = 3, IS_PAIR = 5, IS_SINGLE = 7 };

static uint32_t bits(uint32_t code, unsigned high, unsigned low)
{
	return code >> low & ((1u << (high - low + 1)) - 1);
}

static int64_t signed_bits(uint32_t code, unsigned high, unsigned low)
{
	return (int64_t)((uint64_t)code << (63 - high)) >> (63 - high + low);
}

uintptr_t machine_instruction(const ucontext_t *context)
{
	return context->uc_mcontext.pc;
}

uint64_t machine_stack_pointer(const ucontext_t *context)
{
	return context->uc_mcontext.sp;
}

void machine_alignment_check_off(void)
{
}

void machine_continue_unchecked(ucontext_t *context)
{
	(void)context;
}

bool machine_is_structure_copy(const ucontext_t *context)
{
	(void)context;
	return false;
}

/* Return the instruction if it is a load or store, or 0. */
static uint32_t memory_instruction(const siginfo_t *info, const ucontext_t *context)
{
	uint32_t code = 0;
	if ((uintptr_t)info->si_addr == machine_instruction(context))
		return 0; /* the instruction could not be fetched */
	memcpy(&code, (const void *)machine_instruction(context), sizeof(code));
	return bits(code, 27, 27) && !bits(code, 25, 25) ? code : 0;
}

static bool is_vector(uint32_t code)
{
	return bits(code, 26, 26);
}

/* Return the binary logarithm of the size of an access to one register. */
static unsigned scale_of(uint32_t code)
{
	return is_vector(code) && bits(code, 23, 23) ? 4 : bits(code, 31, 30);
}

static unsigned scale_of_pair(uint32_t code)
{
	return 2 + (is_vector(code) ? bits(code, 31, 30) : bits(code, 31, 31));
}

static uint64_t index_of(uint32_t code, const ucontext_t *context)
{
	enum { IS_WIDE = 1, IS_SIGNED = 4 };
	unsigned number = bits(code, 20, 16);
	uint64_t value = number == 31 ? 0 : context->uc_mcontext.regs[number];
	if (!(bits(code, 15, 13) & IS_WIDE))
		value = bits(code, 15, 13) & IS_SIGNED ? (uint64_t)(int64_t)(int32_t)value
						       : (uint32_t)value;
	return bits(code, 12, 12) ? value << scale_of(code) : value;
}

static bool is_of_one_register(uint32_t code)
{
	return bits(code, 29, 27) == IS_SINGLE;
}

/* Return what is added to the base register before the access. */
static uint64_t offset_of(uint32_t code, const ucontext_t *context)
{
	enum { AFTER = 1, BY_REGISTER = 2 };
	if (bits(code, 29, 27) == IS_PAIR && bits(code, 24, 23) != AFTER)
		return (uint64_t)signed_bits(code, 21, 15) << scale_of_pair(code);
	if (!is_of_one_register(code))
		return 0;
	if (bits(code, 24, 24))
		return (uint64_t)bits(code, 21, 10) << scale_of(code);
	if (bits(code, 21, 21))
		return bits(code, 11, 10) == BY_REGISTER ? index_of(code, context) : 0;
	return bits(code, 11, 10) == AFTER ? 0 : (uint64_t)signed_bits(code, 20, 12);
}

uint64_t machine_address(int signal, const siginfo_t *info, const ucontext_t *context)
{
	uint32_t code = memory_instruction(info, context);
	unsigned base = bits(code, 9, 5);
	(void)signal;
	if (!code || bits(code, 29, 27) == IS_LITERAL)
		return (uintptr_t)info->si_addr;
	uint64_t start =
		base == STACK_POINTER ? context->uc_mcontext.sp : context->uc_mcontext.regs[base];
	return start + offset_of(code, context);
}

bool machine_is_page_fault(int signal, const siginfo_t *info, const ucontext_t *context)
{
	return signal == SIGSEGV && !(machine_address(signal, info, context) >> ADDRESS_BITS);
}

static bool is_atomic(uint32_t code)
{
	bool is_ordered_only = bits(code, 23, 23) && !bits(code, 21, 21);
	if (bits(code, 29, 27) == IS_EXCLUSIVE && !bits(code, 24, 24) && !is_vector(code))
		return !is_ordered_only;
	return is_of_one_register(code) && !bits(code, 24, 24) && bits(code, 21, 21) &&
	       bits(code, 11, 10) == 0;
}

enum machine_access machine_access(const siginfo_t *info, const ucontext_t *context)
{
	uint32_t code = memory_instruction(info, context);
	if (!code || bits(code, 29, 27) == IS_LITERAL)
		return MACHINE_READ;
	if (is_atomic(code))
		return MACHINE_ATOMIC;
	bool is_load = is_of_one_register(code) && !is_vector(code) ? bits(code, 23, 22) != 0
								    : bits(code, 22, 22);
	return is_load ? MACHINE_READ : MACHINE_WRITE;
}
