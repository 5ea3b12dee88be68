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

struct query {
	uint64_t address;
	struct unwind_module *module;
};

COLD void unwind_modules_start(void)
{
	/* By name at run time: the library must also load with an older loader. */
	void *symbol = elf_next_symbol("_dl_find_object", NULL);
	memcpy(&find_object, &symbol, sizeof(find_object));
}

static const uint8_t *place_of(const struct dl_phdr_info *info, uint64_t offset)
{
	return (const uint8_t *)(uintptr_t)(info->dlpi_addr + offset);
}

/* Set the query's answer if this module holds the address. */
static int look_at(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct query *query = data;
	struct unwind_module module = {.start = (const uint8_t *)UINTPTR_MAX};
	bool is_it = false;
	(void)size;
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
		is_it |= query->address - (uintptr_t)start < segment->p_memsz;
	}
	if (is_it)
		*query->module = module;
	return is_it;
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
	return true;
}
