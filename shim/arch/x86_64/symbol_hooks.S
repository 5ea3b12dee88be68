/*
 * symbol_hooks.S - the exported dlsym, dlvsym and abort. In assembler because of the jump at the
 * end: a C function would be the real dlsym's caller, so RTLD_NEXT would start at us. After an
 * abort, the host's core dump must not show a frame of ours.
 */
#ifdef __CET__
#include <cet.h>
#else
#define _CET_ENDBR endbr64
#endif

/*
 * Call symbol_lookup(handle, name, version, our return address), and keep all argument registers.
 * Pushes six registers and rbp, so the stack is aligned to 16 bytes at the call.
 */
.macro SYMBOL_HOOK name, put_version, real
	.globl	\name
	.type	\name, @function
	.globl	symbol_hook_\name	/* ours, even if another library exports the name first */
	.hidden	symbol_hook_\name
	.p2align 4
symbol_hook_\name:
\name:
	.cfi_startproc
	_CET_ENDBR
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushq	%rdi
	pushq	%rsi
	pushq	%rdx
	pushq	%rcx
	pushq	%r8
	pushq	%r9
	\put_version
	movq	8(%rbp), %rcx
	call	symbol_lookup
	movl	%edx, %r11d		/* is_final; rdx becomes the argument again */
	popq	%r9
	popq	%r8
	popq	%rcx
	popq	%rdx
	popq	%rsi
	popq	%rdi
	popq	%rbp
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	testb	%r11b, %r11b
	jz	1f
	ret
1:	jmpq	*\real(%rip)
	.cfi_endproc
	.size	\name, . - \name
.endm

	.hidden	process_abort
	.hidden	symbol_lookup
	.hidden	symbol_real_dlsym
	.hidden	symbol_real_dlvsym
	.text
	SYMBOL_HOOK dlsym, "xorl %edx, %edx", symbol_real_dlsym
	SYMBOL_HOOK dlvsym, "", symbol_real_dlvsym	/* rdx holds the version already */

/* Keep only the caller's frame: abort has no arguments. */
	.globl	abort
	.type	abort, @function
	.p2align 4
abort:
	.cfi_startproc
	_CET_ENDBR
	subq	$8, %rsp
	.cfi_def_cfa_offset 16
	movq	8(%rsp), %rdi
	call	process_abort
	addq	$8, %rsp
	.cfi_def_cfa_offset 8
	jmpq	*%rax
	.cfi_endproc
	.size	abort, . - abort

	.section .note.GNU-stack, "", @progbits
