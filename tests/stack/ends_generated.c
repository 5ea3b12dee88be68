/*
 * ends_generated.c - a function written byte by byte, as a just-in-time compiler does, with the
 * call frame information that such a compiler may register.
 */
#include <string.h>
#include <sys/mman.h>

#include "callbacks.h"
#include "machine.h"
#include "support/check.h"

void __register_frame(void *frames); /* of libgcc */

static const unsigned char instructions[] = {MACHINE_CODE};

/* A CIE: 16 bytes follow; version 1, no augmentation. */
static const unsigned char common[] = {16, 0, 0, 0, 0, 0, 0, 0, 1, 0, MACHINE_COMMON};

/* The function's FDE without the addresses. */
static const unsigned char moves[] = {MACHINE_MOVES};

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
	__builtin___clear_cache(code.page, (char *)code.page + sizeof(instructions));
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
