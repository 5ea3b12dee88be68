/*
 * machine.h - code for the tests of ends.c in each architecture's instructions, and the call frame
 * information that a just-in-time compiler may register for it.
 */
#ifndef CULPRIT_TESTS_STACK_MACHINE_H
#define CULPRIT_TESTS_STACK_MACHINE_H

#if defined(__x86_64__)

/* Call the first argument from a function with a frame pointer. */
#define MACHINE_CALL        \
	"	push %rbp\n"      \
	"	mov %rsp, %rbp\n" \
	"	call *%rdi\n"     \
	"	pop %rbp\n"       \
	"	ret\n"

/* The same in bytes: push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret */
#define MACHINE_CODE 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3

/* A CIE's last bytes: units 1 and -8, return column 16; CFA = rsp + 8, the return address there. */
#define MACHINE_COMMON 1, 0x78, 16, 0x0c, 7, 8, 0x80 + 16, 1, 0, 0

/* After the push CFA = rsp + 16 and rbp at CFA - 16; after the move CFA = rbp + 16. */
#define MACHINE_MOVES 0x41, 0x0e, 16, 0x80 + 6, 2, 0x43, 0x0d, 6

/* The start of a program, as in the C library, but for call frame information. */
#define MACHINE_START                               \
	"	xor %ebp, %ebp\n"                         \
	"	mov %rdx, %r9\n"                          \
	"	mov (%rsp), %rsi\n"                       \
	"	lea 8(%rsp), %rdx\n"                      \
	"	xor %ecx, %ecx\n"                         \
	"	xor %r8d, %r8d\n"                         \
	"	push %rsp\n"                              \
	"	push %rsp\n"                              \
	"	lea main(%rip), %rdi\n"                   \
	"	call *__libc_start_main@GOTPCREL(%rip)\n" \
	"	hlt\n"

#elif defined(__aarch64__)

#define MACHINE_CALL                    \
	"	hint #34\n" /* bti c */ \
	"	stp x29, x30, [sp, #-16]!\n"  \
	"	mov x29, sp\n"                \
	"	blr x0\n"                     \
	"	ldp x29, x30, [sp], #16\n"    \
	"	ret\n"

#define MACHINE_CODE                                                                              \
	0x5f, 0x24, 0x03, 0xd5, 0xfd, 0x7b, 0xbf, 0xa9, 0xfd, 0x03, 0x00, 0x91, 0x00, 0x00, 0x3f, \
		0xd6, 0xfd, 0x7b, 0xc1, 0xa8, 0xc0, 0x03, 0x5f, 0xd6

/* Units 4 and -8, return column 30; CFA = sp. */
#define MACHINE_COMMON 4, 0x78, 30, 0x0c, 31, 0, 0, 0, 0, 0

/* After the store CFA = sp + 16, x29 at CFA - 16 and x30 at CFA - 8. */
#define MACHINE_MOVES  0x42, 0x0e, 16, 0x80 + 29, 2, 0x80 + 30, 1, 0

/* The start of a program, with the call frame information that glibc before 2.34 has for it. */
#define MACHINE_START               \
	"	.cfi_startproc\n"         \
	"	mov x29, #0\n"            \
	"	mov x30, #0\n"            \
	"	mov x5, x0\n"             \
	"	ldr x1, [sp]\n"           \
	"	add x2, sp, #8\n"         \
	"	mov x6, sp\n"             \
	"	adrp x0, main\n"          \
	"	add x0, x0, :lo12:main\n" \
	"	mov x3, #0\n"             \
	"	mov x4, #0\n"             \
	"	bl __libc_start_main\n"   \
	"	bl abort\n"               \
	"	.cfi_endproc\n"

#endif

#endif
