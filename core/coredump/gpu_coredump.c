/*
 * gpu_coredump.c - finds tables and rows in a GPU core dump, and reads their members at the offsets
 * of driver 580.159. gpu_fault.c derives from the rows what failed.
 */
#include "coredump/gpu_coredump.h"

#include <elf.h>
#include <errno.h>

/* Values that the driver writes; neither is in elf.h. */
enum { OSABI_CUDA = 0x33, MACHINE_CUDA = 190 };
#define FIRST_TABLE_TYPE 0x80000000u

/* Return the bytes of a row that this reader needs; 0: the section is one row of any size. */
static uint64_t least_row_size(enum gpu_table table)
{
	switch (table) {
	case GPU_TABLE_DEVICE:
		return 40;
	case GPU_TABLE_CONTEXT:
		return 36;
	case GPU_TABLE_SM:
		return 24;
	case GPU_TABLE_GRID:
		return 96;
	case GPU_TABLE_BLOCK:
		return 20;
	case GPU_TABLE_WARP:
		return 28;
	case GPU_TABLE_LANE:
		return 36;
	default:
		return 0;
	}
}

bool gpu_coredump_needs(uint32_t section_type)
{
	switch (section_type - FIRST_TABLE_TYPE) {
	case GPU_TABLE_IMAGE:
	case GPU_TABLE_DEVICE:
	case GPU_TABLE_CONTEXT:
	case GPU_TABLE_SM:
	case GPU_TABLE_GRID:
	case GPU_TABLE_BLOCK:
	case GPU_TABLE_WARP:
	case GPU_TABLE_LANE:
	case GPU_TABLE_PARAMETERS:
	case GPU_TABLE_META:
		return true;
	default:
		return section_type == SHT_STRTAB;
	}
}

static bool is_coredump(struct byte_span file)
{
	Elf64_Ehdr header;
	return span_copy(file, 0, &header, sizeof(header)) && header.e_type == ET_CORE &&
	       header.e_ident[EI_OSABI] == OSABI_CUDA && header.e_machine == MACHINE_CUDA;
}

/* Find the section of names that is not that of the section names. */
static void find_strings(struct gpu_coredump *dump)
{
	struct elf_section section;
	for (uint64_t i = 0; i < dump->sections.n; i++) {
		if (elf_section_at(&dump->sections, i, &section) && section.type == SHT_STRTAB &&
		    section.content.bytes != dump->sections.names.bytes) {
			dump->strings = section.content;
			return;
		}
	}
}

/*
 * True if sections share bytes. The driver's files never do. In a hostile file, they would make the
 * work of reading grow with the square of its size.
 */
static bool has_overlaps(const struct elf_sections *sections)
{
	uint64_t left = sections->file.size;
	struct elf_section section;
	for (uint64_t i = 0; i < sections->n; i++) {
		if (!elf_section_at(sections, i, &section))
			continue;
		if (section.content.size > left)
			return true;
		left -= section.content.size;
	}
	return false;
}

int gpu_coredump_open(struct gpu_coredump *out, const void *bytes, size_t size)
{
	struct byte_span file = {bytes, size};
	struct gpu_coredump dump = {.strings = {NULL, 0}};
	int result = elf_sections_open(file, &dump.sections);
	if (result == -EBADMSG || !is_coredump(file) || has_overlaps(&dump.sections))
		return -EBADMSG;
	find_strings(&dump);
	*out = dump;
	return result;
}

/* Read row `index` of a section; false unless the section is of that table and has the row. */
static bool read_row(const struct gpu_coredump *dump, enum gpu_table table, uint64_t section_index,
		     uint64_t index, struct gpu_row *out)
{
	uint64_t least = least_row_size(table);
	struct elf_section section;
	if (!elf_section_at(&dump->sections, section_index, &section) ||
	    section.type != FIRST_TABLE_TYPE + table)
		return false;
	uint64_t step = least > 0 ? section.row_size : section.content.size;
	if (step < least || step == 0 || index >= section.content.size / step)
		return false;
	*out = (struct gpu_row){.section = section_index,
				.index = index,
				.link = section.link,
				.info = section.info};
	return span_part(section.content, index * step, step, &out->bytes);
}

bool gpu_next(const struct gpu_coredump *dump, enum gpu_table table, struct gpu_cursor *cursor,
	      struct gpu_row *out)
{
	for (; cursor->section < dump->sections.n; cursor->section++, cursor->index = 0) {
		if (read_row(dump, table, cursor->section, cursor->index, out)) {
			cursor->index++;
			return true;
		}
	}
	return false;
}

bool gpu_parent(const struct gpu_coredump *dump, const struct gpu_row *row, enum gpu_table table,
		struct gpu_row *out)
{
	return read_row(dump, table, row->link, row->info, out);
}

static void read_three(struct byte_span bytes, uint64_t offset, uint32_t out[3])
{
	for (unsigned int i = 0; i < 3; i++)
		out[i] = span_u32(bytes, offset + i * sizeof(uint32_t));
}

void gpu_read_device(const struct gpu_coredump *dump, const struct gpu_row *row,
		     struct gpu_device *out)
{
	*out = (struct gpu_device){
		.name = span_string(dump->strings, span_u64(row->bytes, 0)),
		.sm_type = span_string(dump->strings, span_u64(row->bytes, 16)),
		.number = span_u32(row->bytes, 24),
		.n_sms = span_u32(row->bytes, 36),
	};
}

void gpu_read_context(const struct gpu_row *row, struct gpu_context *out)
{
	*out = (struct gpu_context){.handle = span_u64(row->bytes, 0),
				    .device = span_u32(row->bytes, 32)};
}

/* Find a grid's parameters. The driver writes them soon after the grids' table. */
static struct byte_span find_parameters(const struct gpu_coredump *dump, const struct gpu_row *grid)
{
	struct gpu_cursor cursor = {.section = grid->section};
	struct gpu_row row;
	while (gpu_next(dump, GPU_TABLE_PARAMETERS, &cursor, &row)) {
		if (row.link == grid->section && row.info == grid->index)
			return row.bytes;
	}
	return (struct byte_span){NULL, 0};
}

void gpu_read_grid(const struct gpu_coredump *dump, const struct gpu_row *row, struct gpu_grid *out)
{
	struct byte_span bytes = row->bytes;
	*out = (struct gpu_grid){.id = span_u64(bytes, 0),
				 .context = span_u64(bytes, 8),
				 .function = span_u64(bytes, 16),
				 .entry = span_u64(bytes, 24),
				 .module = span_u64(bytes, 32),
				 .parent = span_u64(bytes, 40),
				 .origin = span_u32(bytes, 60),
				 .device = row->info,
				 .has_parameters = span_u64(bytes, 48) != 0,
				 .parameters = find_parameters(dump, row)};
	read_three(bytes, 72, out->grid);
	read_three(bytes, 84, out->block);
	read_three(bytes, 104, out->cluster);
}

bool gpu_is_host_grid(const struct gpu_grid *grid)
{
	return grid->parent == 0 && grid->origin == 0;
}

bool gpu_is_cooperative_grid(const struct gpu_grid *grid)
{
	for (int i = 0; i < 3; i++) {
		if (grid->grid[i] != (grid->cluster[i] != 0 ? grid->cluster[i] : 1))
			return false;
	}
	return true;
}

void gpu_read_sm(const struct gpu_row *row, struct gpu_sm *out)
{
	*out = (struct gpu_sm){.id = span_u32(row->bytes, 0),
			       .exception = span_u32(row->bytes, 8),
			       .has_pc = span_u32(row->bytes, 12) != 0,
			       .pc = span_u64(row->bytes, 16),
			       .device = row->info};
}

void gpu_read_block(const struct gpu_row *row, struct gpu_block *out)
{
	*out = (struct gpu_block){.grid = span_u64(row->bytes, 0)};
	read_three(row->bytes, 8, out->index);
}

void gpu_read_warp(const struct gpu_row *row, struct gpu_warp *out)
{
	*out = (struct gpu_warp){.pc = span_u64(row->bytes, 0),
				 .id = span_u32(row->bytes, 8),
				 .valid_lanes = span_u32(row->bytes, 12),
				 .active_lanes = span_u32(row->bytes, 16),
				 .is_broken = span_u32(row->bytes, 20) != 0,
				 .has_pc = span_u32(row->bytes, 24) != 0};
}

void gpu_read_lane(const struct gpu_row *row, struct gpu_lane *out)
{
	*out = (struct gpu_lane){.pc = span_u64(row->bytes, 0),
				 .id = span_u32(row->bytes, 16),
				 .exception = span_u32(row->bytes, 32)};
	read_three(row->bytes, 20, out->thread);
}

bool gpu_read_meta(const struct gpu_coredump *dump, struct gpu_meta *out)
{
	struct gpu_cursor cursor = {0, 0};
	struct gpu_row row;
	if (!gpu_next(dump, GPU_TABLE_META, &cursor, &row))
		return false;
	*out = (struct gpu_meta){.generator = span_string(dump->strings, span_u64(row.bytes, 0)),
				 .driver = {span_u32(row.bytes, 8), span_u32(row.bytes, 12)},
				 .cuda = {span_u32(row.bytes, 16), span_u32(row.bytes, 20)},
				 .time = span_u32(row.bytes, 28)};
	return true;
}
