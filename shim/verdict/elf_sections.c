/*
 * elf_sections.c - reads section headers, each checked where it is used. Program headers and
 * symbols are not its business.
 */
#include "elf_sections.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

static bool is_elf64(const Elf64_Ehdr *header)
{
	return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
	       header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
	       header->e_shentsize == sizeof(Elf64_Shdr);
}

/* How many sections the file says it has: counts that do not fit e_shnum are in section 0. */
static uint64_t claimed_sections(struct byte_span file, const Elf64_Ehdr *header,
				 uint64_t *out_names)
{
	Elf64_Shdr zero;

	*out_names = header->e_shstrndx;
	if (!span_copy(file, header->e_shoff, &zero, sizeof(zero)))
		return header->e_shnum;
	if (header->e_shstrndx == SHN_XINDEX)
		*out_names = zero.sh_link;
	return header->e_shnum == 0 ? zero.sh_size : header->e_shnum;
}

int elf_sections_open(struct byte_span file, struct elf_sections *out)
{
	struct elf_sections sections = {.file = file};
	struct elf_section names;
	uint64_t names_index, claimed, room;
	Elf64_Ehdr header;

	if (!span_copy(file, 0, &header, sizeof(header)) || !is_elf64(&header))
		return -EBADMSG;
	sections.first = header.e_shoff;
	room = header.e_shoff < file.size ? (file.size - header.e_shoff) / sizeof(Elf64_Shdr) : 0;
	claimed = claimed_sections(file, &header, &names_index);
	sections.n = claimed < room ? claimed : room;
	if (elf_section_at(&sections, names_index, &names))
		sections.names = names.content;
	*out = sections;
	return claimed > room ? -ENODATA : 0;
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
