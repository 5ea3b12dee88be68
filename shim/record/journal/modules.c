/*
 * modules.c - the journal's module table: a sorted array of what the loader has mapped.
 */
#include "record/journal/modules.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/module_file.h"
#include "record/journal/bundle.h"
#include "record/journal/row_uses.h"
#include "record/journal/strings.h"

/* As many as have rows in the journal. Memory for modules that do not exist stays untouched. */
enum { MAX_MODULES = 16 * 1024 };

struct module {
	struct module_row row;
	uint32_t id;
	uint64_t seen; /* number of the newest scan that saw it */
};

/* One reading of the loader's list. */
struct scan {
	uint64_t number; /* from 1; a later one has a higher number */
	uint64_t n_unloads;
};

/*
 * Guards all below. The scan takes it inside the loader's lock, so no loader function is called
 * under it. The locks of used rows, strings and tables are taken under it.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct module modules[MAX_MODULES];
static uint16_t order[MAX_MODULES]; /* indexes in modules[], by address; then the free indexes */
static uint32_t n_modules;
static uint32_t n_locations; /* number of entries of modules[] used so far */
static uint64_t n_scans;
static uint64_t n_unloads; /* the loader's count at the newest complete scan */
static uint64_t n_gone;    /* atomic; raised under the lock */

static uint64_t n_discovered; /* atomic; raised under the lock */

/* If a note is a GNU build-id, copy its description into the row. */
static void read_build_id(struct module_row *row, const char *notes, size_t size)
{
	while (size >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)notes;
		size_t name_size = (note->n_namesz + 3u) & ~3u;
		size_t whole = sizeof(*note) + name_size + ((note->n_descsz + 3u) & ~3u);
		if (whole > size)
			return;
		const char *name = notes + sizeof(*note);
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
		    memcmp(name, "GNU", 4) == 0 && note->n_descsz <= BUILD_ID_MAX) {
			row->build_id_size = note->n_descsz;
			memcpy(row->build_id, name + name_size, note->n_descsz);
			return;
		}
		notes += whole;
		size -= whole;
	}
}

/* Without a build-id, inode, size and time show that a file was rebuilt while the process runs. */
static void read_file(struct module_row *row, const char *name)
{
	struct stat status;
	if (row->build_id_size || stat(name[0] ? name : "/proc/self/exe", &status) != 0)
		return;
	row->file = module_file_of(&status);
	row->flags = MODULE_HAS_FILE;
}

static void read_segments(struct module_row *row, const struct dl_phdr_info *info)
{
	row->start = UINT64_MAX;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t start = info->dlpi_addr + segment->p_vaddr;
		uint64_t end = start + segment->p_memsz;
		if (segment->p_type == PT_LOAD && start < row->start)
			row->start = start;
		if (segment->p_type == PT_LOAD && end > row->end)
			row->end = end;
		if (segment->p_type == PT_NOTE && !row->build_id_size)
			read_build_id(row, (const char *)(uintptr_t)start, segment->p_filesz);
	}
}

/* Return the position in order[] of the first module that ends after the address. */
static uint32_t position_of(uint64_t address)
{
	uint32_t low = 0;
	uint32_t high = n_modules;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (modules[order[middle]].row.end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static const struct module *find_module(uintptr_t address)
{
	uint32_t position = position_of(address);
	const struct module *module = &modules[order[position % MAX_MODULES]];
	return position < n_modules && address >= module->row.start ? module : NULL;
}

/* Return the path, held. The loader names the executable "". */
static uint32_t path_of(const char *name)
{
	if (name[0])
		return strings_hold(name, strlen(name), STRINGS_OTHER);
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
	return length > 0 ? strings_hold(path, (size_t)length, STRINGS_OTHER) : 0;
}

static void end_row(uint32_t place, const void *row)
{
	(void)place;
	strings_drop(((const struct module_row *)row)->path);
}

static uint16_t given[ROW_ID_MAX + 1];
static struct row_uses rows = {.file = JOURNAL_MODULES,
			       .n_kept = MAX_MODULES / 4,
			       .use_offset = offsetof(struct module_row, use),
			       .end = end_row,
			       .given = given};

/* The text of a module with a row is dropped when that row is used again. */
static void let_go(const struct module *module)
{
	if (module->id)
		row_uses_give(&rows, module->id);
	else
		strings_drop(module->row.path);
}

/* Drop a module that is not mapped any more. */
static void drop(uint32_t position)
{
	uint16_t place = order[position];
	let_go(&modules[place]);
	memmove(&order[position], &order[position + 1],
		(--n_modules - position) * sizeof(order[0]));
	order[n_modules] = place;
	/* Pairs with the acquire load in modules_gone(). */
	__atomic_store_n(&n_gone, n_gone + 1, __ATOMIC_RELEASE);
}

/* Ignore the file's facts: they date from when the module was first seen. */
static bool is_same(const struct module_row *known, const struct module_row *row)
{
	return known->start == row->start && known->end == row->end && known->bias == row->bias &&
	       known->path == row->path && known->build_id_size == row->build_id_size &&
	       (!row->build_id_size ||
		memcmp(known->build_id, row->build_id, sizeof(row->build_id)) == 0);
}

/* Return the module with this row; drop others at its place, which are unmapped. NULL: new. */
static struct module *find_same(const struct module_row *row)
{
	uint32_t position = position_of(row->start);
	while (position < n_modules && modules[order[position]].row.start < row->end) {
		struct module *module = &modules[order[position]];
		if (is_same(&module->row, row))
			return module;
		drop(position);
	}
	return NULL;
}

/* Insert a module. The caller has checked that there is room, and that its place is free. */
static struct module *insert(const struct module_row *row)
{
	uint32_t position = position_of(row->start);
	uint16_t place = n_modules < n_locations ? order[n_modules] : (uint16_t)n_locations++;
	memmove(&order[position + 1], &order[position],
		(n_modules++ - position) * sizeof(order[0]));
	order[position] = place;
	modules[place] = (struct module){.row = *row};
	modules[place].id = row_uses_add(&rows, row);
	__atomic_store_n(&n_discovered, n_discovered + 1, __ATOMIC_RELEASE);
	return &modules[place];
}

/* The same file at the same address keeps its id, however often the loader's list is read. */
static void note_module(const struct module_row *row, uint64_t scan_number)
{
	struct module *module = find_same(row);
	/* Only a new module holds the path. */
	if (module || n_modules == MAX_MODULES)
		strings_drop(row->path);
	else
		module = insert(row);
	if (module && module->seen < scan_number)
		module->seen = scan_number;
}

static int scan_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct scan *scan = data;
	struct module_row row = {.bias = info->dlpi_addr};
	if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof(info->dlpi_subs))
		scan->n_unloads = info->dlpi_subs;
	read_segments(&row, info);
	if (row.start >= row.end)
		return 0;
	read_file(&row, info->dlpi_name);
	row.path = path_of(info->dlpi_name);
	pthread_mutex_lock(&lock);
	note_module(&row, scan->number);
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Drop modules that neither this scan nor a later one has seen. Under the lock. */
static void drop_unseen(const struct scan *scan)
{
	for (uint32_t i = n_modules; i-- > 0;) {
		if (modules[order[i]].seen < scan->number)
			drop(i);
	}
}

/* Read the loader's list, and forget modules that are not in it any more. */
static void scan_all(void)
{
	pthread_mutex_lock(&lock);
	struct scan scan = {.number = ++n_scans};
	pthread_mutex_unlock(&lock);
	(void)dl_iterate_phdr(scan_module, &scan);
	pthread_mutex_lock(&lock);
	drop_unseen(&scan);
	n_unloads = scan.n_unloads;
	pthread_mutex_unlock(&lock);
}

static int read_unloads(struct dl_phdr_info *info, size_t size, void *out_n_unloads)
{
	if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof(info->dlpi_subs))
		*(uint64_t *)out_n_unloads = info->dlpi_subs;
	return 1; /* all modules say the same */
}

static bool is_current(void)
{
	uint64_t unloads = 0;
	(void)dl_iterate_phdr(read_unloads, &unloads);
	pthread_mutex_lock(&lock);
	bool is_same = unloads == n_unloads;
	pthread_mutex_unlock(&lock);
	return is_same;
}

static bool is_in(const struct module *module, uintptr_t address)
{
	return module && address >= module->row.start && address < module->row.end;
}

/* Return false if reading the loader's list may show more. */
static bool look_up(struct module_location *locations, uint32_t n)
{
	const struct module *module = NULL;
	bool is_final = true;
	pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < n; i++) {
		/* Most callers are in the same module. */
		if (!is_in(module, locations[i].address))
			module = find_module(locations[i].address);
		is_final = is_final && (module || n_modules == MAX_MODULES);
		locations[i].id = module ? module->id : 0;
		/* A module without a row counts as none. */
		locations[i].bias = locations[i].id ? module->row.bias : 0;
	}
	pthread_mutex_unlock(&lock);
	return is_final;
}

void modules_find_all(struct module_location *locations, uint32_t n)
{
	if (is_current() && look_up(locations, n))
		return;
	scan_all();
	(void)look_up(locations, n);
}

uint32_t modules_find(uintptr_t address, uint64_t *out_bias)
{
	struct module_location place = {.address = address};
	modules_find_all(&place, 1);
	*out_bias = place.bias;
	return place.id;
}

void modules_unloaded(void)
{
	scan_all();
}

void modules_note_bypass(uintptr_t address)
{
	uint64_t bias = 0;
	uint32_t id = modules_find(address, &bias);
	if (!id)
		return;
	struct module_row *row = table_row(bundle_table(JOURNAL_MODULES), row_id_place(id));
	(void)__atomic_fetch_or(&row->flags, MODULE_BYPASSES, __ATOMIC_RELAXED);
}

uint64_t modules_gone(void)
{
	return __atomic_load_n(&n_gone, __ATOMIC_ACQUIRE);
}

uint64_t modules_discovered(void)
{
	return __atomic_load_n(&n_discovered, __ATOMIC_ACQUIRE);
}
