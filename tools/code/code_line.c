/*
 * code_line.c - relocate the line table, as the driver would, so that each section of code has
 * addresses of its own.
 */
#include "code/code_line.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coredump/elf_sections.h"
#include "coredump/gpu_line.h"

/* No section is this large. */
enum { SECTION_BITS = 36 };

enum { MAX_STRING = 4096, STRINGS_PER_LINE = 2 };

static uint64_t address_of(uint64_t section, uint64_t offset)
{
	return ((section + 1) << SECTION_BITS) + offset;
}

static bool find_kernel(const struct elf_sections *sections, const struct elf_section *symbols,
			const char *kernel, Elf64_Sym *out)
{
	struct elf_section names;
	if (!elf_section_at(sections, symbols->link, &names))
		return false;
	for (uint64_t at = 0; span_copy(symbols->content, at * sizeof(*out), out, sizeof(*out));
	     at++) {
		if (ELF64_ST_TYPE(out->st_info) == STT_FUNC && out->st_shndx != SHN_UNDEF &&
		    strcmp(span_string(names.content, out->st_name), kernel) == 0)
			return true;
	}
	return false;
}

/* Write the addresses of code into the copy of the table. */
static void relocate(const struct elf_section *rows, const struct elf_section *symbols,
		     unsigned char *table, uint64_t size)
{
	Elf64_Rela row;
	for (uint64_t at = 0; span_copy(rows->content, at * sizeof(row), &row, sizeof(row)); at++) {
		Elf64_Sym symbol;
		uint64_t index = ELF64_R_SYM(row.r_info);
		if (!span_copy(symbols->content, index * sizeof(symbol), &symbol, sizeof(symbol)) ||
		    size < sizeof(uint64_t) || row.r_offset > size - sizeof(uint64_t))
			continue;
		uint64_t address =
			address_of(symbol.st_shndx, symbol.st_value + (uint64_t)row.r_addend);
		memcpy(table + row.r_offset, &address, sizeof(address));
	}
}

static struct byte_span section_bytes(const struct elf_sections *sections, const char *name)
{
	struct elf_section section;
	return elf_section_named(sections, name, &section) ? section.content
							   : (struct byte_span){NULL, 0};
}

/* Copy up to two strings, joined, into the line's memory, cut to MAX_STRING bytes. */
static const char *keep(struct code_line *line, const char *before, const char *string)
{
	char *copy = line->strings + line->size;
	int length = snprintf(copy, MAX_STRING, "%s%s%s", before, *before ? "/" : "", string);
	line->size += length < MAX_STRING ? (size_t)length + 1 : MAX_STRING;
	return copy;
}

static void keep_line(struct code_line *line, const struct gpu_line *from)
{
	const char *inlined = from->inlined;
	if (inlined && strnlen(inlined, MAX_STRING) == MAX_STRING)
		inlined = "";
	line->lines[line->n++] = (struct gpu_line){
		.directory = "",
		.file = keep(line, from->directory, from->file),
		.inlined = inlined ? keep(line, "", inlined) : NULL,
		.line = from->line,
	};
}

static bool look_up(const struct elf_sections *sections, struct byte_span lines, uint64_t address,
		    struct code_line *out)
{
	const struct gpu_line_tables line_tables = {
		.lines = lines,
		.line_strings = section_bytes(sections, ".debug_line_str"),
		.strings = section_bytes(sections, ".debug_str")};
	struct gpu_line found[GPU_LINES_MAX];
	uint32_t n = gpu_lines_find(&line_tables, address, found, GPU_LINES_MAX);
	if (n == 0 || !*found[0].file)
		return false;
	out->strings = malloc((size_t)n * STRINGS_PER_LINE * MAX_STRING);
	for (uint32_t i = 0; out->strings && i < n; i++)
		keep_line(out, &found[i]);
	return out->n > 0;
}

bool code_line_find(struct byte_span cubin, const char *kernel, uint64_t offset,
		    struct code_line *out)
{
	struct elf_sections sections;
	struct elf_section symbols;
	struct elf_section rows;
	Elf64_Sym symbol;
	*out = (struct code_line){.n = 0};
	if (elf_sections_open(cubin, &sections) != 0 ||
	    !elf_section_named(&sections, ".symtab", &symbols) ||
	    !find_kernel(&sections, &symbols, kernel, &symbol))
		return false;
	struct byte_span lines = section_bytes(&sections, ".debug_line");
	unsigned char *table = lines.size > 0 ? malloc(lines.size) : NULL;
	if (!table)
		return false;
	memcpy(table, lines.bytes, lines.size);
	if (elf_section_named(&sections, ".rela.debug_line", &rows))
		relocate(&rows, &symbols, table, lines.size);
	bool is_found = look_up(&sections, (struct byte_span){table, lines.size},
				address_of(symbol.st_shndx, symbol.st_value + offset), out);
	free(table);
	return is_found;
}

static bool is_same(const struct gpu_line *one, const struct gpu_line *other)
{
	return one->line == other->line && strcmp(one->file, other->file) == 0;
}

void code_line_narrow(struct code_line *line, const struct code_line *other)
{
	uint32_t n = 0;
	while (n < line->n && n < other->n && is_same(&line->lines[n], &other->lines[n]))
		n++;
	line->n = n;
}

void code_line_free(struct code_line *line)
{
	free(line->strings);
	*line = (struct code_line){.n = 0};
}
