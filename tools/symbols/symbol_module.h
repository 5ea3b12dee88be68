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
 * Opens the file at `path` if it has the build-id of the row. Without a build-id, its inode, size
 * and time of change must match. Returns NULL only if out of memory: a module that cannot be used
 * has a problem and no frames. `is_alone`: do not look for separate debug information, here or on a
 * server. libdw may wait for files and servers without a limit: see symbol_process.h.
 */
struct symbol_module *symbol_module_open(const struct module_row *row, const char *path,
					 bool is_alone);

/* Returns one phrase, or NULL if the module can be used. */
const char *symbol_module_problem(const struct symbol_module *module);

/* True if the problem is that the file is not the one that the process loaded. */
bool symbol_module_has_changed(const struct symbol_module *module);

/*
 * Fills `out` with the frames at `address` of the file, the innermost inlined one first, with
 * mangled names. Returns their number, 0 if unknown. The strings live as long as the module.
 */
size_t symbol_module_frames(struct symbol_module *module, uint64_t address,
			    struct source_frame *out, size_t max);

/* Fills `out` as symbol_tail_find() does. The strings live as long as the module. */
size_t symbol_module_tail_callers(struct symbol_module *module, uint64_t return_address,
				  struct source_frame *out, size_t max);

#endif
