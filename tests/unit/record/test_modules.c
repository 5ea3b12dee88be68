/*
 * Unit tests of the module table, with a simulated loader. Modules come and go with and without
 * notice, and an address must never be given the name of what was there before.
 */
#include <link.h>
#include <pthread.h>
#include <string.h>

#include "record/journal/bundle.h"
#include "record/journal/modules.h"
#include "record/journal/row_uses.h"
#include "record/journal/strings.h"
#include "support/check.h"

enum { MANY = 10000, MAX_LOADED = MANY + 8, MAX_ROWS = MANY + 64 };

/* The loader's modules in its order, and how often it unloaded one. */
static struct loaded {
	const char *path;
	ElfW(Phdr) segment;
	uint64_t bias;
} loaded[MAX_LOADED];
static int n_loaded;
static uint64_t n_unloads;
static long n_visited; /* modules that were looked at in its list */

static struct module_row rows[MAX_ROWS];
static uint32_t n_rows;

/*
 * Replaces the C library's function, for modules.c alone (--wrap): a sanitizer's runtime calls it
 * too.
 */
int __wrap_dl_iterate_phdr(int (*scope)(struct dl_phdr_info *, size_t, void *), void *data);
int __wrap_dl_iterate_phdr(int (*scope)(struct dl_phdr_info *, size_t, void *), void *data)
{
	int result = 0;
	for (int i = 0; i < n_loaded && !result; i++) {
		struct dl_phdr_info info = {
			.dlpi_addr = loaded[i].bias,
			.dlpi_name = loaded[i].path,
			.dlpi_phdr = &loaded[i].segment,
			.dlpi_phnum = 1,
			.dlpi_subs = n_unloads,
		};
		result = scope(&info, sizeof(info), data);
		n_visited++;
	}
	return result;
}

/* The table's lock is taken before it is released, and never twice. */
static bool is_locked;

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	CHECK(mutex && !is_locked);
	is_locked = true;
	return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	CHECK(mutex && is_locked);
	is_locked = false;
	return 0;
}

/* Each path is held by as many rows as are later released with it. */
static int n_held, n_dropped;

uint32_t strings_hold(const char *bytes, size_t length, enum string_room room)
{
	CHECK_EQUAL(room, STRINGS_OTHER);
	n_held++;
	return (uint32_t)(unsigned char)bytes[length - 1];
}

void strings_drop(uint32_t id)
{
	CHECK(id);
	n_dropped++;
}

uint32_t row_uses_add(struct row_uses *uses, const void *row)
{
	CHECK_EQUAL(uses->file, JOURNAL_MODULES);
	CHECK(n_rows + 1 < MAX_ROWS);
	memcpy(&rows[++n_rows], row, sizeof(rows[0]));
	return n_rows;
}

void row_uses_give(struct row_uses *uses, uint32_t id)
{
	CHECK(id && id <= n_rows);
	uses->end(id, &rows[id]);
}

struct table *bundle_table(enum journal_file kind)
{
	static struct table table;
	CHECK_EQUAL(kind, JOURNAL_MODULES);
	return &table;
}

void *table_row(const struct table *table, uint32_t id)
{
	(void)table;
	CHECK(id && id <= n_rows);
	return &rows[id];
}

static void load(const char *path, uint64_t start, uint64_t end)
{
	CHECK(n_loaded < MAX_LOADED);
	loaded[n_loaded++] = (struct loaded){
		.path = path,
		.segment = {.p_type = PT_LOAD, .p_memsz = end - start},
		.bias = start,
	};
}

static void unload(const char *path)
{
	int n_kept = 0;
	for (int i = 0; i < n_loaded; i++) {
		if (strcmp(loaded[i].path, path) != 0)
			loaded[n_kept++] = loaded[i];
	}
	CHECK_EQUAL(n_kept, n_loaded - 1);
	n_loaded = n_kept;
	n_unloads++;
}

/* Return the last letter of the path of the module there, 0 without a module. */
static char name_at(uint64_t address)
{
	uint64_t bias = 0;
	uint32_t id = modules_find(address, &bias);
	CHECK(id <= n_rows);
	CHECK(bias == (id ? rows[id].bias : 0));
	return id ? (char)rows[id].path : 0;
}

static void test_found(void)
{
	load("lib/a", 0x1000, 0x3000);
	load("lib/b", 0x5000, 0x6000);
	CHECK_EQUAL(name_at(0x1000), 'a');
	CHECK_EQUAL(name_at(0x2fff), 'a');
	CHECK_EQUAL(name_at(0x3000), 0);
	CHECK_EQUAL(name_at(0x5000), 'b');
	load("lib/c", 0x8000, 0x9000);
	CHECK_EQUAL(name_at(0x8000), 'c');
	CHECK_EQUAL(n_rows, 3); /* each once, however often the list was read */
	struct module_location locations[] = {{.address = 0x8fff},
					      {.address = 0x8000},
					      {.address = 0x3000},
					      {.address = 0x1000},
					      {.address = 0x2000}};
	modules_find_all(locations, 5);
	CHECK_EQUAL(rows[locations[0].id].path, 'c');
	CHECK_EQUAL(rows[locations[1].id].path, 'c');
	CHECK_EQUAL(locations[2].id, 0);
	CHECK_EQUAL(locations[2].bias, 0);
	CHECK_EQUAL(locations[3].id, locations[4].id);
	CHECK_EQUAL(locations[4].bias, 0x1000);
	CHECK_EQUAL(modules_discovered(), n_rows);
	CHECK_EQUAL(modules_gone(), 0);
}

/* The row says so, and the module stays the same one. */
static void test_bypassing(void)
{
	modules_note_bypass(0x5800);
	modules_note_bypass(0x7000); /* no module is there */
	uint64_t bias = 0;
	CHECK_EQUAL(rows[modules_find(0x5000, &bias)].flags, MODULE_BYPASSES);
	CHECK_EQUAL(rows[modules_find(0x1000, &bias)].flags, 0);
	modules_unloaded();
	CHECK_EQUAL(n_rows, 3);
}

static void test_told(void)
{
	uint64_t gone = modules_gone();
	unload("lib/b");
	modules_unloaded();
	CHECK_EQUAL(modules_gone(), gone + 1);
	CHECK_EQUAL(name_at(0x5000), 0);
	modules_unloaded();
	CHECK_EQUAL(modules_gone(), gone + 1);
}

/* There was no notice, and the new module is where the old one was. */
static void test_same_place(void)
{
	uint64_t gone = modules_gone();
	unload("lib/c");
	load("lib/d", 0x8000, 0x9000);
	CHECK_EQUAL(name_at(0x8800), 'd');
	CHECK_EQUAL(modules_gone(), gone + 1);
}

/* The new module starts before the old ones, and looking up an address in it reads the list. */
static void test_overlapping(void)
{
	uint64_t gone = modules_gone();
	unload("lib/a");
	unload("lib/d");
	load("lib/e", 0x800, 0xa000);
	CHECK_EQUAL(name_at(0x900), 'e');
	CHECK_EQUAL(name_at(0x1800), 'e');
	CHECK_EQUAL(name_at(0x8800), 'e');
	CHECK_EQUAL(modules_gone(), gone + 2);
}

/* Modules in any order; each is found without reading the whole list again. */
static void test_many(void)
{
	uint64_t gone = modules_gone();
	uint32_t n_before = n_rows;
	for (uint64_t i = 0; i < MANY; i++)
		load("lib/m", 0x100000 + i * 7919 % MANY * 0x2000,
		     0x101000 + i * 7919 % MANY * 0x2000);
	CHECK_EQUAL(name_at(0x100000), 'm');
	CHECK_EQUAL(n_rows, n_before + MANY);
	n_visited = 0;
	for (uint64_t i = 0; i < MANY; i++)
		CHECK_EQUAL(name_at(0x100800 + i * 0x2000), 'm');
	CHECK_EQUAL(n_visited, MANY);
	for (int i = 0; i < MANY / 2; i++)
		n_loaded--;
	n_unloads++;
	modules_unloaded();
	CHECK_EQUAL(modules_gone(), gone + MANY / 2);
	CHECK_EQUAL(name_at(0x100000 + (uint64_t)(n_loaded - 2) * 7919 % MANY * 0x2000), 'm');
	CHECK_EQUAL(name_at(0x100000 + (uint64_t)(n_loaded - 1) * 7919 % MANY * 0x2000 + 0x1000),
		    0);
}

int main(void)
{
	test_found();
	test_bypassing();
	test_told();
	test_same_place();
	test_overlapping();
	test_many();
	modules_unloaded();
	CHECK_EQUAL(n_held - n_dropped, n_loaded);
	return 0;
}
