/*
 * elf_sections.h - reads the section table of an untrusted 64-bit little-endian ELF file in memory.
 * Any thread.
 */
#ifndef CULPRIT_COREDUMP_ELF_SECTIONS_H
#define CULPRIT_COREDUMP_ELF_SECTIONS_H

#include <elf.h>

#include "coredump/byte_span.h"

struct elf_sections {
	struct byte_span file;
	uint64_t first;         /* offset of the table */
	uint64_t n;             /* sections whose headers are inside the file */
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
	struct byte_span content; /* empty unless the file holds all of it */
};

/*
 * True if the section table is complete. The driver writes it last, at the file's end. `header` is
 * the start of a file of `size` bytes. `first` is the table's first entry, NULL if the file does
 * not hold it. It has the number of sections if that does not fit in the header.
 */
bool elf_sections_are_whole(const Elf64_Ehdr *header, const Elf64_Shdr *first, uint64_t size);

/*
 * Read the ELF header. Returns 0; -EBADMSG: not a 64-bit little-endian ELF file; -ENODATA: the
 * section table is incomplete. *out then has the sections that are there, which are none if the
 * table is at the file's end.
 */
int elf_sections_open(struct byte_span file, struct elf_sections *out);

/* Read the section's header; false if there is no such section. */
bool elf_section_at(const struct elf_sections *sections, uint64_t index, struct elf_section *out);

/* Find the first section of that name; false if there is none. */
bool elf_section_named(const struct elf_sections *sections, const char *name,
		       struct elf_section *out);

#endif
