/*
 * age.c - remove the calls of later drivers from the symbol table when the library is loaded, so
 * that neither dlsym nor the linker finds them. With SIMCUDA_LACKED they stay, to catch callers
 * that did not check for them.
 */
#include "entry/age.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "settings.h"

bool age_lacks(enum driver_call call)
{
	return driver_calls[call].since > settings.driver_version;
}

void age_note_lacked(enum driver_call call)
{
	int fd = settings.lacked_path ? open(settings.lacked_path,
					     O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)
				      : -1;
	if (fd < 0)
		return;
	dprintf(fd, "%s\n", driver_calls[call].name);
	close(fd);
}

static int compare(const void *name, const void *row)
{
	return strcmp(name, ((const struct driver_call_facts *)row)->name);
}

static bool is_lacked_name(const char *name)
{
	const struct driver_call_facts *row =
		bsearch(name, driver_calls, N_DRIVER_CALLS, sizeof(*row), compare);
	return row && age_lacks((enum driver_call)(row - driver_calls));
}

/* Our own symbol tables, which the loader has relocated. */
struct tables {
	Elf64_Sym *symbols;
	const char *strings;
	uint32_t n_symbols;
};

static struct tables find_tables(void)
{
	struct tables tables = {0};
	for (const Elf64_Dyn *entry = _DYNAMIC; entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_SYMTAB)
			tables.symbols = (Elf64_Sym *)entry->d_un.d_ptr;
		else if (entry->d_tag == DT_STRTAB)
			tables.strings = (const char *)entry->d_un.d_ptr;
		else if (entry->d_tag == DT_HASH) /* n_buckets, n_symbols, ... */
			tables.n_symbols = ((const uint32_t *)entry->d_un.d_ptr)[1];
	}
	return tables;
}

/* Change the protection of the pages with the symbol table. */
static int protect(const struct tables *tables, int protection)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = (uintptr_t)tables->symbols & ~(page - 1);
	uintptr_t end = (uintptr_t)(tables->symbols + tables->n_symbols);
	return mprotect((void *)start, end - start, protection);
}

__attribute__((constructor)) static void hide_lacked(void)
{
	struct tables tables = find_tables();
	if (settings.lacked_path || !tables.symbols || !tables.strings ||
	    protect(&tables, PROT_READ | PROT_WRITE))
		return;
	for (uint32_t i = 0; i < tables.n_symbols; i++) {
		Elf64_Sym *symbol = &tables.symbols[i];
		if (symbol->st_value && is_lacked_name(tables.strings + symbol->st_name)) {
			symbol->st_shndx = SHN_UNDEF;
			symbol->st_value = 0;
		}
	}
	(void)protect(&tables, PROT_READ);
}
