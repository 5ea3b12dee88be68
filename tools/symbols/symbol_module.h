/*
 * symbol_module.h - one ELF file with its debug information, through libdw.
 */
#ifndef CULPRIT_TOOLS_SYMBOL_MODULE_H
#define CULPRIT_TOOLS_SYMBOL_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/report_model.h"

struct symbol_module;

/*
 * Opens the file at `path` if its build-id is the row's, or without one, if inode, size and time of
 * change are. Never NULL but for lack of memory: a
 * module that cannot be used has a problem and no frames. `is_alone`: no separate file with debug
 * information is looked for, here or on a server. libdw may wait for files and servers for ever:
 * see symbol_process.h.
 */
struct symbol_module *symbol_module_open(const struct module_row *row, const char *path,
					 bool is_alone);
void symbol_module_close(struct symbol_module *module);

/* One phrase, or NULL if the module can be used. */
const char *symbol_module_problem(const struct symbol_module *module);

/* True if the problem is that the file is not the one that the process loaded. */
bool symbol_module_has_changed(const struct symbol_module *module);

/*
 * The frames at `address` of the file, innermost inlined one first, names still mangled. Returns
 * how many, 0 unknown. The strings live as long as the module.
 */
size_t symbol_module_frames(struct symbol_module *module, uint64_t address,
			    struct source_frame *out, size_t max);

#endif
