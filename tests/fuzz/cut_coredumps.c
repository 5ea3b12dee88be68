/*
 * cut_coredumps.c - makes small core dumps of large ones, as inputs of fuzz_coredump.c: a few rows'
 * tables of each kind, and the one image that holds the fault.
 *
 * usage: cut-coredumps FROM TO NAME...
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coredump/gpu_coredump.h"
#include "support/check.h"

enum { MAX_KEPT = 64, MAX_IMAGE = 32 << 10, MAX_EACH = 4, N_TYPES = 32 };

struct cutter {
	unsigned char *bytes;
	const Elf64_Shdr *sections;
	uint64_t n_sections;
	uint64_t kept[MAX_KEPT]; /* old index by new one */
	uint32_t n_kept;
	uint32_t n_each[N_TYPES];
};

static void *read_whole(const char *directory, const char *name)
{
	char path[4096];
	void *bytes;
	FILE *file;
	long size;

	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "rb");
	CHECK(file && fseek(file, 0, SEEK_END) == 0);
	size = ftell(file);
	rewind(file);
	bytes = malloc((size_t)size);
	CHECK(bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size);
	CHECK(fclose(file) == 0);
	return bytes;
}

/*
 * True for the user's own code, which is in small images with line tables; the driver's images have
 * none.
 */
static bool is_image_wanted(const struct cutter *cutter, const Elf64_Shdr *section)
{
	struct byte_span file = {cutter->bytes + section->sh_offset, section->sh_size};
	struct elf_sections image;
	struct elf_section lines;

	return section->sh_size <= MAX_IMAGE && elf_sections_open(file, &image) == 0 &&
	       elf_section_named(&image, ".debug_line", &lines);
}

/*
 * True if the section is kept. For some tables a few sections are enough: the ones that have rows.
 */
static bool is_wanted(struct cutter *cutter, const Elf64_Shdr *section)
{
	uint32_t type = section->sh_type - 0x80000000u;

	if (section->sh_type == SHT_STRTAB)
		return section->sh_size < 4096;
	if (section->sh_type < 0x80000000u || type >= N_TYPES)
		return false;
	switch (type) {
	case GPU_TABLE_IMAGE:
		return is_image_wanted(cutter, section);
	case GPU_TABLE_BLOCK:
	case GPU_TABLE_WARP:
	case GPU_TABLE_LANE:
		return section->sh_size > 0 && cutter->n_each[type]++ < MAX_EACH;
	case GPU_TABLE_DEVICE:
	case GPU_TABLE_CONTEXT:
	case GPU_TABLE_SM:
	case GPU_TABLE_GRID:
	case GPU_TABLE_PARAMETERS:
	case GPU_TABLE_META:
		return true;
	default:
		return false;
	}
}

static void choose(struct cutter *cutter)
{
	cutter->kept[cutter->n_kept++] = 0;
	for (uint64_t i = 1; i < cutter->n_sections; i++) {
		if (is_wanted(cutter, &cutter->sections[i])) {
			CHECK(cutter->n_kept < MAX_KEPT);
			cutter->kept[cutter->n_kept++] = i;
		}
	}
}

/* A link to a section that was left out leads nowhere. */
static uint32_t new_index(const struct cutter *cutter, uint32_t old)
{
	for (uint32_t i = 0; i < cutter->n_kept; i++) {
		if (cutter->kept[i] == old)
			return i;
	}
	return 0;
}

static void write_cut(const struct cutter *cutter, FILE *out)
{
	Elf64_Ehdr header;
	Elf64_Shdr sections[MAX_KEPT];
	uint64_t offset = sizeof(header);

	memcpy(&header, cutter->bytes, sizeof(header));
	for (uint32_t i = 0; i < cutter->n_kept; i++) {
		sections[i] = cutter->sections[cutter->kept[i]];
		sections[i].sh_link = new_index(cutter, sections[i].sh_link);
		sections[i].sh_name = 0;
		sections[i].sh_offset = offset;
		offset += sections[i].sh_size;
	}
	header.e_shoff = offset;
	header.e_shnum = (Elf64_Half)cutter->n_kept;
	header.e_shstrndx = SHN_UNDEF;
	CHECK(fwrite(&header, sizeof(header), 1, out) == 1);
	for (uint32_t i = 0; i < cutter->n_kept; i++) {
		const Elf64_Shdr *old = &cutter->sections[cutter->kept[i]];

		CHECK(fwrite(cutter->bytes + old->sh_offset, 1, old->sh_size, out) == old->sh_size);
	}
	CHECK(fwrite(sections, sizeof(sections[0]), cutter->n_kept, out) == cutter->n_kept);
}

static void cut(const char *from, const char *to, const char *name)
{
	struct cutter cutter = {.bytes = read_whole(from, name)};
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)cutter.bytes;
	char path[4096];
	void *table;
	FILE *out;

	cutter.n_sections = header->e_shnum;
	table = malloc(cutter.n_sections * sizeof(Elf64_Shdr));
	CHECK(table);
	memcpy(table, cutter.bytes + header->e_shoff, cutter.n_sections * sizeof(Elf64_Shdr));
	cutter.sections = table;
	choose(&cutter);
	(void)snprintf(path, sizeof(path), "%s/%s", to, name);
	out = fopen(path, "wb");
	CHECK(out);
	write_cut(&cutter, out);
	CHECK(fclose(out) == 0);
	free(table);
	free(cutter.bytes);
}

int main(int argc, char **argv)
{
	CHECK(argc > 3);
	for (int i = 3; i < argc; i++)
		cut(argv[1], argv[2], argv[i]);
	return 0;
}
