/*
 * python_builder.c - see python_builder.h.
 */
#include "support/python_builder.h"

#include <string.h>

uint32_t builder_python_code(struct bundle_builder *builder, const char *file, const char *name,
			     uint32_t first_line, const void *lines, uint32_t lines_size)
{
	uint64_t n_units = (lines_size + PYTHON_LINES_UNIT - 1) / PYTHON_LINES_UNIT;
	uint32_t file_id = builder_string(builder, file);
	uint32_t name_id = builder_string(builder, name);
	uint32_t lines_id = 0;
	if (lines_size > 0)
		memcpy(builder_rows(builder, JOURNAL_PYTHON_LINES, n_units, &lines_id), lines,
		       lines_size);
	uint32_t id = 0;
	struct python_code_row *row = builder_rows(builder, JOURNAL_PYTHON_CODES, 1, &id);
	*row = (struct python_code_row){.file = file_id,
					.name = name_id,
					.first_line = first_line,
					.version = 3 << 8 | 9,
					.lines = lines_id,
					.lines_size = lines_size};
	return id;
}

uint32_t builder_python_frame(struct bundle_builder *builder, uint32_t parent, uint32_t code,
			      uint32_t position)
{
	uint32_t id = 0;
	struct python_frame_row *row = builder_rows(builder, JOURNAL_PYTHON_FRAMES, 1, &id);
	*row = (struct python_frame_row){.parent = parent, .code = code, .position = position};
	return id;
}

uint32_t builder_python_stack(struct bundle_builder *builder, uint32_t native, uint32_t frame)
{
	return builder_stack(builder, native, STACK_PYTHON, frame);
}

/* Rows are added at the end. */
static void *newest_row(struct bundle_builder *builder, enum journal_file kind, size_t size)
{
	const struct builder_file *file = &builder->tables[kind];
	return file->bytes + file->size - size;
}

struct python_code_row *builder_python_code_row(struct bundle_builder *builder)
{
	return newest_row(builder, JOURNAL_PYTHON_CODES, sizeof(struct python_code_row));
}

struct python_frame_row *builder_python_frame_row(struct bundle_builder *builder)
{
	return newest_row(builder, JOURNAL_PYTHON_FRAMES, sizeof(struct python_frame_row));
}
