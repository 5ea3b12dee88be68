/* doors.c - the ways that bypass an interposer of libcuda. */
#include "doors/doors.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *(*look_up)(void *handle, const char *name);

const char *const door_names[N_DOORS] = {
	[DOOR_NONE] = "none",   [DOOR_DEEPBIND] = "deepbind", [DOOR_DLSYM] = "dlsym",
	[DOOR_TABLE] = "table", [DOOR_HEAP] = "heap",
};

const struct door_calls linked_calls = {
#define ROW(member, name) .member = (name),
	DOOR_CALLS(ROW)
#undef ROW
};

static void *need(void *thing, const char *what)
{
	if (thing)
		return thing;
	fprintf(stderr, "oracle: no %s\n", what);
	exit(2);
}

/* Names as the header's macros define them, with their versions. */
#define NAME_OF(name) #name

/* ISO C has no conversion from an object's pointer to a function's. */
static void fill(struct door_calls *calls, look_up look, void *handle)
{
	void *address = NULL;

#define ROW(member, name)                                           \
	address = need(look(handle, NAME_OF(name)), NAME_OF(name)); \
	memcpy(&calls->member, &address, sizeof(address));
	DOOR_CALLS(ROW)
#undef ROW
}

/* Find libc's own dlsym, even if a library replaces that function. */
static look_up find_dlsym(void)
{
	void *address = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
	if (!address)
		address = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	need(address, "dlsym");
	look_up found = NULL;
	memcpy(&found, &address, sizeof(address));
	return found;
}

static const ElfW(Dyn) * find_dynamic(const struct link_map *map, ElfW(Sxword) tag)
{
	const ElfW(Dyn) *entry = map->l_ld;
	while (entry->d_tag != DT_NULL && entry->d_tag != tag)
		entry++;
	return entry->d_tag == tag ? entry : NULL;
}

/* The symbol table ends where the strings start, because linkers place them this way. */
static void *look_in_table(void *handle, const char *name)
{
	const struct link_map *map = handle;
	const ElfW(Sym) *symbol = (const void *)find_dynamic(map, DT_SYMTAB)->d_un.d_ptr;
	const char *strings = (const void *)find_dynamic(map, DT_STRTAB)->d_un.d_ptr;
	for (; (const char *)symbol < strings; symbol++)
		if (symbol->st_shndx != SHN_UNDEF && !strcmp(strings + symbol->st_name, name))
			return (void *)(map->l_addr + symbol->st_value);
	return NULL;
}

static const struct door_calls *open_plugin(const char *path)
{
	void *plugin = need(dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND), "plug-in");
	void *address = need(dlsym(plugin, "oracle_plugin_calls"), "function of the plug-in");
	const struct door_calls *(*function)(void) = NULL;
	memcpy(&function, &address, sizeof(address));
	return function();
}

const struct door_calls *door_open(enum door door, const char *plugin_path)
{
	static struct door_calls table;
	void *driver = need(dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), "driver");
	struct door_calls *calls = &table;
	if (door == DOOR_NONE)
		return &linked_calls;
	if (door == DOOR_DEEPBIND)
		return open_plugin(need((void *)(uintptr_t)plugin_path, "path of the plug-in"));
	if (door != DOOR_TABLE)
		calls = need(calloc(1, sizeof(*calls)), "memory");
	fill(calls, door == DOOR_DLSYM ? find_dlsym() : look_in_table, driver);
	return calls;
}
