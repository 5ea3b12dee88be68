/*
 * symbol_names.h - the functions of a module by address, from its symbol table. libdwfl's own
 * search goes through the whole table for each address: 60 ms in a library of 300,000 symbols.
 */
#ifndef CULPRIT_TOOLS_SYMBOL_NAMES_H
#define CULPRIT_TOOLS_SYMBOL_NAMES_H

#include "report/report_model.h"

#include <elfutils/libdw.h>
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

/*
 * symbol_tail.c: functions that left their frame by a tail call. The caller's debug information
 * says which function a call entered. If the stack has another one there, the first one jumped on.
 */

/*
 * Fill `out` with the function that the call returning to `return_address` entered, if it may end
 * by a tail call, and after it the functions that it can only have jumped to, one by the other.
 * Each has the line of its tail call if it has only one. Names are mangled. Returns their number.
 */
size_t symbol_tail_find(Dwarf_Die *unit, Dwarf_Addr return_address, struct source_frame *out,
			size_t max);

/* Return the linkage name if there is one: the plain name of a C++ function lacks its class. */
const char *symbol_function_name(Dwarf_Die *die);

/* Store the file, line and column of an address. */
void symbol_source_line(Dwarf_Die *unit, Dwarf_Addr address, struct source_frame *out);

#endif
