/*
 * live_symbols.c - look up names by the dynamic loader.
 */
#include "failure/live_symbols.h"

#include <dlfcn.h>

static size_t find_frames(void *state, uint32_t module_id, const struct module_row *module,
			  const char *path, uint64_t offset, struct source_frame *out, size_t max)
{
	(void)state;
	(void)module_id;
	(void)path;
	uintptr_t address = (uintptr_t)(offset + (module ? module->bias : 0) - 1);
	Dl_info info;
	if (max == 0 || !dladdr((const void *)address, &info) || !info.dli_sname)
		return 0;
	out[0] = (struct source_frame){.function = info.dli_sname};
	return 1;
}

const struct symbol_source live_symbols = {.frames = find_frames};
