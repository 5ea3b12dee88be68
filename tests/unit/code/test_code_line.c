/*
 * test_code_line.c - sizes of kernels and lines of their instructions in a cubin of nvcc. A damaged
 * file has neither.
 *
 * usage: test_code_line CUBIN   lines.cubin of tests/fixtures/code
 */
#include "code/code_line.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/code_extent.h"
#include "coredump/elf_sections.h"
#include "support/check.h"

static unsigned char bytes[1 << 16];
static struct byte_span cubin = {bytes, 0};

static void read_cubin(const char *path)
{
	FILE *file = fopen(path, "r");
	CHECK(file);
	cubin.size = fread(bytes, 1, sizeof(bytes), file);
	(void)fclose(file);
}

static uint32_t line_at(const char *kernel, uint64_t offset)
{
	struct code_line line;
	bool is_found = code_line_find(cubin, kernel, offset, &line);
	uint32_t number = is_found ? line.lines[0].line : 0;
	CHECK(!is_found || strcmp(line.lines[0].file, "/tmp/code/lines.cu") == 0);
	CHECK_EQUAL(is_found, line.n != 0);
	code_line_free(&line);
	return number;
}

static void test_lines(void)
{
	CHECK_EQUAL(line_at("k_first", 0), 6);
	CHECK_EQUAL(line_at("k_first", 0x40), 8);
	CHECK_EQUAL(line_at("k_second", 0x20), 4); /* inlined */
	CHECK_EQUAL(line_at("k_second", 0x60), 13);
	CHECK_EQUAL(line_at("k_second", 0x100000), 0);
	CHECK_EQUAL(line_at("k_third", 0), 0);
}

static void test_sizes(void)
{
	struct code_extent_file file;
	uint64_t at = 0, size = 0, n = 0;
	CHECK(code_extent_open(cubin, &file));
	for (const char *name; (name = code_extent_next(&file, &at, &size)); n++) {
		CHECK(strcmp(name, "k_first") == 0 || strcmp(name, "k_second") == 0);
		CHECK(size >= 0x80 && size <= 0x400 && size % 0x80 == 0);
	}
	CHECK_EQUAL(n, 2);
	CHECK(!code_extent_can_launch(&file));
}

/* LDC, LDC, HFMA2, ULDC, LDC, IMAD, IMAD.WIDE, and the store at 0x70 */
static void test_accesses(void)
{
	uint32_t n = 0;
	uint8_t *awaited = NULL;
	uint8_t *bits = code_extent_accesses(cubin, "k_second", &n, &awaited);
	CHECK(bits && n == 0x18);
	CHECK(!awaited[0] && !awaited[1] && !awaited[2]);
	CHECK(bits[0] == (1 << 0 | 1 << 1 | 1 << 3 | 1 << 4 | 1 << 7) && !bits[1] && !bits[2]);
	free(bits);
	CHECK(!code_extent_accesses(cubin, "k_third", &n, &awaited));
}

static void check_access(const char *kernel, uint64_t size, uint64_t offset, uint8_t kind,
			 uint8_t n)
{
	struct code_instruction found;
	code_extent_instruction_at(cubin, kernel, size, offset, &found);
	CHECK_EQUAL(found.access.bytes, n);
	CHECK_EQUAL(found.access.kind, kind);
}

/* p[x] = n is the store at 0x70. */
static void test_access(void)
{
	check_access("k_second", 0x180, 0x70, FAULT_WRITE, 4);
	check_access("k_second", 0x180, 0x60, FAULT_ACCESS_UNKNOWN, 0);
	check_access("k_second", 0x180, 0, FAULT_ACCESS_UNKNOWN, 0); /* LDC */
	check_access("k_second", 0x180, 0x78, FAULT_ACCESS_UNKNOWN, 0);
	check_access("k_second", 0x180, 0x180, FAULT_ACCESS_UNKNOWN, 0);
	check_access("k_second", 0x100, 0x70, FAULT_ACCESS_UNKNOWN, 0);
	check_access("k_third", 0x180, 0x70, FAULT_ACCESS_UNKNOWN, 0);
}

/* Each kind of load and store, with data of each type, in place of that store. */
static void test_access_kinds(void)
{
	static const uint16_t loads[] = {0x7980, 0x7381, 0x7981, 0x7983, 0x7984};
	static const uint16_t stores[] = {0x7985, 0x7386, 0x7986, 0x7387, 0x7988, 0x7388};
	static const uint8_t sizes[] = {1, 1, 2, 2, 4, 8, 16};
	struct elf_sections sections;
	struct elf_section code;
	CHECK_EQUAL(elf_sections_open(cubin, &sections), 0);
	CHECK(elf_section_named(&sections, ".text.k_second", &code));
	unsigned char *store = bytes + (code.content.bytes - cubin.bytes) + 0x70;
	unsigned char kept[16];
	memcpy(kept, store, sizeof(kept));
	for (uint8_t type = 0; type < 7; type++) {
		store[9] = (unsigned char)((kept[9] & ~0x0e) | type << 1);
		for (size_t i = 0; i < sizeof(loads) / sizeof(*loads); i++) {
			memcpy(store, &loads[i], sizeof(loads[i]));
			check_access("k_second", 0x180, 0x70, FAULT_READ, sizes[type]);
		}
		for (size_t i = 0; i < sizeof(stores) / sizeof(*stores); i++) {
			memcpy(store, &stores[i], sizeof(stores[i]));
			check_access("k_second", 0x180, 0x70, FAULT_WRITE, sizes[type]);
		}
	}
	memcpy(store, kept, sizeof(kept));
}

/* An instruction that is not known may access memory: here LDSM in place of the first one. */
static void test_unknown_instructions(void)
{
	struct elf_sections sections;
	struct elf_section code;
	uint32_t n = 0;
	CHECK_EQUAL(elf_sections_open(cubin, &sections), 0);
	CHECK(elf_section_named(&sections, ".text.k_second", &code));
	unsigned char *first = bytes + (code.content.bytes - cubin.bytes);
	const unsigned char kept[2] = {first[0], first[1]};
	for (int is_unknown = 0; is_unknown < 2; is_unknown++) {
		static const uint16_t opcodes[] = {0x7202, 0x783b}; /* MOV, LDSM */
		memcpy(first, &opcodes[is_unknown], sizeof(opcodes[0]));
		uint8_t *awaited = NULL;
		uint8_t *bits = code_extent_accesses(cubin, "k_second", &n, &awaited);
		CHECK(bits && (bits[0] & 1) == is_unknown);
		free(bits);
	}
	/* A load that sets barrier 2, and an exit that waits for it. */
	static const uint64_t load[4] = {0x0981, UINT64_C(2) << 46, 0x094d, UINT64_C(4) << 52};
	unsigned char whole[sizeof(load)];
	memcpy(whole, first, sizeof(whole));
	memcpy(first, load, sizeof(load));
	uint32_t size = 0;
	uint8_t *awaited = NULL;
	uint8_t *bits = code_extent_accesses(cubin, "k_second", &size, &awaited);
	CHECK(bits && awaited[0] == 1 && !awaited[1] && !awaited[2]);
	free(bits);
	memcpy(first, whole, sizeof(whole));
	memcpy(first, kept, sizeof(kept));
}

static Elf64_Sym *symbol_of(const char *wanted)
{
	struct code_extent_file file;
	CHECK(code_extent_open(cubin, &file));
	Elf64_Sym *symbols = (void *)(bytes + (file.symbols.bytes - cubin.bytes));
	while (strcmp(span_string(file.names, symbols->st_name), wanted) != 0)
		symbols++;
	return symbols;
}

static uint64_t size_from(Elf64_Sym *symbol, uint64_t value)
{
	struct code_extent_file file;
	uint64_t at = 0, size = 0;
	symbol->st_value = value;
	CHECK(code_extent_open(cubin, &file));
	for (const char *name; (name = code_extent_next(&file, &at, &size));) {
		if (strcmp(name, "k_second") == 0)
			break;
	}
	return size;
}

/* A kernel's code is the rest of its section from its symbol on. */
static void test_code_within_a_section(void)
{
	Elf64_Sym *symbol = symbol_of("k_second");
	CHECK_EQUAL(size_from(symbol, 0x80), 0x180 - 0x80);
	CHECK_EQUAL(size_from(symbol, 0x180), 0);
	CHECK_EQUAL(size_from(symbol, UINT64_MAX), 0);
	CHECK_EQUAL(size_from(symbol, 0), 0x180);
}

/* A section of that name with other contents has no symbols. */
static void test_other_table(void)
{
	const Elf64_Ehdr *header = (const void *)bytes;
	Elf64_Shdr *sections = (void *)(bytes + header->e_shoff);
	struct code_extent_file file;
	int n_tables = 0;
	for (int i = 0; i < header->e_shnum; i++) {
		if (sections[i].sh_type != SHT_SYMTAB)
			continue;
		n_tables++;
		sections[i].sh_type = SHT_PROGBITS;
		CHECK(!code_extent_open(cubin, &file));
		sections[i].sh_type = SHT_SYMTAB;
	}
	CHECK_EQUAL(n_tables, 1);
}

/* Whatever a damaged file says, nothing is read outside it. */
static void test_damaged(void)
{
	uint64_t whole = cubin.size;
	for (uint64_t i = 0; i < whole; i++) {
		unsigned char *copy = malloc(whole);
		struct code_extent_file file;
		struct code_line line;
		uint64_t at = 0, size;
		CHECK(copy);
		memcpy(copy, bytes, whole);
		copy[i] ^= 0xff;
		(void)code_line_find((struct byte_span){copy, whole}, "k_second", 0x30, &line);
		code_line_free(&line);
		if (code_extent_open((struct byte_span){copy, whole - i % 64}, &file))
			while (code_extent_next(&file, &at, &size))
				;
		free(copy);
	}
}

int main(int argc, char **argv)
{
	CHECK_EQUAL(argc, 2);
	read_cubin(argv[1]);
	test_lines();
	test_sizes();
	test_accesses();
	test_access();
	test_access_kinds();
	test_unknown_instructions();
	test_code_within_a_section();
	test_other_table();
	test_damaged();
	return 0;
}
