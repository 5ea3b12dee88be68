/*
 * fault_place.c - the faulting access, by the processor's own account and the instruction.
 */
#include "failure/fault_place.h"

#include "failure/machine.h"

/* Exceptions as an H100 codes them (driver 580.159). */
enum {
	ESR_MISALIGNED = 0x502000f,
	ESR_INVALID_ADDRESS = 0x102000e,
	ESR_SHARED = 0xc01000e,
	ESR_STACK = 0x302000e,
};

/* How far from the stack pointer an access is one of the stack. */
enum { STACK_SPAN = 256 << 10 };

/* More than the host has: some of its invalid addresses could be memory of a GPU. */
enum { ADDRESS_BITS = 49 };

static bool is_stack(uint64_t address, const ucontext_t *context)
{
	uint64_t top = machine_stack_pointer(context);
	return address - (top - STACK_SPAN) < 2 * (uint64_t)STACK_SPAN;
}

static struct simkernel_fault page_fault(uint64_t address, const siginfo_t *info,
					 const ucontext_t *context, uint64_t shared)
{
	struct simkernel_fault fault = {.address = address, .pc = machine_instruction(context)};
	if (shared || is_stack(address, context)) {
		fault.kind = SIMKERNEL_EXCEPTION;
		fault.warp_esr = shared ? ESR_SHARED : ESR_STACK;
		fault.address -= shared;
		return fault;
	}
	fault.kind = SIMKERNEL_MEMORY;
	fault.pc = 0;
	fault.access = (uint8_t)machine_access(info, context);
	return fault;
}

struct simkernel_fault fault_place(int signal, const siginfo_t *info, const ucontext_t *context,
				   uint64_t shared, bool is_load)
{
	if (signal == SIGILL)
		return (struct simkernel_fault){.kind = SIMKERNEL_NONE};
	uint64_t address = machine_address(signal, info, context);
	if (machine_is_page_fault(signal, info, context))
		return page_fault(address, info, context, shared);
	uint64_t on_gpu = address & ~MACHINE_NO_ADDRESS_BIT;
	if (signal == SIGBUS || on_gpu >> ADDRESS_BITS)
		return (struct simkernel_fault){.kind = SIMKERNEL_EXCEPTION,
						.pc = machine_instruction(context),
						.address = address,
						.warp_esr = signal == SIGBUS ? ESR_MISALIGNED
									     : ESR_INVALID_ADDRESS};
	enum machine_access access = machine_access(info, context);
	if (access != MACHINE_ATOMIC)
		access = is_load ? MACHINE_READ : MACHINE_WRITE;
	return (struct simkernel_fault){
		.kind = SIMKERNEL_MEMORY, .address = on_gpu, .access = (uint8_t)access};
}

struct simkernel_fault fault_place_misaligned(uint64_t address, uint64_t pc)
{
	return (struct simkernel_fault){.kind = SIMKERNEL_EXCEPTION,
					.pc = pc,
					.address = address,
					.warp_esr = ESR_MISALIGNED};
}
