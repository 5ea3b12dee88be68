/*
 * unwind_modules.c - ask the loader by _dl_find_object(), or through its list of modules.
 */
#include "record/stacks/unwind_modules.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "base/elf_lookup.h"
#include "base/hot.h"

/* struct dl_find_object, which older headers lack. */
struct found_object {
	unsigned long long flags;
	void *map_start, *map_end;
	void *link_map;
	void *frames;
	unsigned long long reserved[7];
};

typedef int (*find_object_function)(void *address, struct found_object *out_object);
static find_object_function find_object; /* written at start only; NULL: glibc before 2.35 */

static struct unwind_module program; /* written at start only */

struct query {
	uint64_t address;
	struct unwind_module *module;
};

static const uint8_t *place_of(const struct dl_phdr_info *info, uint64_t offset)
{
	return (const uint8_t *)(uintptr_t)(info->dlpi_addr + offset);
}

/* Return the module as its segments describe it. *out_is_in is true if it holds the address. */
static struct unwind_module read_module(const struct dl_phdr_info *info, uint64_t address,
					bool *out_is_in)
{
	struct unwind_module module = {.start = (const uint8_t *)UINTPTR_MAX};
	*out_is_in = false;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const uint8_t *start = place_of(info, segment->p_vaddr);
		if (segment->p_type == PT_GNU_EH_FRAME)
			module.frames = start;
		if (segment->p_type != PT_LOAD)
			continue;
		if (start < module.start)
			module.start = start;
		if (start + segment->p_memsz > module.end)
			module.end = start + segment->p_memsz;
		*out_is_in |= address - (uintptr_t)start < segment->p_memsz;
	}
	return module;
}

/* Set the query's answer if this module holds the address. */
static int look_at(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct query *query = data;
	bool is_in = false;
	struct unwind_module module = read_module(info, query->address, &is_in);
	(void)size;
	if (is_in)
		*query->module = module;
	return is_in;
}

/* Keep the first module of the list, which is the program, and stop. */
static int keep_program(struct dl_phdr_info *info, size_t size, void *data)
{
	bool is_in = false;
	(void)size;
	(void)data;
	program = read_module(info, 0, &is_in);
	return 1;
}

COLD void unwind_modules_start(void)
{
	/* By name at run time: the library must also load with an older loader. */
	void *symbol = elf_next_symbol("_dl_find_object", NULL);
	memcpy(&find_object, &symbol, sizeof(find_object));
	(void)dl_iterate_phdr(keep_program, NULL);
}

/*
 * True if the module has the program's frames. If the program has holes between its segments, as
 * lld makes them on aarch64, glibc returns the bounds of one executable segment. The frames are
 * outside.
 */
static bool is_part_of_program(const struct unwind_module *module)
{
	return module->frames && module->frames == program.frames;
}

bool unwind_modules_find(uint64_t address, struct unwind_module *out_module)
{
	void *place = NULL;
	memcpy(&place, &address, sizeof(place));
	if (!find_object) {
		struct query query = {address, out_module};
		return dl_iterate_phdr(look_at, &query) != 0;
	}
	struct found_object object;
	if (find_object(place, &object) != 0)
		return false;
	*out_module = (struct unwind_module){object.map_start, object.map_end, object.frames};
	if (is_part_of_program(out_module))
		*out_module = program;
	return true;
}
