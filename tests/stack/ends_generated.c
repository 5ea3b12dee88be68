/*
 * ends_generated.c - a function written byte by byte, as a just-in-time compiler does, with the
 * call frame information that such a compiler may register.
 */
#include <string.h>
#include <sys/mman.h>

#include "callbacks.h"
#include "support/check.h"

void __register_frame(void *frames); /* of libgcc */

/* push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret */
static const unsigned char instructions[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};

/* A CIE: CFA = rsp + 8, the return address at CFA - 8. */
static const unsigned char common[] = {
	16,   0,    0,  0,         0, 0, 0, 0, 1, 0, /* version 1, no augmentation */
	1,    0x78, 16,                              /* units 1 and -8, return column 16 */
	0x0c, 7,    8,  0x80 + 16, 1, 0, 0,
};

/* The function's FDE without the addresses: after the push CFA = rsp + 16 and rbp at CFA - 16. */
static const unsigned char moves[] = {0x41, 0x0e, 16, 0x80 + 6, 2, 0x43, 0x0d, 6};

struct function_entry {
	unsigned size;
	unsigned to_common;
	const void *start;
	unsigned long length;
	unsigned char moves[sizeof(moves)];
	unsigned terminator;
} __attribute__((packed));

struct generated generated_make(void)
{
	struct generated code = {.size = 4096};
	code.page =
		mmap(NULL, code.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(code.page != MAP_FAILED);
	memcpy(code.page, instructions, sizeof(instructions));
	CHECK_EQUAL(mprotect(code.page, code.size, PROT_READ | PROT_EXEC), 0);
	memcpy(&code.call, &code.page, sizeof(code.call));
	return code;
}

void generated_register(const struct generated *code)
{
	static struct {
		unsigned char common[sizeof(common)];
		struct function_entry function;
	} __attribute__((packed)) frames;
	memcpy(frames.common, common, sizeof(common));
	frames.function = (struct function_entry){
		.size = sizeof(frames.function) - 2 * sizeof(unsigned),
		.to_common = sizeof(common) + sizeof(unsigned),
		.start = code->page,
		.length = sizeof(instructions),
	};
	memcpy(frames.function.moves, moves, sizeof(moves));
	__register_frame(&frames);
}

bool generated_holds(const struct generated *code, unsigned long long address)
{
	unsigned long long start = (unsigned long)code->page;
	return address > start && address < start + code->size;
}
