/*
 * symbols.h - code addresses of a bundle as functions and source lines, from the debug information
 * of the files on this machine. A file counts only if its build-id is the journaled one: a program
 * that was built anew since would name wrong lines.
 */
#ifndef CULPRIT_TOOLS_SYMBOLS_H
#define CULPRIT_TOOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report.h"

struct symbols;

/* NULL: out of memory. */
struct symbols *symbols_open(void);
void symbols_close(struct symbols *symbols);

/* The functions below as the report wants them; valid as long as `symbols`. */
struct symbol_source symbols_source(struct symbols *symbols);

/*
 * The frames of a return address, innermost inlined one first; how many, 0 unknown. The strings
 * live as long as `symbols`. `state` is a struct symbols.
 */
size_t symbols_frames(void *state, uint32_t module_id, const struct module_row *module,
		      const char *path, uint64_t offset, struct source_frame *out, size_t max);

/* The name as C++ source has it, or NULL: not a mangled one. Lives as long as `symbols`. */
const char *symbols_demangle(void *state, const char *mangled);

/*
 * What the comments of a generated Python file say about its line; how many phrases, which live
 * until the next question.
 */
size_t symbols_notes(void *state, const char *path, uint32_t line, const char **out, size_t max);

/*
 * Why the code of a module cannot be named ("the file is gone"), or NULL; and whether it is because
 * the file is another one now. Known after the first frame of it was asked for.
 */
const char *symbols_module_problem(const struct symbols *symbols, uint32_t module_id);
bool symbols_module_has_changed(const struct symbols *symbols, uint32_t module_id);

#endif
