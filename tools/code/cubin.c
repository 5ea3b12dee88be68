/*
 * cubin.c - open a cubin and find its kernels; code_reach.c follows their calls.
 */
#include "code/cubin.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

/* e_machine, and the ABI versions with the architecture in the low or second byte of e_flags. */
enum { MACHINE_CUDA = 190, ABI_LOW_BITS = 7, ABI_SECOND_BYTE = 8 };

/* The bit in st_other that marks a kernel; cuobjdump shows it as STO_CUDA_ENTRY. */
enum { OTHER_CUDA_ENTRY = 0x10 };

/* Architectures of nvcc 13.0, whose call instructions were checked. */
static const uint8_t known_architectures[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

/* Return 0 unless it is one of those. */
static uint8_t find_architecture(const Elf64_Ehdr *header)
{
	uint32_t shift = header->e_ident[EI_ABIVERSION] == ABI_SECOND_BYTE ? 8 : 0;
	uint8_t architecture = (uint8_t)(header->e_flags >> shift);
	if (header->e_ident[EI_ABIVERSION] != ABI_SECOND_BYTE &&
	    header->e_ident[EI_ABIVERSION] != ABI_LOW_BITS)
		return 0;
	return memchr(known_architectures, architecture, sizeof(known_architectures)) ? architecture
										      : 0;
}

static bool find_symbols(const struct elf_sections *sections, struct cubin *out)
{
	struct elf_section symbols;
	struct elf_section names;
	if (!elf_section_named(sections, ".symtab", &symbols) || symbols.type != SHT_SYMTAB ||
	    symbols.row_size != sizeof(Elf64_Sym) || symbols.content.size != symbols.size ||
	    symbols.size % sizeof(Elf64_Sym) != 0 ||
	    !elf_section_at(sections, symbols.link, &names) || names.content.size != names.size)
		return false;
	out->symbols = symbols.content;
	out->names = names.content;
	return true;
}

int cubin_open(struct byte_span file, struct cubin *out)
{
	struct cubin cubin = {.is_understood = false};
	Elf64_Ehdr header;
	if (!span_copy(file, 0, &header, sizeof(header)) || header.e_machine != MACHINE_CUDA ||
	    elf_sections_open(file, &cubin.sections) != 0 || !find_symbols(&cubin.sections, &cubin))
		return -EBADMSG;
	struct elf_section calls;
	if (elf_section_named(&cubin.sections, ".nv.callgraph", &calls) &&
	    calls.content.size == calls.size)
		cubin.calls = calls.content;
	cubin.architecture = find_architecture(&header);
	cubin.is_understood = header.e_type == ET_EXEC && cubin.architecture != 0;
	*out = cubin;
	return 0;
}

uint8_t cubin_architecture(struct byte_span file)
{
	Elf64_Ehdr header;
	return span_copy(file, 0, &header, sizeof(header)) && header.e_machine == MACHINE_CUDA
		       ? find_architecture(&header)
		       : 0;
}

static bool is_kernel(const Elf64_Sym *symbol)
{
	return ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF &&
	       (symbol->st_other & OTHER_CUDA_ENTRY);
}

const char *cubin_next_kernel(const struct cubin *cubin, uint64_t *at)
{
	Elf64_Sym symbol;
	while (span_copy(cubin->symbols, *at * sizeof(symbol), &symbol, sizeof(symbol))) {
		*at += 1;
		if (is_kernel(&symbol))
			return span_string(cubin->names, symbol.st_name);
	}
	return NULL;
}
