/*
 * python_codes.c - the map from addresses of code objects to their ids, and the rows of the journal
 * that describe them. The members read here do not change once the code runs.
 */
#include "record/python/python_codes.h"

#include <pthread.h>
#include <string.h>

#include "base/hot.h"
#include "record/host/handle_map.h"
#include "record/host/recording.h"
#include "record/journal/bundle.h"
#include "record/journal/row_uses.h"
#include "record/journal/strings.h"
#include "record/python/python_parts.h"

static struct handle_map codes; /* address of a code object -> its id */
static uint64_t generation = 1; /* atomic */
static void (*dealloc)(void *); /* the original; written before ours can be called */

/* Describe one object at a time. The locks of used rows, strings, tables and the map are taken
   under this lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t n_units(uint32_t size)
{
	return size / PYTHON_LINES_UNIT + (size % PYTHON_LINES_UNIT != 0);
}

/* Release what a row holds when the row is used again. */
static void let_go(const struct python_code_row *row)
{
	strings_drop(row->file);
	strings_drop(row->name);
	table_free_block(bundle_table(JOURNAL_PYTHON_LINES), row->lines, n_units(row->lines_size));
}

static void end_row(uint32_t place, const void *row)
{
	(void)place;
	let_go(row);
}

static uint16_t given[ROW_ID_MAX + 1];
static struct row_uses rows = {.file = JOURNAL_PYTHON_CODES,
			       .n_kept = 16 * 1024,
			       .use_offset = PYTHON_CODE_USE_OFFSET,
			       .use_shift = PYTHON_CODE_USE_SHIFT,
			       .end = end_row,
			       .given = given};

/* Replaces PyCode_Type.tp_dealloc. A forked child skips the map, whose locks may be held there. */
static void forget_code(void *code)
{
	uint64_t id = 0;
	if (recording_is_on() && handle_map_take(&codes, (uintptr_t)code, &id)) {
		__atomic_fetch_add(&generation, 1, __ATOMIC_RELEASE);
		row_uses_give(&rows, (uint32_t)id);
	}
	dealloc(code);
}

void python_codes_watch(const struct python *python)
{
	/* The type is a writable variable of the interpreter, and declared so in its headers. */
	char *slot = (char *)(uintptr_t)python->code_type + python->layout->dealloc;
	void (*ours)(void *) = forget_code;
	memcpy(&dealloc, slot, sizeof(dealloc));
	__atomic_store_n((uintptr_t *)(void *)slot, (uintptr_t)ours, __ATOMIC_RELEASE);
}

void python_codes_begin_generation(void)
{
	__atomic_fetch_add(&generation, 1, __ATOMIC_RELEASE);
}

HOT uint64_t python_codes_generation(void)
{
	/* Pairs with the addition in forget_code(). */
	return __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
}

static const void *pointer_at(const void *object, size_t offset)
{
	const void *pointer = NULL;
	memcpy(&pointer, (const char *)object + offset, sizeof(pointer));
	return pointer;
}

bool python_is_code(const struct python *python, const void *object)
{
	return object && pointer_at(object, python->layout->type) == python->code_type;
}

/* These lines are not read before the code's row exists. */
static uint32_t append_lines(const char *bytes, uint32_t size)
{
	struct table *table = bundle_table(JOURNAL_PYTHON_LINES);
	uint32_t id = table_append_block(table, NULL, n_units(size));
	if (id)
		memcpy(table_row(table, id), bytes, size);
	return id;
}

static void describe_lines(const struct python *python, const char *lines,
			   struct python_code_row *row)
{
	const struct python_layout *layout = python->layout;
	int64_t size = -1;
	if (pointer_at(lines, layout->type) == python->bytes_type)
		memcpy(&size, lines + layout->bytes.size, sizeof(size));
	if (size > 0 && size < UINT32_MAX)
		row->lines = append_lines(lines + layout->bytes.bytes, (uint32_t)size);
	if (row->lines)
		row->lines_size = (uint32_t)size;
	row->is_lines_cut = size != 0 && !row->lines ? 1 : 0;
}

/* Under the lock. */
static uint32_t journal_code(const struct python *python, const char *code)
{
	const struct python_layout *layout = python->layout;
	struct python_code_row row = {
		.file = python_text_hold(python, pointer_at(code, layout->code.file)),
		.name = python_text_hold(python, pointer_at(code, layout->code.name)),
		.version = python->version,
	};
	memcpy(&row.first_line, code + layout->code.first_line, sizeof(row.first_line));
	const char *lines = pointer_at(code, layout->code.lines);
	if (lines)
		describe_lines(python, lines, &row);
	uint32_t id = row_uses_add(&rows, &row);
	if (!id)
		let_go(&row);
	return id;
}

/* An id that is not in the map is not used: the end of its object would not be seen. */
static uint32_t know_code(const struct python *python, const void *code)
{
	uint64_t id = 0;
	if (handle_map_get(&codes, (uintptr_t)code, &id))
		return (uint32_t)id;
	id = journal_code(python, code);
	if (!id || handle_map_put(&codes, (uintptr_t)code, id))
		return (uint32_t)id;
	row_uses_give(&rows, (uint32_t)id);
	return 0;
}

uint32_t python_codes_id(const struct python *python, const void *code)
{
	uint64_t id = 0;
	if (handle_map_get(&codes, (uintptr_t)code, &id))
		return (uint32_t)id;
	pthread_mutex_lock(&lock);
	uint32_t known = know_code(python, code);
	pthread_mutex_unlock(&lock);
	return known;
}
