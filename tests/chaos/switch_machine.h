/*
 * switch_machine.h - stack switches of stacks_switched.c in each architecture's instructions.
 *
 * SWITCH_CODE                 assembly of three functions. swap_stacks(&from, to) saves the stack
 *                             pointer in *from and continues at `to`. bottom() is where the first
 *                             function of a stack returns to, as with libco: its first byte. The
 *                             code before it has a frame, which an unwind rule would look for past
 *                             the end of the stack.
 * switch_prepare(top, start, bottom)  the `to` of a new stack whose first function is `start`
 * SWITCH_CALL(end, what)      call what() on the stack that ends at `end`
 * SWITCH_JUMP(end, what)      jump to it, so that it seems to be called from the next address
 */
#ifndef CULPRIT_TESTS_CHAOS_SWITCH_MACHINE_H
#define CULPRIT_TESTS_CHAOS_SWITCH_MACHINE_H

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)

#define SWITCH_CODE                      \
	"swap_stacks:\n"                 \
	"	push %rbp\n"                   \
	"	push %rbx\n"                   \
	"	push %r12\n"                   \
	"	push %r13\n"                   \
	"	push %r14\n"                   \
	"	push %r15\n"                   \
	"	mov %rsp, (%rdi)\n"            \
	"	mov %rsi, %rsp\n"              \
	"	pop %r15\n"                    \
	"	pop %r14\n"                    \
	"	pop %r13\n"                    \
	"	pop %r12\n"                    \
	"	pop %rbx\n"                    \
	"	pop %rbp\n"                    \
	"	ret\n"                         \
	"before_bottom:\n"               \
	"	.cfi_startproc\n"              \
	"	sub $5000, %rsp\n"             \
	"	.cfi_adjust_cfa_offset 5000\n" \
	"	call abort@PLT\n"              \
	"	.cfi_endproc\n"                \
	"bottom:\n"                      \
	"	.cfi_startproc\n"              \
	"	call abort@PLT\n"              \
	"	.cfi_endproc\n"

static inline void *switch_prepare(uint64_t *top, void (*start)(void), void (*bottom)(void))
{
	enum { SAVED = 6 };
	*--top = (uintptr_t)bottom;
	*--top = (uintptr_t)start;
	return memset(top - SAVED, 0, SAVED * sizeof(*top));
}

#define SWITCH_CLOBBERED \
	"rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "memory", "cc"

#define SWITCH_CALL(end, what)                 \
	__asm__ volatile("mov %%rsp, %%r12\n"  \
			 "mov %0, %%rsp\n"     \
			 "call *%1\n"          \
			 "mov %%r12, %%rsp\n"  \
			 :                     \
			 : "r"(end), "r"(what) \
			 : SWITCH_CLOBBERED)

#define SWITCH_JUMP(end, what)                    \
	__asm__ volatile("mov %%rsp, %%r12\n"     \
			 "mov %0, %%rsp\n"        \
			 "lea 1f(%%rip), %%rax\n" \
			 "push %%rax\n"           \
			 "jmp *%1\n"              \
			 "1: mov %%r12, %%rsp\n"  \
			 :                        \
			 : "r"(end), "r"(what)    \
			 : SWITCH_CLOBBERED)

#elif defined(__aarch64__)

/* Saved: x29 and x30, x19 to x28, d8 to d15, where to continue, and a word to fill up. */
#define SWITCH_CODE                      \
	"swap_stacks:\n"                 \
	"	stp x29, x30, [sp, #-176]!\n"  \
	"	stp x19, x20, [sp, #16]\n"     \
	"	stp x21, x22, [sp, #32]\n"     \
	"	stp x23, x24, [sp, #48]\n"     \
	"	stp x25, x26, [sp, #64]\n"     \
	"	stp x27, x28, [sp, #80]\n"     \
	"	stp d8, d9, [sp, #96]\n"       \
	"	stp d10, d11, [sp, #112]\n"    \
	"	stp d12, d13, [sp, #128]\n"    \
	"	stp d14, d15, [sp, #144]\n"    \
	"	str x30, [sp, #160]\n"         \
	"	mov x2, sp\n"                  \
	"	str x2, [x0]\n"                \
	"	mov sp, x1\n"                  \
	"	ldp x19, x20, [sp, #16]\n"     \
	"	ldp x21, x22, [sp, #32]\n"     \
	"	ldp x23, x24, [sp, #48]\n"     \
	"	ldp x25, x26, [sp, #64]\n"     \
	"	ldp x27, x28, [sp, #80]\n"     \
	"	ldp d8, d9, [sp, #96]\n"       \
	"	ldp d10, d11, [sp, #112]\n"    \
	"	ldp d12, d13, [sp, #128]\n"    \
	"	ldp d14, d15, [sp, #144]\n"    \
	"	ldr x16, [sp, #160]\n"         \
	"	ldp x29, x30, [sp], #176\n"    \
	"	br x16\n"                      \
	"before_bottom:\n"               \
	"	.cfi_startproc\n"              \
	"	sub sp, sp, #4080\n"           \
	"	.cfi_adjust_cfa_offset 4080\n" \
	"	.cfi_offset x29, -16\n"        \
	"	.cfi_offset x30, -8\n"         \
	"	bl abort\n"                    \
	"	.cfi_endproc\n"                \
	"bottom:\n"                      \
	"	.cfi_startproc\n"              \
	"	bl abort\n"                    \
	"	.cfi_endproc\n"

static inline void *switch_prepare(uint64_t *top, void (*start)(void), void (*bottom)(void))
{
	enum { SAVED = 22, LINK = 1, CONTINUE = 20 };
	top -= SAVED;
	memset(top, 0, SAVED * sizeof(*top));
	top[LINK] = (uintptr_t)bottom;
	top[CONTINUE] = (uintptr_t)start;
	return top;
}

#define SWITCH_CLOBBERED                                                                          \
	"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",   \
		"x14", "x15", "x16", "x17", "x19", "x30", "v0", "v1", "v2", "v3", "v4", "v5",     \
		"v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", \
		"v26", "v27", "v28", "v29", "v30", "v31", "memory", "cc"

#define SWITCH_CALL(end, what)                 \
	__asm__ volatile("mov x19, sp\n"       \
			 "mov sp, %0\n"        \
			 "blr %1\n"            \
			 "mov sp, x19\n"       \
			 :                     \
			 : "r"(end), "r"(what) \
			 : SWITCH_CLOBBERED)

#define SWITCH_JUMP(end, what)                 \
	__asm__ volatile("mov x19, sp\n"       \
			 "mov sp, %0\n"        \
			 "adr x30, 1f\n"       \
			 "br %1\n"             \
			 "1: mov sp, x19\n"    \
			 :                     \
			 : "r"(end), "r"(what) \
			 : SWITCH_CLOBBERED)

#endif

#endif
