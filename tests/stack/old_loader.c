/*
 * old_loader.c - make ends.c run as with a loader before glibc 2.35, by hiding the symbols that
 * newer loaders have.
 */
#include <stdlib.h>
#include <string.h>

#include "base/elf_lookup.h"

/* The linker's names for the real function and for its wrapper. */
void *__real_elf_next_symbol(const char *name, const void *after);
void *__wrap_elf_next_symbol(const char *name, const void *after);

void *__wrap_elf_next_symbol(const char *name, const void *after)
{
	if (strcmp(name, "_dl_find_object") == 0 || strcmp(name, "_rtld_global") == 0)
		return NULL;
	return __real_elf_next_symbol(name, after);
}
