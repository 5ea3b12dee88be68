/*
 * elf_sections.c - reads section headers, each checked where it is used. It does not read program
 * headers and symbols.
 */
#include "coredump/elf_sections.h"

#include <errno.h>
#include <string.h>

static bool is_elf64(const Elf64_Ehdr *header)
{
	return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
	       header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
	       header->e_shentsize == sizeof(Elf64_Shdr);
}

/* Return the number of sections that the file claims; section 0 has it if e_shnum cannot. */
static uint64_t claimed_sections(const Elf64_Ehdr *header, const Elf64_Shdr *first)
{
	return header->e_shnum == 0 && first ? first->sh_size : header->e_shnum;
}

/* Return how many section headers fit in a file of that size. */
static uint64_t room_for_sections(const Elf64_Ehdr *header, uint64_t size)
{
	if (header->e_shoff == 0 || header->e_shoff >= size)
		return 0;
	return (size - header->e_shoff) / sizeof(Elf64_Shdr);
}

bool elf_sections_are_whole(const Elf64_Ehdr *header, const Elf64_Shdr *first, uint64_t size)
{
	uint64_t claimed = claimed_sections(header, first);
	return is_elf64(header) && claimed > 0 && claimed <= room_for_sections(header, size);
}

int elf_sections_open(struct byte_span file, struct elf_sections *out)
{
	struct elf_sections sections = {.file = file};
	const Elf64_Shdr *first = NULL;
	Elf64_Ehdr header;
	if (!span_copy(file, 0, &header, sizeof(header)) || !is_elf64(&header))
		return -EBADMSG;
	Elf64_Shdr entry;
	if (span_copy(file, header.e_shoff, &entry, sizeof(entry)))
		first = &entry;
	uint64_t claimed = claimed_sections(&header, first);
	uint64_t room = room_for_sections(&header, file.size);
	sections.first = header.e_shoff;
	sections.n = claimed < room ? claimed : room;
	uint32_t names_index =
		first && header.e_shstrndx == SHN_XINDEX ? first->sh_link : header.e_shstrndx;
	struct elf_section names;
	if (elf_section_at(&sections, names_index, &names))
		sections.names = names.content;
	*out = sections;
	return elf_sections_are_whole(&header, first, file.size) ? 0 : -ENODATA;
}

bool elf_section_at(const struct elf_sections *sections, uint64_t index, struct elf_section *out)
{
	Elf64_Shdr header;
	if (index >= sections->n ||
	    !span_copy(sections->file, sections->first + index * sizeof(header), &header,
		       sizeof(header)))
		return false;
	*out = (struct elf_section){.type = header.sh_type,
				    .link = header.sh_link,
				    .info = header.sh_info,
				    .name = header.sh_name,
				    .flags = header.sh_flags,
				    .address = header.sh_addr,
				    .size = header.sh_size,
				    .row_size = header.sh_entsize};
	if (header.sh_type != SHT_NOBITS)
		(void)span_part(sections->file, header.sh_offset, header.sh_size, &out->content);
	return true;
}

bool elf_section_named(const struct elf_sections *sections, const char *name,
		       struct elf_section *out)
{
	for (uint64_t i = 0; i < sections->n; i++) {
		if (elf_section_at(sections, i, out) &&
		    strcmp(span_string(sections->names, out->name), name) == 0)
			return true;
	}
	return false;
}
