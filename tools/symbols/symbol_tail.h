/*
 * symbol_tail.h - functions that left their frame by a tail call. The caller's debug information
 * says which function a call entered. If the stack has another one there, the first one jumped on.
 */
#ifndef CULPRIT_TOOLS_SYMBOL_TAIL_H
#define CULPRIT_TOOLS_SYMBOL_TAIL_H

#include <elfutils/libdw.h>
#include <stddef.h>

#include "report/report_model.h"

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
