/*
 * machine_x86_64.c - faults of an x86-64 processor.
 */
#include "failure/machine.h"

#include <string.h>

#define ALIGNMENT_CHECK_FLAG 0x40000L

uintptr_t machine_instruction(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

static const unsigned char *skip_prefixes(const unsigned char *code, unsigned *out_rex,
					  bool *out_locks)
{
	*out_rex = 0;
	*out_locks = false;
	for (; *code == 0x66 || *code == 0xf2 || *code == 0xf3 || *code == 0xf0; code++)
		*out_locks = *out_locks || *code == 0xf0;
	if ((*code & 0xf0) == 0x40)
		*out_rex = *code++;
	return code;
}

static uint64_t register_of(const ucontext_t *context, unsigned number)
{
	static const int places[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
				     REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
				     REG_R12, REG_R13, REG_R14, REG_R15};
	return (uint64_t)context->uc_mcontext.gregs[places[number]];
}

static uint64_t displacement_of(const unsigned char *code, unsigned mode, bool has_no_base)
{
	int32_t wide = 0;
	int8_t narrow = 0;
	memcpy(&wide, code, sizeof(wide));
	memcpy(&narrow, code, sizeof(narrow));
	if (mode == 2 || (mode == 0 && has_no_base))
		return (uint64_t)(int64_t)wide;
	return mode == 1 ? (uint64_t)(int64_t)narrow : 0;
}

/* Error codes: Intel SDM vol. 3, 4.7. */
enum { PAGE_FAULT = 14, PAGE_FAULT_WRITE = 2, PAGE_FAULT_FETCH = 16 };

/* Return the address that the instruction accesses (Intel SDM vol. 2, 2.1.5); 0: it has none. */
static uint64_t accessed_by(const unsigned char *code, const ucontext_t *context)
{
	unsigned rex = 0;
	bool locks = false;
	uint64_t address = 0;
	code = skip_prefixes(code, &rex, &locks);
	code += *code == 0x0f ? 2 : 1;
	unsigned mode = *code >> 6;
	unsigned base = *code & 7;
	if (mode == 3 || (mode == 0 && base == 5))
		return 0;
	code++;
	if (base == 4) {
		unsigned index = (*code >> 3 & 7) | (rex & 2 ? 8 : 0);
		base = *code & 7;
		if (index != 4)
			address = register_of(context, index) << (*code >> 6);
		code++;
	}
	if (mode != 0 || base != 5)
		address += register_of(context, base | (rex & 1 ? 8 : 0));
	return address + displacement_of(code, mode, base == 5);
}

static bool is_atomic(const unsigned char *code)
{
	unsigned rex = 0;
	bool locks = false;
	code = skip_prefixes(code, &rex, &locks);
	return locks || *code == 0x86 || *code == 0x87;
}

uint64_t machine_stack_pointer(const ucontext_t *context)
{
	return register_of(context, 4);
}

void machine_continue_unchecked(ucontext_t *context)
{
	context->uc_mcontext.gregs[REG_EFL] &= ~ALIGNMENT_CHECK_FLAG;
}

void machine_alignment_check_off(void)
{
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandl $~0x40000, (%%rsp)\n\tpopfq\n\t"
			 "lea 128(%%rsp), %%rsp" ::
				 : "memory", "cc");
}

/*
 * True for an unaligned move of 16 bytes, by which compilers copy structures. With the alignment
 * check on, it faults on some processors only (AMD's EPYC; Intel SDM vol. 2, MOVDQU).
 */
bool machine_is_structure_copy(const ucontext_t *context)
{
	enum { OPERAND_SIZE = 0x66, REPEAT = 0xf3, REX = 0x40, REX_MASK = 0xf0, ESCAPE = 0x0f };
	enum { MOVE_FLOATS_FROM = 0x10, MOVE_FLOATS_TO = 0x11, MOVE_FROM = 0x6f, MOVE_TO = 0x7f };
	const unsigned char *code = (const unsigned char *)machine_instruction(context);
	unsigned char prefix = *code == OPERAND_SIZE || *code == REPEAT ? *code++ : 0;
	code += (*code & REX_MASK) == REX ? 1 : 0;
	if (*code++ != ESCAPE)
		return false;
	if (prefix == REPEAT)
		return *code == MOVE_FROM || *code == MOVE_TO;
	return *code == MOVE_FLOATS_FROM || *code == MOVE_FLOATS_TO;
}

/* True if the instruction moves or compares a word that it reads, as compilers emit it. */
static bool is_load_instruction(const unsigned char *code)
{
	enum { OPERAND_SIZE = 0x66, REX = 0x40, REX_MASK = 0xf0 };
	enum { MOVE_BYTE = 0x8a, MOVE = 0x8b, COMPARE_TO = 0x39, COMPARE = 0x3b, EXTEND = 0x63 };
	while (*code == OPERAND_SIZE || (*code & REX_MASK) == REX)
		code++;
	return *code == MOVE_BYTE || *code == MOVE || *code == COMPARE_TO || *code == COMPARE ||
	       *code == EXTEND;
}

bool machine_is_page_fault(int signal, const siginfo_t *info, const ucontext_t *context)
{
	(void)signal, (void)info;
	return context->uc_mcontext.gregs[REG_TRAPNO] == PAGE_FAULT;
}

uint64_t machine_address(int signal, const siginfo_t *info, const ucontext_t *context)
{
	if (machine_is_page_fault(signal, info, context))
		return (uintptr_t)info->si_addr;
	return accessed_by((const unsigned char *)machine_instruction(context), context);
}

/* An invalid (non-canonical) address raises no page fault, whose code has the access. */
enum machine_access machine_access(const siginfo_t *info, const ucontext_t *context)
{
	const unsigned char *code = (const unsigned char *)machine_instruction(context);
	bool has_code = machine_is_page_fault(SIGSEGV, info, context);
	long error = context->uc_mcontext.gregs[REG_ERR];
	if (has_code && (error & PAGE_FAULT_FETCH || info->si_addr == (const void *)code))
		return MACHINE_READ;
	if (is_atomic(code))
		return MACHINE_ATOMIC;
	bool is_write = has_code ? error & PAGE_FAULT_WRITE : !is_load_instruction(code);
	return is_write ? MACHINE_WRITE : MACHINE_READ;
}
