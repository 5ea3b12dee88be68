/*
 * symbol_names.h - the functions of a module by address, from its symbol table. libdwfl's own
 * search goes through the whole table for each address: 60 ms in a library of 300,000 symbols.
 */
#ifndef CULPRIT_TOOLS_SYMBOL_NAMES_H
#define CULPRIT_TOOLS_SYMBOL_NAMES_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct named_range;

/* A zeroed one is empty. It reads the table at the first question. */
struct symbol_names {
	struct named_range *rows; /* by their start */
	size_t n;
	int first_global; /* its index in the symbol table */
	bool is_read;
};

/*
 * Return the name of the function at libdwfl's `address`, as dwfl_module_addrname() does: the
 * innermost symbol whose size includes it, or else the label before it in its section if no symbol
 * ends in between. NULL: not known. It lives as long as the file.
 */
const char *symbol_names_find(struct symbol_names *names, Dwfl_Module *file, uint64_t address);
void symbol_names_free(struct symbol_names *names);

#endif
