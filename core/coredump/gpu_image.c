/*
 * gpu_image.c - looks up a program counter in the loaded images of a dump: first the section that
 * contains it, then the symbol, then the line.
 */
#include "coredump/gpu_image.h"

#include <elf.h>
#include <string.h>

#include "coredump/gpu_line.h"

/* st_other of a kernel: cuobjdump shows it as STO_CUDA_ENTRY. */
enum { OTHER_CUDA_ENTRY = 0x10 };

/* True if the section is loaded code around `pc`. Code that is not loaded has address 0. */
static bool is_code_around(const struct elf_section *section, uint64_t pc)
{
	return (section->flags & SHF_EXECINSTR) && section->address != 0 &&
	       pc >= section->address && pc - section->address < section->size;
}

static bool find_code(const struct elf_sections *image, uint64_t pc, struct elf_section *out)
{
	for (uint64_t i = 0; i < image->n; i++) {
		if (elf_section_at(image, i, out) && is_code_around(out, pc))
			return true;
	}
	return false;
}

static bool has_code(const struct elf_sections *image, uint64_t pc)
{
	struct elf_section section;
	return find_code(image, pc, &section);
}

static bool is_function_around(const Elf64_Sym *symbol, uint64_t pc)
{
	return ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF &&
	       symbol->st_value != 0 && pc >= symbol->st_value &&
	       pc - symbol->st_value < symbol->st_size;
}

/* Find the function with the closest start before `pc`, because symbols may overlap. */
static void find_function(const struct elf_sections *image, const struct elf_section *table,
			  uint64_t pc, struct gpu_code *out)
{
	uint64_t n = table->content.size / sizeof(Elf64_Sym);
	struct elf_section names = {.content = {NULL, 0}};
	uint64_t start = 0;
	(void)elf_section_at(image, table->link, &names);
	Elf64_Sym symbol;
	for (uint64_t i = 0; i < n; i++) {
		(void)span_copy(table->content, i * sizeof(symbol), &symbol, sizeof(symbol));
		if (!is_function_around(&symbol, pc) || symbol.st_value < start)
			continue;
		start = symbol.st_value;
		out->function = span_string(names.content, symbol.st_name);
		out->is_kernel = symbol.st_other & OTHER_CUDA_ENTRY;
	}
}

static void read_code(const struct elf_sections *image, uint64_t pc, struct gpu_code *out)
{
	struct gpu_line_tables tables = {.lines = {NULL, 0}};
	*out = (struct gpu_code){.function = "", .line = {.directory = "", .file = ""}};
	struct elf_section section;
	for (uint64_t i = 0; i < image->n; i++) {
		/* There is only one; a hostile file may have more. */
		if (elf_section_at(image, i, &section) && section.type == SHT_SYMTAB) {
			find_function(image, &section, pc, out);
			break;
		}
	}
	if (elf_section_named(image, ".debug_line", &section))
		tables.lines = section.content;
	if (elf_section_named(image, ".debug_line_str", &section))
		tables.line_strings = section.content;
	if (elf_section_named(image, ".debug_str", &section))
		tables.strings = section.content;
	struct gpu_line lines[GPU_LINES_MAX];
	uint32_t n = gpu_lines_find(&tables, pc, lines, GPU_LINES_MAX);
	if (n == 0 || *lines[0].file == '\0')
		return;
	out->line = lines[0];
	out->n_callers = n - 1;
	memcpy(out->callers, lines + 1, out->n_callers * sizeof(lines[0]));
}

bool gpu_code_at(const struct gpu_coredump *dump, uint64_t pc, struct gpu_code *out)
{
	struct gpu_cursor cursor = {0, 0};
	bool is_found = false;
	*out = (struct gpu_code){.function = "", .line = {.directory = "", .file = ""}};
	struct elf_sections image;
	struct gpu_code code;
	struct gpu_row row;
	while (pc != 0 && gpu_next(dump, GPU_TABLE_IMAGE, &cursor, &row)) {
		if (elf_sections_open(row.bytes, &image) != 0 || !has_code(&image, pc))
			continue;
		read_code(&image, pc, &code);
		if (is_found && strcmp(code.function, out->function) != 0) {
			*out = (struct gpu_code){.function = "",
						 .line = {.directory = "", .file = ""}};
			return false;
		}
		*out = code;
		is_found = true;
	}
	return is_found;
}

bool gpu_instruction_at(const struct gpu_coredump *dump, uint64_t pc, struct byte_span *out_image,
			struct byte_span *out_bytes)
{
	struct gpu_cursor cursor = {0, 0};
	struct gpu_row row;
	struct elf_sections image;
	struct elf_section code;
	while (pc != 0 && gpu_next(dump, GPU_TABLE_IMAGE, &cursor, &row)) {
		if (elf_sections_open(row.bytes, &image) != 0 || !find_code(&image, pc, &code))
			continue;
		*out_image = row.bytes;
		return span_part(code.content, pc - code.address, GPU_INSTRUCTION_BYTES, out_bytes);
	}
	return false;
}

bool gpu_is_code(const struct gpu_coredump *dump, uint64_t pc)
{
	struct gpu_cursor cursor = {0, 0};
	struct gpu_row row;
	struct elf_sections image;
	while (gpu_next(dump, GPU_TABLE_IMAGE, &cursor, &row)) {
		if (elf_sections_open(row.bytes, &image) == 0 && has_code(&image, pc))
			return true;
	}
	return false;
}
