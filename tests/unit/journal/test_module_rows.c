/*
 * test_module_rows.c - what is read of a module that the loader lists, when it counts as another
 * one, and when the list is read. The loader is simulated; each case is a process of its own.
 */
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/module_file.h"
#include "record/journal/bundle.h"
#include "record/journal/modules.h"
#include "record/journal/row_uses.h"
#include "record/journal/strings.h"
#include "support/check.h"

enum { N_FULL = 16 * 1024, MAX_LOADED = N_FULL + 1, N_SEGMENTS = 5 };

static struct loaded {
	const char *path;
	uint64_t bias;
	uint16_t n_segments;
	ElfW(Phdr) segments[N_SEGMENTS];
} loaded[MAX_LOADED];
static uint32_t n_loaded;
static uint64_t n_unloads;
static size_t info_size = sizeof(struct dl_phdr_info);
static unsigned n_readings; /* of the whole list */
static bool is_raced;       /* another thread reads the list at the same time */

static struct module_row newest; /* row that was added last */
static uint32_t n_rows;
static bool has_no_rows;
static int n_held;

int __wrap_dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *data);
int __wrap_dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *data)
{
	static int (*first_visit)(struct dl_phdr_info *, size_t, void *);
	static void *first_data;
	static bool is_second;
	int result = 0;
	if (is_raced && !is_second) {
		first_visit = visit;
		first_data = data;
		is_second = true;
		modules_unloaded();
		is_raced = false;
	}
	for (uint32_t i = 0; i < n_loaded && !result; i++) {
		struct dl_phdr_info info = {.dlpi_addr = loaded[i].bias,
					    .dlpi_name = loaded[i].path,
					    .dlpi_phdr = loaded[i].segments,
					    .dlpi_phnum = loaded[i].n_segments,
					    .dlpi_subs = n_unloads};
		result = visit(&info, info_size, data);
		if (is_raced)
			(void)first_visit(&info, info_size, first_data);
	}
	n_readings += !result;
	return result;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	CHECK(mutex);
	return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	CHECK(mutex);
	return 0;
}

uint32_t strings_hold(const char *bytes, size_t length, enum string_room room)
{
	CHECK(length && room == STRINGS_OTHER);
	n_held++;
	return (uint32_t)(unsigned char)bytes[length - 1];
}

void strings_drop(uint32_t id)
{
	n_held -= id != 0;
}

uint32_t row_uses_add(struct row_uses *uses, const void *row)
{
	CHECK_EQUAL(uses->file, JOURNAL_MODULES);
	CHECK_EQUAL(uses->use_offset, offsetof(struct module_row, use));
	newest = *(const struct module_row *)row;
	if (has_no_rows)
		return 0;
	if (++n_rows < 99)
		trace_add("add %u ", n_rows);
	return n_rows;
}

void row_uses_give(struct row_uses *uses, uint32_t id)
{
	static const struct module_row row = {.path = 1};
	trace_add("give %u ", id);
	uses->end(id, &row);
}

struct table *bundle_table(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_MODULES);
	return NULL;
}

void *table_row(const struct table *table, uint32_t id)
{
	CHECK(!table && id);
	return &newest;
}

/* Load a module with one segment at the start. */
static struct loaded *load(const char *path, uint64_t start, uint64_t end)
{
	struct loaded *module = &loaded[n_loaded++];
	*module = (struct loaded){.path = path, .bias = start, .n_segments = 1};
	module->segments[0] = (ElfW(Phdr)){.p_type = PT_LOAD, .p_memsz = end - start};
	return module;
}

static uint32_t find(uint64_t address)
{
	uint64_t bias = 0;
	return modules_find(address, &bias);
}

static void test_segments(void)
{
	struct loaded *module = load("no such file/a", 0x10000, 0x11000);
	module->n_segments = 4;
	module->segments[0] = (ElfW(Phdr)){.p_type = PT_DYNAMIC, .p_memsz = 0x9000};
	module->segments[1] = (ElfW(Phdr)){.p_type = PT_LOAD, .p_vaddr = 0x1000, .p_memsz = 0x300};
	module->segments[2] = (ElfW(Phdr)){.p_type = PT_LOAD, .p_vaddr = 0x3000, .p_memsz = 0x234};
	module->segments[3] = (ElfW(Phdr)){.p_type = PT_LOAD, .p_vaddr = 0x2000, .p_memsz = 0x800};
	module->segments[4] = (ElfW(Phdr)){.p_type = PT_LOAD, .p_memsz = 0x9000};
	modules_unloaded();
	struct module_row wanted = {.start = 0x11000, .end = 0x13234, .bias = 0x10000, .path = 'a'};
	CHECK(memcmp(&newest, &wanted, sizeof(wanted)) == 0);
	(void)load("no such file/b", 0x20000, 0x20000);
	load("no such file/c", 0x30000, 0x31000)->segments[0].p_type = PT_DYNAMIC;
	modules_unloaded();
	CHECK_TRACE("add 1 ");
	CHECK_EQUAL(n_held, 1);
}

/* A note: its header, the name, and the description in whole words. */
struct note {
	ElfW(Nhdr) header;
	char name[4];
	uint8_t bytes[BUILD_ID_MAX + 4];
};
static const struct note build_id = {{4, BUILD_ID_MAX, NT_GNU_BUILD_ID}, "GNU", {1, 2, 3, 4, 5}};

/* Load a module with these notes, and return the size of its build-id. */
static uint32_t read_notes(const void *notes, size_t size, uint32_t type)
{
	n_loaded = 0;
	struct loaded *module = load("no such file/n", 0x10000, 0x11000);
	module->n_segments = 2;
	module->segments[1] = (ElfW(Phdr)){.p_type = type,
					   .p_vaddr = (uintptr_t)notes - module->bias,
					   .p_filesz = size,
					   .p_memsz = 1};
	modules_unloaded();
	uint32_t n = newest.build_id_size;
	if (n)
		CHECK(memcmp(newest.build_id, build_id.bytes, n) == 0);
	module->bias++; /* lets the next one be new */
	module->segments[1].p_type = PT_NULL;
	modules_unloaded();
	return n;
}

static size_t note_size(const struct note *note)
{
	return sizeof(note->header) + sizeof(note->name) + ((note->header.n_descsz + 3u) & ~3u);
}

static uint32_t read_note(const struct note *note)
{
	return read_notes(note, note_size(note), PT_NOTE);
}

static void test_build_ids(void)
{
	CHECK_EQUAL(read_note(&build_id), BUILD_ID_MAX);
	CHECK_EQUAL(read_notes(&build_id, note_size(&build_id), PT_DYNAMIC), 0);
	CHECK_EQUAL(read_notes(&build_id, note_size(&build_id) - 1, PT_NOTE), 0);
	struct note note = build_id;
	note.header.n_descsz = 5;
	CHECK_EQUAL(read_note(&note), 5);
	note.header.n_descsz = BUILD_ID_MAX + 1;
	CHECK_EQUAL(read_note(&note), 0);
	note = build_id;
	note.header.n_type = NT_GNU_ABI_TAG;
	CHECK_EQUAL(read_note(&note), 0);
	note = build_id;
	note.header.n_namesz = 3;
	CHECK_EQUAL(read_note(&note), 0);
	note = build_id;
	note.name[3] = 'X';
	CHECK_EQUAL(read_note(&note), 0);
	/* The first build-id of several notes counts. */
	struct note several[3];
	unsigned char bytes[sizeof(several)];
	several[0] = several[2] = note;
	several[1] = build_id;
	several[0].header.n_descsz = 6;
	several[1].header.n_descsz = 8;
	several[2].name[3] = 0;
	size_t size = 0;
	for (int i = 0; i < 3; i++) {
		memcpy(bytes + size, &several[i], note_size(&several[i]));
		size += note_size(&several[i]);
	}
	CHECK_EQUAL(read_notes(bytes, size, PT_NOTE), 8);
	size -= note_size(&several[2]);
	CHECK_EQUAL(read_notes(bytes, size - 1, PT_NOTE), 0);
}

static void test_first_notes(void)
{
	struct note other = build_id;
	other.bytes[0] = 9;
	struct loaded *module = load("/proc/self/exe", 0x10000, 0x11000);
	module->n_segments = 3;
	const void *notes[] = {&build_id, &other};
	for (int i = 0; i < 2; i++)
		module->segments[1 + i] =
			(ElfW(Phdr)){.p_type = PT_NOTE,
				     .p_vaddr = (uintptr_t)notes[i] - module->bias,
				     .p_filesz = note_size(&other)};
	modules_unloaded();
	CHECK(newest.build_id_size == BUILD_ID_MAX && newest.build_id[0] == 1 && !newest.flags);
	CHECK_EQUAL(newest.path, 'e');
}

/* A module without a build-id is known by its file, which may change while it is loaded. */
static void test_files(void)
{
	char path[] = "/tmp/culprit-modules-XXXXXX";
	int fd = mkstemp(path);
	CHECK(fd >= 0);
	struct stat status;
	(void)load(path, 0x10000, 0x11000);
	modules_unloaded();
	CHECK(fstat(fd, &status) == 0);
	struct module_file file = module_file_of(&status);
	CHECK(newest.flags == MODULE_HAS_FILE && !memcmp(&newest.file, &file, sizeof(file)));
	CHECK(ftruncate(fd, 100) == 0);
	modules_unloaded();
	CHECK_TRACE("add 1 ");
	CHECK(close(fd) == 0 && unlink(path) == 0);
	(void)load("", 0x20000, 0x21000);
	modules_unloaded();
	CHECK(stat("/proc/self/exe", &status) == 0);
	file = module_file_of(&status);
	CHECK(newest.flags == MODULE_HAS_FILE && !memcmp(&newest.file, &file, sizeof(file)));
	char self[4096];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self));
	CHECK(length > 0 && newest.path == (uint32_t)self[length - 1]);
}

/* Each fact of a module shows that it is another one. */
static void test_others(void)
{
	struct note short_id = {{4, 4, NT_GNU_BUILD_ID}, "GNU", {1, 2, 3, 4}};
	struct note long_id = short_id, other_id = short_id;
	long_id.header.n_descsz = 8;
	other_id.bytes[3] = 5;
	const struct note *ids[] = {&short_id, &other_id, &short_id, &long_id};
	struct loaded *module = load("no such file/a", 0x10000, 0x12000);
	ElfW(Phdr) *segment = &module->segments[0];
	modules_unloaded();
	segment->p_memsz -= 0x100;
	modules_unloaded();
	segment->p_vaddr += 0x100;
	segment->p_memsz -= 0x100;
	modules_unloaded();
	segment->p_vaddr += 0x100;
	module->bias -= 0x100;
	modules_unloaded();
	module->path = "no such file/b";
	modules_unloaded();
	CHECK_TRACE("add 1 give 1 add 2 give 2 add 3 give 3 add 4 give 4 add 5 ");
	module->n_segments = 2;
	for (int i = 0; i < 4; i++) {
		module->segments[1] = (ElfW(Phdr)){.p_type = PT_NOTE,
						   .p_vaddr = (uintptr_t)ids[i] - module->bias,
						   .p_filesz = note_size(ids[i])};
		modules_unloaded();
		modules_unloaded();
	}
	CHECK_TRACE("give 5 add 6 give 6 add 7 give 7 add 8 give 8 add 9 ");
	CHECK_EQUAL(n_held, 1);
	CHECK(modules_discovered() == 9 && modules_gone() == 8);
}

/* Modules without a gap between them stay apart. */
static void test_neighbours(void)
{
	(void)load("no such file/b", 0x2000, 0x3000);
	modules_unloaded();
	(void)load("no such file/a", 0x1000, 0x2000);
	(void)load("no such file/c", 0x3000, 0x4000);
	modules_unloaded();
	CHECK_TRACE("add 1 add 2 add 3 ");
	struct module_location locations[] = {
		{.address = 0x1fff}, {.address = 0x2000}, {.address = 0x2fff}, {.address = 0x1000}};
	modules_find_all(locations, 4);
	CHECK(locations[0].id == 2 && locations[1].id == 1);
	CHECK(locations[2].id == 1 && locations[3].id == 2);
	CHECK_EQUAL(n_readings, 2);
	/* A new module's address is the first of several. */
	(void)load("no such file/d", 0x5000, 0x6000);
	locations[0].address = 0x5000;
	modules_find_all(locations, 2);
	CHECK(locations[0].id == 4 && locations[1].id == 1);
	CHECK_EQUAL(n_readings, 3);
	(void)find(0x6000);
	CHECK_EQUAL(n_readings, 4);
	modules_note_bypass(0x6000);
	CHECK_EQUAL(newest.flags, 0);
}

/* The loader may be too old to count what it unloads. */
static void test_counts(void)
{
	(void)load("no such file/a", 0x1000, 0x2000);
	n_unloads = 5;
	info_size = offsetof(struct dl_phdr_info, dlpi_subs) + sizeof(n_unloads);
	CHECK(find(0x1000) == 1 && n_readings == 1);
	CHECK(find(0x1000) == 1 && n_readings == 1);
	n_unloads = 6;
	CHECK(find(0x1000) == 1 && n_readings == 2);
	info_size--;
	modules_unloaded();
	n_unloads = 7;
	CHECK(find(0x1000) == 1 && n_readings == 3);
}

/* A thread that began to read earlier sees a module after one that began later. */
static void test_race(void)
{
	(void)load("no such file/a", 0x1000, 0x2000);
	is_raced = true;
	modules_unloaded();
	CHECK_TRACE("add 1 ");
	CHECK(n_readings == 2 && find(0x1000) == 1 && modules_gone() == 0);
}

static void test_no_rows(void)
{
	(void)load("no such file/a", 0x1000, 0x2000);
	has_no_rows = true;
	uint64_t bias = 1;
	CHECK(modules_find(0x1000, &bias) == 0 && bias == 0);
	CHECK(n_held == 1 && n_readings == 1);
	CHECK(modules_find(0x1000, &bias) == 0 && n_readings == 1);
	n_loaded = 0;
	modules_unloaded();
	CHECK_EQUAL(n_held, 0);
	CHECK_TRACE("");
}

static void test_full(void)
{
	for (uint64_t i = 0; i <= N_FULL; i++)
		(void)load("no such file/a", i << 13, (i << 13) + 0x1000);
	modules_unloaded();
	CHECK(n_rows == N_FULL && n_held == N_FULL);
	CHECK_EQUAL(find((uint64_t)(N_FULL - 1) << 13), N_FULL);
	CHECK_EQUAL(find((uint64_t)N_FULL << 13), 0);
	CHECK_EQUAL(n_readings, 1);
	CHECK_EQUAL(modules_gone(), 0);
}

int main(void)
{
	static void (*const tests[])(void) = {
		test_segments,   test_build_ids, test_first_notes, test_files,   test_others,
		test_neighbours, test_counts,    test_race,        test_no_rows, test_full};
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		check_in_child(tests[i]);
	return 0;
}
