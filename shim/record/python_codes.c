/*
 * python_codes.c - the map from addresses of code objects to their ids, and the rows of the journal
 * that describe them. What is read of an object does not change once it runs.
 */
#include "python_codes.h"

#include <pthread.h>
#include <string.h>

#include "bundle.h"
#include "handle_map.h"
#include "hot.h"
#include "python.h"
#include "python_text.h"
#include "recording.h"

static struct handle_map codes;             /* address of a code object -> its id */
static READ_MOSTLY uint64_t generation = 1; /* atomic */
static void (*dealloc)(void *);             /* the original; written before ours is called */

/* One object is described at a time; the locks of strings, tables and the map are taken under it.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* In place of PyCode_Type.tp_dealloc. Not in a forked child: the map's locks may be held there. */
static void forget_code(void *code)
{
	uint64_t id;
	if (recording_is_on() && handle_map_take(&codes, (uintptr_t)code, &id))
		__atomic_fetch_add(&generation, 1, __ATOMIC_RELEASE);
	dealloc(code);
}

void python_codes_watch(const struct python *python)
{
	/* The type is a writable variable of the interpreter, which declares it so in its headers.
	 */
	char *slot = (char *)(uintptr_t)python->code_type + python->layout->dealloc;
	void (*ours)(void *) = forget_code;
	memcpy(&dealloc, slot, sizeof(dealloc));
	__atomic_store_n((uintptr_t *)(void *)slot, (uintptr_t)ours, __ATOMIC_RELEASE);
}

HOT uint64_t python_codes_generation(void)
{
	/* Pairs with the addition in forget_code(). */
	return __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
}

static const void *pointer_at(const void *object, size_t offset)
{
	const void *pointer;
	memcpy(&pointer, (const char *)object + offset, sizeof(pointer));
	return pointer;
}

bool python_is_code(const struct python *python, const void *object)
{
	return object && pointer_at(object, python->layout->type) == python->code_type;
}

/* Whole units first, then what is left, filled up: nobody else appends to the table meanwhile. */
static uint32_t append_lines(const char *bytes, uint32_t size)
{
	struct table *table = bundle_table(JOURNAL_PYTHON_LINES);
	struct python_lines_row last = {{0}};
	uint32_t n_whole = size / PYTHON_LINES_UNIT;
	uint32_t left = size % PYTHON_LINES_UNIT;
	uint32_t first = n_whole ? table_append(table, bytes, n_whole) : 0;
	if (!left || (n_whole && !first))
		return first;
	memcpy(last.bytes, bytes + (size - left), left);
	uint32_t id = table_append(table, &last, 1);
	return n_whole && id ? first : id;
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
	row->is_lines_cut = size != 0 && !row->lines;
}

/* Under the lock. */
static uint32_t journal_code(const struct python *python, const char *code)
{
	const struct python_layout *layout = python->layout;
	struct python_code_row row = {
		.file = python_text_intern(python, pointer_at(code, layout->code.file)),
		.name = python_text_intern(python, pointer_at(code, layout->code.name)),
		.version = python->version,
	};
	memcpy(&row.first_line, code + layout->code.first_line, sizeof(row.first_line));
	const char *lines = pointer_at(code, layout->code.lines);
	if (lines)
		describe_lines(python, lines, &row);
	return table_append(bundle_table(JOURNAL_PYTHON_CODES), &row, 1);
}

/* An id that is not in the map is none: its end would not be seen. */
static uint32_t know_code(const struct python *python, const void *code)
{
	uint64_t id;
	if (handle_map_get(&codes, (uintptr_t)code, &id))
		return (uint32_t)id;
	id = journal_code(python, code);
	return id && handle_map_put(&codes, (uintptr_t)code, id) ? (uint32_t)id : 0;
}

uint32_t python_codes_id(const struct python *python, const void *code)
{
	uint64_t id;
	if (handle_map_get(&codes, (uintptr_t)code, &id))
		return (uint32_t)id;
	pthread_mutex_lock(&lock);
	uint32_t known = know_code(python, code);
	pthread_mutex_unlock(&lock);
	return known;
}
