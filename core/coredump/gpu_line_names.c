/*
 * gpu_line_names.c - reads heads of line number programs. Versions 2 to 4 number directories and
 * files from 1 and store them as strings. Version 5 numbers from 0 and describes its own rows.
 */
#include "coredump/gpu_line_names.h"

/* Version 5: the contents of a column, and its form. */
enum { CONTENT_PATH = 1, CONTENT_DIRECTORY = 2 };
enum form {
	FORM_DATA2 = 0x05,
	FORM_DATA4 = 0x06,
	FORM_DATA8 = 0x07,
	FORM_STRING = 0x08,
	FORM_BLOCK = 0x09,
	FORM_DATA1 = 0x0b,
	FORM_STRP = 0x0e,
	FORM_UDATA = 0x0f,
	FORM_DATA16 = 0x1e,
	FORM_LINE_STRP = 0x1f,
};

enum { MAX_COLUMNS = 8 };

struct name_row {
	const char *path;
	uint64_t directory;
};

/* One table of version 5: the contents and form of each column. */
struct name_table {
	uint8_t n_columns;
	uint64_t contents[MAX_COLUMNS];
	uint64_t forms[MAX_COLUMNS];
	uint64_t n_rows;
};

static bool read_parameters(struct span_reader *unit, struct line_program *out)
{
	out->version = (uint16_t)reader_uint(unit, 2);
	if (out->version < 2 || out->version > 5)
		return false;
	if (out->version == 5)
		(void)reader_uint(unit, 2); /* sizes of addresses and of segments */
	struct span_reader head = reader_take(unit, reader_uint(unit, out->offset_size));
	out->code = reader_take(unit, unit->span.size - unit->at).span;
	out->least_instruction = reader_u8(&head);
	if (out->version >= 4)
		(void)reader_u8(&head); /* operations per instruction: 1 on a GPU */
	(void)reader_u8(&head);         /* whether rows begin statements */
	out->line_base = (int8_t)reader_u8(&head);
	out->line_range = reader_u8(&head);
	out->opcode_base = reader_u8(&head);
	if (out->line_range == 0 || out->opcode_base == 0)
		return false;
	out->operand_counts = reader_take(&head, out->opcode_base - 1u).span;
	out->names = reader_take(&head, head.span.size - head.at).span;
	return !head.is_short;
}

bool line_program_read(struct span_reader *units, const struct gpu_line_tables *tables,
		       struct line_program *out)
{
	bool is_first = units->at == 0;
	uint64_t size = reader_uint(units, 4);
	*out = (struct line_program){.tables = tables, .offset_size = 4, .is_first = is_first};
	if (size == 0xffffffff) { /* the mark of the 64-bit format */
		out->offset_size = 8;
		size = reader_uint(units, 8);
	}
	struct span_reader unit = reader_take(units, size);
	return read_parameters(&unit, out);
}

/* Read the columns of the next table, whose rows follow. */
static bool read_table(struct span_reader *reader, struct name_table *out)
{
	*out = (struct name_table){.n_columns = reader_u8(reader)};
	if (out->n_columns > MAX_COLUMNS)
		return false;
	for (uint8_t i = 0; i < out->n_columns; i++) {
		out->contents[i] = reader_uleb(reader);
		out->forms[i] = reader_uleb(reader);
	}
	out->n_rows = reader_uleb(reader);
	/* Rows without columns take no bytes, so there could be endlessly many. */
	return !reader->is_short && (out->n_columns > 0 || out->n_rows == 0);
}

/* Read a value of a form: a number or a string. False for forms that line tables never use. */
static bool read_form(struct span_reader *reader, const struct line_program *program, uint64_t form,
		      uint64_t *out_number, const char **out_string)
{
	*out_number = 0;
	*out_string = "";
	switch (form) {
	case FORM_STRING:
		*out_string = reader_string(reader);
		return true;
	case FORM_LINE_STRP:
		*out_string = span_string(program->tables->line_strings,
					  reader_uint(reader, program->offset_size));
		return true;
	case FORM_STRP:
		*out_string = span_string(program->tables->strings,
					  reader_uint(reader, program->offset_size));
		return true;
	case FORM_DATA1:
		*out_number = reader_uint(reader, 1);
		return true;
	case FORM_DATA2:
		*out_number = reader_uint(reader, 2);
		return true;
	case FORM_DATA4:
		*out_number = reader_uint(reader, 4);
		return true;
	case FORM_DATA8:
		*out_number = reader_uint(reader, 8);
		return true;
	case FORM_UDATA:
		*out_number = reader_uleb(reader);
		return true;
	case FORM_DATA16:
		(void)reader_take(reader, 16);
		return true;
	case FORM_BLOCK:
		(void)reader_take(reader, reader_uleb(reader));
		return true;
	default:
		return false;
	}
}

static bool read_row(struct span_reader *reader, const struct line_program *program,
		     const struct name_table *table, struct name_row *out)
{
	*out = (struct name_row){.path = ""};
	for (uint8_t i = 0; i < table->n_columns; i++) {
		uint64_t number = 0;
		const char *string = NULL;
		if (!read_form(reader, program, table->forms[i], &number, &string))
			return false;
		if (table->contents[i] == CONTENT_PATH)
			out->path = string;
		else if (table->contents[i] == CONTENT_DIRECTORY)
			out->directory = number;
	}
	return !reader->is_short;
}

/* Read the next table to its end, and its row `index` into *out. False if it has no such row. */
static bool read_table_row(struct span_reader *reader, const struct line_program *program,
			   uint64_t index, struct name_row *out)
{
	bool is_found = false;
	struct name_table table;
	if (!read_table(reader, &table))
		return false;
	struct name_row row;
	for (uint64_t i = 0; i < table.n_rows; i++) {
		if (!read_row(reader, program, &table, &row))
			return false;
		if (i == index)
			*out = row;
		is_found |= i == index;
	}
	return is_found;
}

static bool find_described(const struct line_program *program, uint64_t index,
			   struct name_row *out_file, struct name_row *out_directory)
{
	struct span_reader reader = {.span = program->names};
	struct name_row ignored;
	(void)read_table_row(&reader, program, 0, &ignored);
	if (!read_table_row(&reader, program, index, out_file))
		return false;
	reader = (struct span_reader){.span = program->names};
	(void)read_table_row(&reader, program, out_file->directory, out_directory);
	return true;
}

/* Return string `index`, from 1, of a list that ends with an empty one. Reads past the list. */
static const char *read_listed(struct span_reader *reader, uint64_t index)
{
	const char *wanted = "";
	for (uint64_t i = 1; reader_has_more(reader); i++) {
		const char *string = reader_string(reader);
		if (*string == '\0')
			break;
		if (i == index)
			wanted = string;
	}
	return wanted;
}

static bool find_listed(const struct line_program *program, uint64_t index,
			struct name_row *out_file, struct name_row *out_directory)
{
	struct span_reader reader = {.span = program->names};
	(void)read_listed(&reader, 0);
	for (uint64_t i = 1; reader_has_more(&reader); i++) {
		*out_file = (struct name_row){.path = reader_string(&reader)};
		if (*out_file->path == '\0')
			return false;
		out_file->directory = reader_uleb(&reader);
		(void)reader_uleb(&reader); /* time */
		(void)reader_uleb(&reader); /* size */
		if (i == index)
			break;
		out_file->path = "";
	}
	reader = (struct span_reader){.span = program->names};
	out_directory->path = read_listed(&reader, out_file->directory);
	return *out_file->path != '\0';
}

bool line_program_file(const struct line_program *program, uint64_t index, struct gpu_line *out)
{
	struct name_row file = {.path = ""};
	struct name_row directory = {.path = ""};
	bool is_found = program->version == 5 ? find_described(program, index, &file, &directory)
					      : find_listed(program, index, &file, &directory);
	if (is_found)
		*out = (struct gpu_line){.directory = directory.path, .file = file.path};
	return is_found;
}

/* Read to the end of the tables of names. */
static void skip_listed(struct span_reader *reader)
{
	(void)read_listed(reader, 0);
	while (reader_has_more(reader) && *reader_string(reader)) {
		(void)reader_uleb(reader); /* directory */
		(void)reader_uleb(reader); /* time */
		(void)reader_uleb(reader); /* size */
	}
}

const char *line_program_inlined(const struct line_program *program, uint64_t offset)
{
	struct span_reader reader = {.span = program->names};
	if (program->version == 5)
		return "";
	skip_listed(&reader);
	if (reader.is_short || reader.span.size - reader.at != sizeof(uint32_t))
		return "";
	uint64_t start = reader_uint(&reader, sizeof(uint32_t));
	if ((start == 0 && !program->is_first) || offset > UINT32_MAX)
		return "";
	return span_string(program->tables->strings, start + offset);
}
