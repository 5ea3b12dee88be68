/*
 * test_code_reach.c - callers in the call graph that are no code of the file count as reached.
 *
 * usage: test_code_reach CUBIN   linked.cubin of tests/fixtures/code
 */
#include "code/code_reach.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

enum { MAX_BYTES = 1 << 20 };

static unsigned char *bytes;
static struct cubin cubin;

static void read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	CHECK(file);
	bytes = malloc(MAX_BYTES);
	CHECK(bytes);
	size_t size = fread(bytes, 1, MAX_BYTES, file);
	CHECK(size > 0 && size < MAX_BYTES);
	CHECK_EQUAL(fclose(file), 0);
	CHECK_EQUAL(cubin_open((struct byte_span){bytes, size}, &cubin), 0);
}

static Elf64_Sym symbol_at(uint32_t index)
{
	Elf64_Sym symbol;
	CHECK(span_copy(cubin.symbols, index * sizeof(symbol), &symbol, sizeof(symbol)));
	return symbol;
}

/* Return the symbol of a function that calls __assertfail. */
static uint32_t find_caller(void)
{
	for (uint64_t at = 0; at < cubin.calls.size; at += 2 * sizeof(uint32_t)) {
		uint32_t caller = span_u32(cubin.calls, at);
		if (caller == 0) /* the start of a part */
			continue;
		Elf64_Sym callee = symbol_at(span_u32(cubin.calls, at + sizeof(uint32_t)));
		if (strcmp(span_string(cubin.names, callee.st_name), "__assertfail") == 0)
			return caller;
	}
	check_that(false, "a caller", __FILE__, __LINE__);
	return 0;
}

static void set_section(uint32_t index, uint16_t section)
{
	Elf64_Sym symbol = symbol_at(index);
	size_t at = (size_t)(cubin.symbols.bytes - bytes) + index * sizeof(symbol);
	symbol.st_shndx = section;
	memcpy(bytes + at, &symbol, sizeof(symbol));
}

static void check(const char *kernel, enum assert_claim claim)
{
	bool can_trap = false;
	CHECK_EQUAL(code_reach_claim(&cubin, kernel, &can_trap), claim);
}

int main(int argc, char **argv)
{
	CHECK_EQUAL(argc, 2);
	read_file(argv[1]);
	check("k_plain", ASSERT_IMPOSSIBLE);
	check("k_assert", ASSERT_POSSIBLE);
	check("k_elsewhere", ASSERT_NO_KERNEL);
	uint32_t caller = find_caller();
	uint16_t own = symbol_at(caller).st_shndx;
	static const uint16_t elsewhere[] = {SHN_UNDEF, SHN_ABS};
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++) {
		set_section(caller, elsewhere[i]);
		check("k_plain", ASSERT_POSSIBLE);
	}
	/* The first number that is no section of the file. */
	set_section(caller, (uint16_t)cubin.sections.n);
	check("k_plain", ASSERT_POSSIBLE);
	set_section(caller, own);
	check("k_plain", ASSERT_IMPOSSIBLE);
	free(bytes);
	return 0;
}
