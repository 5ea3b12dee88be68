/*
 * fault_place.c - the faulting access, by the processor's own account and the instruction.
 */
#include "failure/fault_place.h"

#include <stddef.h>
#include <string.h>

/* Exceptions as an H100 codes them (driver 580.159). */
enum {
	ESR_MISALIGNED = 0x502000f,
	ESR_INVALID_ADDRESS = 0x102000e,
	ESR_SHARED = 0xc01000e,
	ESR_STACK = 0x302000e,
};

enum { PAGE_FAULT = 14, PAGE_FAULT_WRITE = 2, PAGE_FAULT_FETCH = 16 };

/* How far from the stack pointer an access is one of the stack. */
enum { STACK_SPAN = 256 << 10 };

/* More than the host has: some of its invalid addresses could be memory of a GPU. */
enum { ADDRESS_BITS = 49 };

/* kernel_run.c sets this bit in addresses of the host's own memory. */
#define HOST_BIT ((uint64_t)1 << 62)

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

static uint8_t access_of(const ucontext_t *context, const unsigned char *code)
{
	long error = context->uc_mcontext.gregs[REG_ERR];
	if (error & PAGE_FAULT_FETCH)
		return 1;
	if (is_atomic(code))
		return 3;
	return error & PAGE_FAULT_WRITE ? 2 : 1;
}

static bool is_stack(uint64_t address, const ucontext_t *context)
{
	uint64_t top = register_of(context, 4);
	return address - (top - STACK_SPAN) < 2 * (uint64_t)STACK_SPAN;
}

static struct simkernel_fault page_fault(uint64_t address, const ucontext_t *context,
					 const unsigned char *code, uint64_t shared)
{
	struct simkernel_fault fault = {.address = address, .pc = (uintptr_t)code};
	if (shared || is_stack(address, context)) {
		fault.kind = SIMKERNEL_EXCEPTION;
		fault.warp_esr = shared ? ESR_SHARED : ESR_STACK;
		fault.address -= shared;
		return fault;
	}
	fault.kind = SIMKERNEL_MEMORY;
	fault.pc = 0;
	fault.access = address == (uintptr_t)code ? 1 : access_of(context, code);
	return fault;
}

struct simkernel_fault fault_place(int signal, const siginfo_t *info, const ucontext_t *context,
				   uint64_t shared, bool is_load)
{
	const unsigned char *code = (const unsigned char *)context->uc_mcontext.gregs[REG_RIP];
	struct simkernel_fault fault = {.kind = SIMKERNEL_EXCEPTION, .pc = (uintptr_t)code};
	if (signal == SIGILL)
		return (struct simkernel_fault){.kind = SIMKERNEL_NONE};
	if (context->uc_mcontext.gregs[REG_TRAPNO] == PAGE_FAULT)
		return page_fault((uintptr_t)info->si_addr, context, code, shared);
	fault.address = accessed_by(code, context);
	fault.warp_esr = signal == SIGBUS ? ESR_MISALIGNED : ESR_INVALID_ADDRESS;
	if (signal == SIGBUS || (fault.address & ~HOST_BIT) >> ADDRESS_BITS)
		return fault;
	return (struct simkernel_fault){.kind = SIMKERNEL_MEMORY,
					.address = fault.address & ~HOST_BIT,
					.access = is_atomic(code) ? 3
						  : is_load       ? 1
								  : 2};
}
