/*
 * machine.h - what this machine's processor and an instruction say about a fault of simulated work.
 * machine_x86_64.c and machine_aarch64.c implement it.
 */
#ifndef SIMCUDA_MACHINE_H
#define SIMCUDA_MACHINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/*
 * The machine of ELF files that can be loaded, and a bit that no user space address has, and that
 * the processor does not ignore.
 */
#ifdef __aarch64__
#define MACHINE_ELF            EM_AARCH64
#define MACHINE_NO_ADDRESS_BIT ((uint64_t)1 << 54)
#else
#define MACHINE_ELF            EM_X86_64
#define MACHINE_NO_ADDRESS_BIT ((uint64_t)1 << 62)
#endif

/* Numbered as struct simkernel_fault's. */
enum machine_access { MACHINE_READ = 1, MACHINE_WRITE, MACHINE_ATOMIC };

/* Return the address of the instruction that raised the signal. Signal-safe, as all here are. */
uintptr_t machine_instruction(const ucontext_t *context);
uint64_t machine_stack_pointer(const ucontext_t *context);

/* Switch the processor's alignment check off for this thread, if it has one. */
void machine_alignment_check_off(void);

/* Let the interrupted code continue without the alignment check. */
void machine_continue_unchecked(ucontext_t *context);

/* True if the check may have refused an instruction by which compilers copy whole structures. */
bool machine_is_structure_copy(const ucontext_t *context);

/* True if the address is one that the processor can translate, so that memory is missing there. */
bool machine_is_page_fault(int signal, const siginfo_t *info, const ucontext_t *context);

/* Return the address that the instruction accesses; 0: it has none. */
uint64_t machine_address(int signal, const siginfo_t *info, const ucontext_t *context);

/* Tell how the instruction accesses memory. A fetch of code is a read. */
enum machine_access machine_access(const siginfo_t *info, const ucontext_t *context);

#endif
