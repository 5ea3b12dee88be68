/*
 * check_image.S - the checking kernel as bytes of the library: machine code in CHECK_FATBIN, empty
 * without a compiler, and PTX in CHECK_PTX.
 */
	.section .rodata
	.globl	check_image_fatbin, check_image_fatbin_size, check_image_ptx
	.hidden	check_image_fatbin, check_image_fatbin_size, check_image_ptx
	.p2align 6
check_image_fatbin:
#ifdef CHECK_FATBIN
	.incbin CHECK_FATBIN
#endif
	.set	fatbin_size, . - check_image_fatbin
	.p2align 3
check_image_fatbin_size:
	.quad	fatbin_size
check_image_ptx:
	.incbin CHECK_PTX
	.byte	0
	.section .note.GNU-stack,"",@progbits
