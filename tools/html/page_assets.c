/*
 * page_assets.c - include the two files as bytes. PAGE_ASSETS is their folder.
 */
#include "html/html_parts.h"

#define ASSET(symbol, file)                                     \
	__asm__(".section .rodata\n"                            \
		".global " #symbol "\n"                         \
		".balign 8\n" #symbol ":\n"                     \
		".incbin \"" PAGE_ASSETS "/" file "\"\n"        \
		"1:\n"                                          \
		".balign 8\n"                                   \
		".global " #symbol "_size\n" #symbol "_size:\n" \
		".quad 1b - " #symbol "\n"                      \
		".previous\n")

ASSET(page_style, "page.css");
ASSET(page_script, "page.js");
