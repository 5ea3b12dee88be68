/*
 * modules.c - the journal's module table: a sorted array of what the loader has mapped.
 */
#include "modules.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "bundle.h"
#include "strings.h"

enum { MAX_MODULES = 4096 };

struct module {
	struct module_row row;
	uint32_t id;
	bool is_mapped; /* seen by the scan under way */
};

/*
 * Guards all below. Taken inside the loader's lock by the scan, so no loader function is called
 * under it; the locks of strings and tables are taken under it.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct module modules[MAX_MODULES];
static uint32_t n_modules;

/* The note's description if it is a GNU build-id, copied into the row. */
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

static struct module *find_module(uintptr_t address)
{
	for (uint32_t i = 0; i < n_modules; i++) {
		if (address >= modules[i].row.start && address < modules[i].row.end)
			return &modules[i];
	}
	return NULL;
}

/* The loader names the executable "". */
static uint32_t path_of(const char *name)
{
	char path[PATH_MAX];
	if (name[0])
		return strings_intern_z(name);
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
	return length > 0 ? strings_intern(path, (size_t)length) : 0;
}

/* The same file at the same place keeps its id, however often the loader's list is read. */
static void note_module(const struct module_row *row)
{
	struct module *known = find_module(row->start);
	if (known && memcmp(&known->row, row, sizeof(*row)) == 0) {
		known->is_mapped = true;
		return;
	}
	struct module *module = known;
	if (!module && n_modules < MAX_MODULES)
		module = &modules[n_modules++];
	if (!module)
		return;
	*module = (struct module){.row = *row, .is_mapped = true};
	module->id = table_append(bundle_table(JOURNAL_MODULES), row, 1);
}

static int scan_module(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	struct module_row row = {.bias = info->dlpi_addr};
	read_segments(&row, info);
	if (row.start >= row.end)
		return 0;
	row.path = path_of(info->dlpi_name);
	pthread_mutex_lock(&lock);
	note_module(&row);
	pthread_mutex_unlock(&lock);
	return 0;
}

static void scan(void)
{
	(void)dl_iterate_phdr(scan_module, NULL);
}

static uint32_t find_id(uintptr_t address, uint64_t *out_bias)
{
	pthread_mutex_lock(&lock);
	const struct module *module = find_module(address);
	uint32_t id = module ? module->id : 0;
	*out_bias = module ? module->row.bias : 0;
	pthread_mutex_unlock(&lock);
	return id;
}

uint32_t modules_find(uintptr_t address, uint64_t *out_bias)
{
	uint32_t id = find_id(address, out_bias);
	if (id)
		return id;
	scan();
	return find_id(address, out_bias);
}

/* Drops the modules that the last scan did not see; true if there were any. */
static bool drop_unmapped(void)
{
	uint32_t n_kept = 0;
	for (uint32_t i = 0; i < n_modules; i++) {
		if (modules[i].is_mapped)
			modules[n_kept++] = modules[i];
	}
	bool dropped = n_kept != n_modules;
	n_modules = n_kept;
	return dropped;
}

bool modules_unloaded(void)
{
	pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < n_modules; i++)
		modules[i].is_mapped = false;
	pthread_mutex_unlock(&lock);
	scan();
	pthread_mutex_lock(&lock);
	bool dropped = drop_unmapped();
	pthread_mutex_unlock(&lock);
	return dropped;
}
