/*
 * code_extent.c - read symbols and the sizes of sections.
 */
#include "code/code_extent.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "code/cubin.h"
#include "coredump/elf_sections.h"

static const char TEXT_PREFIX[] = ".text.";

bool code_extent_open(struct byte_span file, struct code_extent_file *out)
{
	struct elf_sections sections;
	struct elf_section symbols;
	struct elf_section names;
	if (elf_sections_open(file, &sections) != 0 ||
	    !elf_section_named(&sections, ".symtab", &symbols) || symbols.type != SHT_SYMTAB ||
	    symbols.content.size != symbols.size ||
	    !elf_section_at(&sections, symbols.link, &names))
		return false;
	*out = (struct code_extent_file){
		.file = file, .symbols = symbols.content, .names = names.content};
	return symbols.content.size > 0;
}

static uint64_t size_of(const struct code_extent_file *file, const Elf64_Sym *symbol,
			const char *name)
{
	struct elf_sections sections;
	struct elf_section section;
	const char *section_name = NULL;
	if (elf_sections_open(file->file, &sections) != 0 ||
	    !elf_section_at(&sections, symbol->st_shndx, &section))
		return 0;
	section_name = span_string(sections.names, section.name);
	if (strncmp(section_name, TEXT_PREFIX, sizeof(TEXT_PREFIX) - 1) == 0 &&
	    strcmp(section_name + sizeof(TEXT_PREFIX) - 1, name) == 0)
		return section.size -
		       (symbol->st_value < section.size ? symbol->st_value : section.size);
	return symbol->st_size;
}

const char *code_extent_next(const struct code_extent_file *file, uint64_t *at, uint64_t *out_size)
{
	Elf64_Sym symbol;
	while (span_copy(file->symbols, *at * sizeof(symbol), &symbol, sizeof(symbol))) {
		const char *name = span_string(file->names, symbol.st_name);
		*at += 1;
		if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF)
			continue;
		*out_size = size_of(file, &symbol, name);
		return name;
	}
	return NULL;
}

/* nvcc 13.0: kernels that launch others call functions with these names. */
bool code_extent_can_launch(const struct code_extent_file *file)
{
	static const char *const parts[] = {"cudaCDP", "cudaLaunchDevice", "cudaGraphLaunch",
					    "cudaGetParameterBuffer"};
	Elf64_Sym symbol;
	for (uint64_t at = 0;
	     span_copy(file->symbols, at * sizeof(symbol), &symbol, sizeof(symbol)); at++) {
		const char *name = span_string(file->names, symbol.st_name);
		for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
			if (strstr(name, parts[i]))
				return true;
		}
	}
	return false;
}

/*
 * Opcodes that access no memory, in the low 9 bits of an instruction: nvcc 13.0 makes a kernel that
 * only computes of these, for sm_75 to sm_120. They are MOV, SEL, FMNMX, ISETP, IADD3, LOP3, SHF,
 * FADD, FFMA, IMAD, IMAD.WIDE, both HFMA2, NOP, S2R, BRA and EXIT. All others may access memory.
 */
static bool may_access(uint16_t word)
{
	switch (word & 0x1ff) {
	case 0x002:
	case 0x007:
	case 0x009:
	case 0x00c:
	case 0x010:
	case 0x012:
	case 0x019:
	case 0x021:
	case 0x023:
	case 0x024:
	case 0x025:
	case 0x031:
	case 0x035:
	case 0x118:
	case 0x119:
	case 0x147:
	case 0x14d:
		return false;
	default:
		return true;
	}
}

static bool find_code(const struct elf_sections *sections, const char *name,
		      struct elf_section *out)
{
	for (uint64_t i = 0; i < sections->n; i++) {
		if (!elf_section_at(sections, i, out))
			continue;
		const char *section_name = span_string(sections->names, out->name);
		if (strncmp(section_name, TEXT_PREFIX, sizeof(TEXT_PREFIX) - 1) == 0 &&
		    strcmp(section_name + sizeof(TEXT_PREFIX) - 1, name) == 0)
			return out->content.size == out->size;
	}
	return false;
}

uint8_t *code_extent_accesses(struct byte_span cubin, const char *name, uint32_t *out_n,
			      uint8_t **out_awaited)
{
	struct cubin opened;
	struct elf_section code;
	if (cubin_open(cubin, &opened) != 0 || !opened.is_understood ||
	    !find_code(&opened.sections, name, &code) || code.size > UINT32_MAX)
		return NULL;
	uint32_t n = (uint32_t)(code.size / CODE_STEP);
	uint8_t *bits = calloc(n / 8 + 1, 2);
	uint8_t *awaited = bits ? bits + n / 8 + 1 : NULL;
	for (uint32_t i = 0; bits && i < n; i++) {
		uint64_t offset = (uint64_t)i * CODE_STEP;
		if (may_access(span_u16(code.content, offset)))
			bits[i / 8] |= (uint8_t)(1 << i % 8);
		if (code_access_is_awaited(code.content, offset, opened.architecture))
			awaited[i / 8] |= (uint8_t)(1 << i % 8);
	}
	*out_n = n;
	*out_awaited = awaited;
	return bits;
}

void code_extent_instruction_at(struct byte_span cubin, const char *name, uint64_t size,
				uint64_t offset, struct code_instruction *out)
{
	struct cubin opened;
	struct elf_section code;
	*out = (struct code_instruction){.architecture = 0};
	if (cubin_open(cubin, &opened) != 0 || !opened.is_understood ||
	    !find_code(&opened.sections, name, &code) || offset % CODE_STEP != 0 ||
	    code.size != size || offset >= size)
		return;
	code_access_decode(code.content, offset, opened.architecture, out);
}
