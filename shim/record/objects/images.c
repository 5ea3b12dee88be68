/*
 * images.c - find an image's length and place, and write its rows. The command reads its contents.
 */
#include "record/objects/images.h"

#include <elf.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/journal_format.h"
#include "base/time_units.h"
#include "record/host/handle_map.h"
#include "record/journal/bundle.h"
#include "record/journal/modules.h"
#include "record/journal/strings.h"

/* A container of code, and the compiler's wrapper, which points to one. */
struct container {
	uint32_t magic;
	uint16_t version, header_size;
	uint64_t size; /* after the header */
};
struct wrapper {
	uint32_t magic, version;
	const void *container;
};
static const uint32_t CONTAINER_MAGIC = 0xba55ed50u, WRAPPER_MAGIC = 0x466243b1u;

enum { MAX_PATH = 4096 };

/*
 * Guards all below except the settings. The lock of functions' rows is outside it; those of
 * strings, tables and handle maps are inside.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A handle's image: id of the row that it holds; 0: it had one before, or there was no room. */
static struct handle_map by_module;   /* modules and libraries */
static struct handle_map by_function; /* kernels of libraries, and their functions */

/* By id: how many handles and functions' rows hold the image, and what it holds itself. */
static struct image {
	const void *module; /* loaded from the image; may have been unloaded */
	struct image_context context;
	uint32_t n_holders;
	uint32_t path;    /* string */
	uint32_t bytes;   /* a block, 0: none */
	uint32_t n_units; /* of that block */
} images[IMAGE_ID_MAX + 1];

static uint32_t n_ids; /* ids up to this one have been used */

/* Ids whose rows may be reused, a queue. */
static uint16_t given[IMAGE_ID_MAX + 1];
static uint64_t n_given, n_taken;
static uint64_t n_units; /* the units that all blocks take together */

static uint64_t max_bytes; /* written at start only */

/* Atomic: a module may be from a library or a destroyed context, whose handles are reused, instead
 * of from cuModuleLoad*. */
static bool are_others;

void images_start(uint64_t max_mb)
{
	max_bytes = max_mb << 20;
}

static uint64_t greater(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The driver has read the image, so its tables exist. Returns 0 if its header gives no size. */
static uint64_t elf_size(const unsigned char *image)
{
	Elf64_Ehdr header;
	memcpy(&header, image, sizeof(header));
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr) ||
	    header.e_shnum == 0)
		return 0;
	uint64_t end = greater(header.e_shoff + (uint64_t)header.e_shnum * sizeof(Elf64_Shdr),
			       header.e_phoff + (uint64_t)header.e_phnum * header.e_phentsize);
	for (unsigned i = 0; i < header.e_shnum; i++) {
		Elf64_Shdr section;
		memcpy(&section, image + header.e_shoff + i * sizeof(section), sizeof(section));
		if (section.sh_type != SHT_NOBITS)
			end = greater(end, section.sh_offset + section.sh_size);
	}
	return end;
}

/* Return 0 for text (PTX), which answers none of the command's questions. */
static uint64_t image_size(const unsigned char *image)
{
	if (memcmp(image, ELFMAG, SELFMAG) == 0)
		return elf_size(image);
	struct container container;
	memcpy(&container.magic, image, sizeof(container.magic));
	if (container.magic != CONTAINER_MAGIC)
		return 0;
	memcpy(&container, image, sizeof(container));
	return container.header_size + container.size;
}

/* Return the id of the block with the image's bytes, 0: no room. Under the lock. */
static uint32_t copy_image(const unsigned char *image, uint64_t size)
{
	struct table *table = bundle_table(JOURNAL_IMAGE_BYTES);
	if (size == 0 || size > max_bytes)
		return 0;
	uint32_t n = (uint32_t)((size + IMAGE_UNIT - 1) / IMAGE_UNIT);
	if (n_units + table_block_rows(n) > max_bytes / IMAGE_UNIT)
		return 0;
	/* No reader knows this block yet. */
	uint32_t id = table_append_block(table, NULL, n);
	if (id)
		memcpy(table_row(table, id), image, size);
	return id;
}

/* Return false after the failure: rows then stay as they are. Under the lock. */
static bool rewrite_row(uint32_t id, const struct image_row *row)
{
	struct table *table = bundle_table(JOURNAL_IMAGES);
	pthread_mutex_lock(&table->lock);
	bool is_allowed = !tables_are_frozen();
	if (is_allowed) {
		table_note_reuse(table);
		memcpy(table_row(table, id), row, sizeof(*row));
		__atomic_thread_fence(__ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&table->lock);
	return is_allowed;
}

/* Reuse or append a row. Under the lock. */
static uint32_t add_row(const struct image_row *row)
{
	if (n_given > n_taken) {
		uint32_t id = given[n_taken % (IMAGE_ID_MAX + 1)];
		if (rewrite_row(id, row)) {
			n_taken++;
			return id;
		}
	}
	uint32_t id = table_append(bundle_table(JOURNAL_IMAGES), row, 1);
	return id <= IMAGE_ID_MAX ? id : 0;
}

/* Release what it holds; no row refers to it. Under the lock. */
static void give_back(struct image *image)
{
	strings_drop(image->path);
	if (image->bytes)
		n_units -= table_block_rows(image->n_units);
	table_free_block(bundle_table(JOURNAL_IMAGE_BYTES), image->bytes, image->n_units);
	image->path = image->bytes = image->n_units = 0;
}

/* Unloaded code cannot be a suspect's: free its room for loaded code. Under the lock. */
static void let_go(uint32_t id)
{
	static const struct image_row nothing;
	struct image *image = &images[id];
	if ((image->bytes || image->path) && rewrite_row(id, &nothing))
		give_back(image);
}

/* Drop one holder. Under the lock. */
static void drop(uint64_t id)
{
	if (!id || id > IMAGE_ID_MAX || --images[id].n_holders)
		return;
	let_go((uint32_t)id);
	given[n_given++ % (IMAGE_ID_MAX + 1)] = (uint16_t)id;
}

void images_drop(uint16_t id)
{
	pthread_mutex_lock(&lock);
	drop(id);
	pthread_mutex_unlock(&lock);
}

/* Give the handle this image, held for it, instead of any other. Under the lock. */
static bool set(struct handle_map *map, const void *handle, uint64_t id)
{
	uint64_t old = 0;
	(void)handle_map_take(map, (uintptr_t)handle, &old);
	drop(old);
	if (handle_map_put(map, (uintptr_t)handle, id))
		return true;
	drop(id);
	return false;
}

/* Add an image with its row, which holds its path. Under the lock. */
static void put(const void *handle, const struct image_row *row, struct image_context context)
{
	uint32_t id = add_row(row);
	struct image image = {.module = handle,
			      .context = context,
			      .n_holders = 1,
			      .path = row->path,
			      .bytes = row->bytes,
			      .n_units = (uint32_t)((row->size + IMAGE_UNIT - 1) / IMAGE_UNIT)};
	if (row->bytes)
		n_units += table_block_rows(image.n_units);
	n_ids = id > n_ids ? id : n_ids;
	if (id)
		images[id] = image;
	else
		give_back(&image);
	if (!set(&by_module, handle, id))
		__atomic_store_n(&are_others, true, __ATOMIC_RELAXED);
}

void images_loaded(const void *handle, const void *image, struct image_context context)
{
	struct image_row row = {.size = 0};
	if (!handle || !image)
		return;
	struct wrapper wrapper;
	memcpy(&wrapper.magic, image, sizeof(wrapper.magic));
	if (wrapper.magic == WRAPPER_MAGIC) {
		memcpy(&wrapper, image, sizeof(wrapper));
		image = wrapper.container;
	}
	row.size = image_size(image);
	uint64_t bias = 0;
	row.module = modules_find((uintptr_t)image, &bias);
	if (row.module)
		row.offset = (uintptr_t)image - bias;
	pthread_mutex_lock(&lock);
	if (!row.module)
		row.bytes = copy_image(image, row.size);
	put(handle, &row, context);
	pthread_mutex_unlock(&lock);
}

/* Return the path from the root on, independent of the working directory. Held. */
static uint32_t whole_path(const char *path)
{
	size_t length = 0;
	if (path[0] == '/')
		return strings_hold(path, strlen(path), STRINGS_OTHER);
	char text[2 * MAX_PATH];
	if (!getcwd(text, MAX_PATH))
		return 0;
	length = strlen(text);
	if (strlen(path) >= MAX_PATH)
		return 0;
	text[length] = '/';
	memcpy(text + length + 1, path, strlen(path) + 1);
	return strings_hold(text, strlen(text), STRINGS_OTHER);
}

void images_loaded_file(const void *handle, const char *path, struct image_context context)
{
	struct image_row row = {.size = 0};
	if (!handle || !path)
		return;
	struct stat status;
	if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
		row.path = whole_path(path);
		row.size = (uint64_t)status.st_size;
		row.changed_ns = (uint64_t)status.st_mtim.tv_sec * NS_PER_S +
				 (uint64_t)status.st_mtim.tv_nsec;
	}
	pthread_mutex_lock(&lock);
	put(handle, &row, context);
	pthread_mutex_unlock(&lock);
}

void images_loaded_library(void)
{
	__atomic_store_n(&are_others, true, __ATOMIC_RELAXED);
}

/* Add a holder. Under the lock. */
static uint64_t hold(uint64_t id)
{
	if (id && id <= IMAGE_ID_MAX)
		images[id].n_holders++;
	return id;
}

void images_derived(const void *handle, const void *from)
{
	if (!handle)
		return;
	pthread_mutex_lock(&lock);
	uint64_t id = 0;
	if (!handle_map_get(&by_module, (uintptr_t)from, &id) &&
	    !handle_map_get(&by_function, (uintptr_t)from, &id))
		id = 0;
	(void)set(&by_function, handle, hold(id));
	pthread_mutex_unlock(&lock);
}

/* Free an unloaded module's room. Under the lock. */
static void unload(const void *handle)
{
	uint64_t id = 0;
	if (!handle || !handle_map_get(&by_module, (uintptr_t)handle, &id))
		return;
	if (id)
		let_go((uint32_t)id);
	(void)set(&by_module, handle, 0);
}

void images_unloaded(const void *handle)
{
	pthread_mutex_lock(&lock);
	unload(handle);
	pthread_mutex_unlock(&lock);
}

void images_unloaded_library(const void *handle)
{
	pthread_mutex_lock(&lock);
	handle_map_clear(&by_function, drop);
	unload(handle);
	pthread_mutex_unlock(&lock);
}

/* True if the image's module may end with the context. Under the lock. */
static bool may_end_with(const struct image *image, uint32_t context)
{
	return image->module && (!context || !image->context.id || image->context.id == context ||
				 image->context.primary == context);
}

void images_context_ending(uint32_t context)
{
	images_loaded_library();
	pthread_mutex_lock(&lock);
	handle_map_clear(&by_function, drop);
	for (uint32_t i = 1; i <= n_ids; i++) {
		/* The handle may be another module's by now. */
		if (may_end_with(&images[i], context) &&
		    handle_map_take_own(&by_module, (uintptr_t)images[i].module, i))
			drop(i);
	}
	pthread_mutex_unlock(&lock);
}

static uint64_t find(const void *module, const void *function)
{
	uint64_t id = 0;
	if (handle_map_get(&by_function, (uintptr_t)function, &id))
		return id;
	if (!module)
		return 0;
	if (handle_map_get(&by_module, (uintptr_t)module, &id))
		return id;
	return __atomic_load_n(&are_others, __ATOMIC_RELAXED) ? 0 : IMAGE_UNSEEN;
}

uint16_t images_of(const void *module, const void *function)
{
	pthread_mutex_lock(&lock);
	uint64_t id = hold(find(module, function));
	pthread_mutex_unlock(&lock);
	return (uint16_t)id;
}
