/*
 * symbols.h - code addresses of a bundle as functions and source lines, from the debug information
 * of the files on this machine. A file counts only if its build-id is the journaled one, or
 * without one, its inode, size and time of change: a program that was built anew since would name
 * wrong lines.
 */
#ifndef CULPRIT_TOOLS_SYMBOLS_H
#define CULPRIT_TOOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/report_model.h"

struct symbols;

enum { SYMBOLS_WAIT_SECONDS = 10 };

/*
 * NULL: out of memory. For what one file has to say at most `wait_seconds` are waited, for all
 * together three times that: then reports do without.
 */
struct symbols *symbols_open(unsigned wait_seconds);

/* Modules are looked for below this directory; NULL: where they were. Start-up only. */
void symbols_set_root(const char *directory);
void symbols_close(struct symbols *symbols);

/*
 * From now on `mask` goes over each path that files with symbols tell, in place, and comments of
 * generated files are not told at all. The modules of `view` are found by the paths that it has
 * now, whatever becomes of those. 0 or -ENOMEM.
 */
int symbols_filter(struct symbols *symbols, const struct bundle_view *view,
		   void (*mask)(void *state, char *bytes, size_t size), void *state);

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
 * The lines around line `line` of the file at `path`, as frames with a number and, as function, the
 * text: how many, none of a file that is newer than `newest` (ns since 1970). They live until
 * the next question of a line.
 */
size_t symbols_source_lines(struct symbols *symbols, const char *path, uint32_t line,
			    uint64_t newest, struct source_frame *out, size_t max);

/*
 * Why the code of a module cannot be named ("the file is gone"), or NULL; and whether it is because
 * the file is another one now. Known after the first frame of it was asked for.
 */
const char *symbols_module_problem(const struct symbols *symbols, uint32_t module_id);
bool symbols_module_has_changed(const struct symbols *symbols, uint32_t module_id);

/*
 * What of a module was not waited for, or breaks the reader; NULL: nothing. Frames of it may have
 * names all the same.
 */
const char *symbols_module_given_up(const struct symbols *symbols, uint32_t module_id);

#endif
