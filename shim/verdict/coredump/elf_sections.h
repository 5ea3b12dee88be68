/*
 * elf_sections.h - the section table of a 64-bit little-endian ELF file in memory that nobody
 * vouches for. Any thread.
 */
#ifndef CULPRIT_VERDICT_ELF_SECTIONS_H
#define CULPRIT_VERDICT_ELF_SECTIONS_H

#include <elf.h>

#include "verdict/coredump/byte_span.h"

struct elf_sections {
	struct byte_span file;
	uint64_t first;         /* offset of the table */
	uint64_t n;             /* sections whose headers lie inside the file */
	struct byte_span names; /* section names; empty: none */
};

struct elf_section {
	uint32_t type;
	uint32_t link;
	uint32_t info;
	uint32_t name; /* in elf_sections.names */
	uint64_t flags;
	uint64_t address;
	uint64_t size;            /* as the header says */
	uint64_t row_size;        /* sh_entsize */
	struct byte_span content; /* empty where the file does not hold all of it */
};

/*
 * Is the section table there, all of it? The driver writes it last, at the file's end. `header` is
 * what a file of `size` bytes begins with; `first` is the table's first entry, which has the number
 * of sections where the header cannot tell it, and is NULL if the file does not hold it.
 */
bool elf_sections_are_whole(const Elf64_Ehdr *header, const Elf64_Shdr *first, uint64_t size);

/*
 * Reads the ELF header. 0; -EBADMSG: not a 64-bit little-endian ELF file; -ENODATA: one whose
 * section table is not whole, with the sections that are there (a table at the file's end then has
 * none).
 */
int elf_sections_open(struct byte_span file, struct elf_sections *out);

/* The section's header; false if there is no such section. */
bool elf_section_at(const struct elf_sections *sections, uint64_t index, struct elf_section *out);

/* The first section of that name; false if there is none. */
bool elf_section_named(const struct elf_sections *sections, const char *name,
		       struct elf_section *out);

#endif
