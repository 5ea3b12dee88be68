/*
 * test_image_rows.c - the rows, blocks and holders of images: what each call takes and gives back.
 * The tables and maps are simulated; "[" and "]" are the lock of all, "(" and ")" that of a table.
 */
#include <pthread.h>
#include <sys/stat.h>

#include "record/host/handle_map.h"
#include "record/journal/bundle.h"
#include "record/journal/modules.h"
#include "record/journal/strings.h"
#include "record/objects/images.h"
#include "support/check.h"

enum { N_ENTRIES = 16, MAX_BYTES = 1 << 20, A = 0x10, B = 0x20, C = 0x30 };

static struct {
	struct handle_map *maps[2]; /* in the order of their first use */
	uint64_t keys[2][N_ENTRIES], values[2][N_ENTRIES];
	bool has_no_map, is_frozen;
	uint32_t next_row, next_block; /* ids of what is appended next; 0: no room */
	struct image_row row;          /* that was written last */
	uint32_t module;               /* that has all images, 0: none */
} image_tables;

static struct table tables[2];
static unsigned char bytes[MAX_BYTES + 1], copy[MAX_BYTES + 1];
static const struct image_context unknown;

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	trace_add(mutex == &tables[0].lock || mutex == &tables[1].lock ? "(" : "[");
	return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	trace_add(mutex == &tables[0].lock || mutex == &tables[1].lock ? ")" : "]");
	return 0;
}

struct table *bundle_table(enum journal_file kind)
{
	CHECK(kind == JOURNAL_IMAGES || kind == JOURNAL_IMAGE_BYTES);
	return &tables[kind == JOURNAL_IMAGE_BYTES];
}

uint32_t table_append(struct table *table, const void *row, uint32_t n)
{
	CHECK(table == &tables[0] && n == 1);
	image_tables.row = *(const struct image_row *)row;
	trace_add("row ");
	return image_tables.next_row ? image_tables.next_row++ : 0;
}

void *table_row(const struct table *table, uint32_t id)
{
	if (table == &tables[1])
		return copy;
	trace_add("rewrite %u", id);
	return &image_tables.row;
}

bool tables_are_frozen(void)
{
	return image_tables.is_frozen;
}

void table_note_reuse(struct table *table)
{
	CHECK(table == &tables[0]);
	trace_add("reuse ");
}

/* As many as asked for, and one more. */
uint32_t table_block_rows(uint32_t n_rows)
{
	return n_rows + 1;
}

uint32_t table_append_block(struct table *table, const void *rows, uint32_t n_rows)
{
	CHECK(table == &tables[1] && !rows);
	trace_add("block of %u ", n_rows);
	return image_tables.next_block ? image_tables.next_block++ : 0;
}

void table_free_block(struct table *table, uint32_t id, uint32_t n_rows)
{
	CHECK(table == &tables[1]);
	if (id)
		trace_add("free %u of %u ", id, n_rows);
}

uint32_t strings_hold(const char *text, size_t length, enum string_room room)
{
	CHECK(text[0] == '/' && room == STRINGS_OTHER);
	return (uint32_t)length;
}

void strings_drop(uint32_t id)
{
	if (id)
		trace_add("string %u ", id);
}

uint32_t modules_find(uintptr_t address, uint64_t *out_bias)
{
	CHECK(address);
	*out_bias = 16;
	return image_tables.module;
}

static int index_of(struct handle_map *map)
{
	int i = image_tables.maps[0] && image_tables.maps[0] != map;
	image_tables.maps[i] = map;
	return i;
}

static uint64_t *find_value(struct handle_map *map, uint64_t key)
{
	int at = index_of(map);
	for (int i = 0; i < N_ENTRIES; i++)
		if (image_tables.keys[at][i] == key)
			return &image_tables.values[at][i];
	return NULL;
}

bool handle_map_get(struct handle_map *map, uint64_t key, uint64_t *out_value)
{
	CHECK(key || index_of(map) == 1); /* a question without a function */
	const uint64_t *value = key ? find_value(map, key) : NULL;
	if (value)
		*out_value = *value;
	return value;
}

bool handle_map_take(struct handle_map *map, uint64_t key, uint64_t *out_value)
{
	bool is_there = handle_map_get(map, key, out_value);
	if (is_there)
		image_tables.keys[index_of(map)]
				 [find_value(map, key) - image_tables.values[index_of(map)]] = 0;
	return is_there;
}

bool handle_map_take_own(struct handle_map *map, uint64_t key, uint64_t value)
{
	uint64_t found = 0;
	return handle_map_get(map, key, &found) && found == value &&
	       handle_map_take(map, key, &found);
}

bool handle_map_put(struct handle_map *map, uint64_t key, uint64_t value)
{
	CHECK(key && !find_value(map, key));
	if (image_tables.has_no_map)
		return false;
	uint64_t *free = find_value(map, 0);
	CHECK(free);
	image_tables.keys[index_of(map)][free - image_tables.values[index_of(map)]] = key;
	*free = value;
	return true;
}

void handle_map_clear(struct handle_map *map, void (*leave)(uint64_t value))
{
	int at = index_of(map);
	trace_add("clear ");
	for (int i = 0; i < N_ENTRIES; i++) {
		if (image_tables.keys[at][i])
			leave(image_tables.values[at][i]);
		image_tables.keys[at][i] = 0;
	}
}

/* Make the first map that of modules. */
static void start(void)
{
	images_start(1);
	images_unloaded((const void *)C);
	image_tables.next_row = image_tables.next_block = 1;
	(void)trace_take();
}

static const void *at(uintptr_t handle)
{
	return (const void *)handle;
}

/* Load a container of this size, as code that was made at run time. */
static void load(uintptr_t handle, uint64_t size)
{
	struct {
		uint32_t magic;
		uint16_t version, header_size;
		uint64_t size;
	} container = {0xba55ed50u, 1, sizeof(container), size - sizeof(container)};
	memcpy(bytes, &container, sizeof(container));
	images_loaded(at(handle), bytes, unknown);
}

static void load_file(uintptr_t handle, struct image_context context)
{
	images_loaded_file(at(handle), "/proc/self/exe", context);
}

static void test_blocks(void)
{
	const uint64_t most = MAX_BYTES - IMAGE_UNIT;
	start();
	bytes[MAX_BYTES - 1] = bytes[most - 1] = bytes[63] = 7;
	load(A, 64);
	CHECK_TRACE("[block of 1 row ]");
	CHECK(image_tables.row.size == 64 && image_tables.row.bytes == 1 && copy[63] == 7);
	images_unloaded(at(A));
	CHECK_TRACE("[(reuse rewrite 1)free 1 of 1 ]");
	CHECK(image_tables.row.size == 0 && image_tables.row.bytes == 0);
	/* Nothing holds the row now, so it is used again. */
	load(A, IMAGE_UNIT + 1);
	CHECK_TRACE("[block of 2 (reuse rewrite 1)]");
	load(A, IMAGE_UNIT);
	CHECK_TRACE("[block of 1 row (reuse rewrite 1)free 2 of 2 ]");
	/* All room is one block; the units of others are free again. */
	images_unloaded(at(A));
	(void)trace_take();
	load(A, most);
	CHECK_EQUAL(copy[most - 1], 7);
	load(B, 100);
	CHECK(image_tables.row.size == 100 && image_tables.row.bytes == 0);
	images_unloaded(at(A));
	load(A, most + 1);
	CHECK_EQUAL(image_tables.row.bytes, 0);
	load(A, MAX_BYTES + 1);
	CHECK_EQUAL(image_tables.row.bytes, 0);
	load(A, (uint64_t)IMAGE_UNIT << 32);
	CHECK_EQUAL(image_tables.row.bytes, 0);
	(void)trace_take();
	images_loaded(at(C), ".version 9.0", unknown);
	CHECK_TRACE("[(reuse rewrite 3)]");
	CHECK(image_tables.row.size == 0 && image_tables.row.bytes == 0);
	image_tables.module = 5;
	load(C, 100);
	CHECK(image_tables.row.module == 5 && image_tables.row.offset == (uintptr_t)bytes - 16);
	CHECK(image_tables.row.bytes == 0);
}

static void test_nothing(void)
{
	start();
	images_loaded(NULL, bytes, unknown);
	images_loaded(at(A), NULL, unknown);
	images_loaded_file(NULL, "/proc/self/exe", unknown);
	images_loaded_file(at(A), NULL, unknown);
	images_derived(NULL, at(A));
	CHECK_TRACE("");
	images_unloaded(NULL);
	CHECK_TRACE("[]");
	images_drop(0);
	images_drop(IMAGE_UNSEEN);
	CHECK_TRACE("[][]");
	CHECK(images_of(NULL, at(A)) == 0 && images_of(at(A), NULL) == IMAGE_UNSEEN);
	CHECK_TRACE("[][]");
	images_loaded_library();
	CHECK_EQUAL(images_of(at(A), NULL), 0);
}

/* The last id is used, and none after it. */
static void test_last_id(void)
{
	start();
	image_tables.next_row = IMAGE_ID_MAX;
	load_file(A, unknown);
	CHECK_EQUAL(images_of(at(A), NULL), IMAGE_ID_MAX);
	CHECK_TRACE("[row ][]");
	load_file(B, unknown);
	CHECK_TRACE("[row string 14 ]");
	CHECK_EQUAL(images_of(at(B), NULL), 0);
	images_unloaded(at(A));
	CHECK_TRACE("[][(reuse rewrite 65534)string 14 ]");
	images_drop(IMAGE_ID_MAX);
	CHECK_TRACE("[]");
	load_file(C, unknown);
	CHECK_TRACE("[(reuse rewrite 65534)]");
	images_context_ending(0);
	CHECK_TRACE("[clear (reuse rewrite 65534)string 14 ]");
}

/* Without room in the map, a module's image is unknown, not in a file that no call loaded. */
static void test_no_map(void)
{
	start();
	image_tables.has_no_map = true;
	load_file(A, unknown);
	CHECK_TRACE("[row (reuse rewrite 1)string 14 ]");
	CHECK_EQUAL(images_of(at(A), NULL), 0);
	images_derived(at(B), at(A));
	image_tables.has_no_map = false;
	load_file(A, unknown);
	(void)trace_take();
	image_tables.has_no_map = true;
	images_derived(at(B), at(A));
	image_tables.has_no_map = false;
	CHECK_TRACE("[]");
	images_unloaded(at(A));
	CHECK_TRACE("[(reuse rewrite 1)string 14 ]");
	load_file(A, unknown);
	CHECK_TRACE("[(reuse rewrite 1)]");
}

/* After the failure rows stay as they are. */
static void test_frozen(void)
{
	start();
	load_file(A, unknown);
	load_file(B, unknown);
	images_unloaded(at(A));
	(void)trace_take();
	image_tables.is_frozen = true;
	images_unloaded(at(B));
	CHECK_TRACE("[()()]");
	load_file(A, unknown);
	CHECK_TRACE("[()row ]");
}

static void test_held(void)
{
	start();
	load_file(A, unknown);
	images_derived(at(B), at(A));
	images_derived(at(C), at(B));
	CHECK(images_of(NULL, at(C)) == 1);
	(void)trace_take();
	images_unloaded(at(A));
	CHECK_TRACE("[(reuse rewrite 1)string 14 ]");
	images_derived(at(B), at(7)); /* of an unknown one */
	images_drop(1);
	CHECK_TRACE("[][]");
	CHECK_EQUAL(images_of(at(9), at(B)), 0);
	load_file(A, unknown);
	CHECK_TRACE("[][row ]");
	images_unloaded_library(at(A));
	CHECK_TRACE("[clear (reuse rewrite 2)string 14 ]");
	CHECK_EQUAL(images_of(at(9), at(C)), IMAGE_UNSEEN);
	(void)trace_take();
	load_file(A, unknown); /* the row of the first one */
	CHECK_TRACE("[(reuse rewrite 1)]");
}

static void test_contexts(void)
{
	const struct image_context one = {.id = 1}, green = {.id = 2, .primary = 1}, two = {3, 0};
	start();
	load_file(A, one);
	load_file(B, green);
	load_file(C, two);
	images_derived(at(4), at(A));
	(void)trace_take();
	images_context_ending(1);
	CHECK_TRACE("[clear (reuse rewrite 1)string 14 "
		    "(reuse rewrite 2)string 14 ]");
	CHECK(images_of(at(A), NULL) == 0 && images_of(at(C), at(4)) == 3);
	load_file(A, one);
	load_file(B, green);
	(void)trace_take();
	images_context_ending(0);
	CHECK_EQUAL(images_of(at(C), NULL), 0);
	CHECK_TRACE("[clear (reuse rewrite 1)string 14 (reuse rewrite 2)string 14 ][]");
	images_drop(3);
	CHECK_TRACE("[(reuse rewrite 3)string 14 ]");
}

int main(void)
{
	static void (*const tests[])(void) = {test_blocks, test_nothing, test_last_id, test_no_map,
					      test_frozen, test_held,    test_contexts};
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		check_in_child(tests[i]);
	return 0;
}
