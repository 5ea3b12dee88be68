/*
 * symbol_hooks.S - the exported dlsym, dlvsym and abort. In assembler because of the jump at the
 * end: a C function would be the real dlsym's caller, so RTLD_NEXT would start at us. After an
 * abort, the host's core dump must not show a frame of ours.
 *
 * x16 and x17 may be changed by any call, and a jump through them may reach a "bti c". The return
 * address is signed while it is in memory, as compilers do.
 */

/*
 * Call symbol_lookup(handle, name, version, our return address), and keep all argument registers,
 * x0 to x7, and x8, the address of a large result. q0 to q7 may hold arguments of a call that was
 * declared otherwise; no look-up has any.
 */
.macro SYMBOL_HOOK name, put_version, real
	.globl	\name
	.type	\name, %function
	.globl	symbol_hook_\name	/* ours, even if another library exports the name first */
	.hidden	symbol_hook_\name
	.p2align 4
symbol_hook_\name:
\name:
	.cfi_startproc
	bti	c
	mov	x16, x30		/* the caller, before the address is signed */
	paciasp
	.cfi_negate_ra_state
	stp	x29, x30, [sp, #-96]!
	.cfi_def_cfa_offset 96
	.cfi_offset x29, -96
	.cfi_offset x30, -88
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]
	str	x8, [sp, #80]
	\put_version
	mov	x3, x16
	bl	symbol_lookup
	mov	x16, x0
	and	w17, w1, #0xff		/* is_final */
	ldp	x0, x1, [sp, #16]
	ldp	x2, x3, [sp, #32]
	ldp	x4, x5, [sp, #48]
	ldp	x6, x7, [sp, #64]
	ldr	x8, [sp, #80]
	ldp	x29, x30, [sp], #96
	.cfi_def_cfa_offset 0
	.cfi_restore x29
	.cfi_restore x30
	autiasp
	.cfi_negate_ra_state
	cbz	w17, 1f
	mov	x0, x16
	ret
1:	adrp	x16, \real
	ldr	x16, [x16, :lo12:\real]
	br	x16
	.cfi_endproc
	.size	\name, . - \name
.endm

	.arch	armv8.5-a
	.hidden	process_abort
	.hidden	symbol_lookup
	.hidden	symbol_real_dlsym
	.hidden	symbol_real_dlvsym
	.text
	SYMBOL_HOOK dlsym, "mov x2, xzr", symbol_real_dlsym
	SYMBOL_HOOK dlvsym, "", symbol_real_dlvsym	/* x2 holds the version already */

/* Keep only the caller's frame: abort has no arguments. */
	.globl	abort
	.type	abort, %function
	.p2align 4
abort:
	.cfi_startproc
	bti	c
	mov	x0, x30
	paciasp
	.cfi_negate_ra_state
	stp	x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov	x29, sp
	bl	process_abort
	mov	x16, x0
	ldp	x29, x30, [sp], #16
	.cfi_def_cfa_offset 0
	.cfi_restore x29
	.cfi_restore x30
	autiasp
	.cfi_negate_ra_state
	br	x16
	.cfi_endproc
	.size	abort, . - abort

/*
 * The C library finds the owner of an exit handler by this address. It is weak, since a program that
 * is linked with the compiler's start files has it from these.
 */
	.section .data.rel.ro, "aw"
	.hidden	__dso_handle
	.weak	__dso_handle
	.type	__dso_handle, %object
	.size	__dso_handle, 8
	.p2align 3
__dso_handle:
	.xword	__dso_handle

/* Mark this file as compatible with BTI and PAC, as compilers do. */
	.section .note.gnu.property, "a", %note
	.p2align 3
	.word	4			/* name's size, "GNU" */
	.word	16			/* description's size */
	.word	5			/* NT_GNU_PROPERTY_TYPE_0 */
	.asciz	"GNU"
	.word	0xc0000000		/* GNU_PROPERTY_AARCH64_FEATURE_1_AND */
	.word	4			/* data's size */
	.word	3			/* BTI, PAC */
	.word	0

	.section .note.GNU-stack, "", %progbits
