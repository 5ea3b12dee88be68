/*
 * symbols.h - finds functions and source lines for code addresses of a bundle, from the debug
 * information of files on this machine. A file is used only if its build-id is the journaled one.
 * Without a build-id, its inode, size and time of change must match: a program that was rebuilt
 * since would give wrong lines.
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
 * Returns NULL if out of memory. Waits at most `wait_seconds` for one file, and three times that
 * for all files together. After that, reports do without symbols.
 */
struct symbols *symbols_open(unsigned wait_seconds);

/*
 * While on, all `symbols` share a process that reads files, and its answers: for a command that
 * reads many bundles of the same programs. A file that changes meanwhile is not noticed. Off at the
 * start.
 */
void symbols_share(bool is_shared);

/* Look for modules below this directory; NULL: at their recorded paths. Start-up only. */
void symbols_set_root(const char *directory);
void symbols_close(struct symbols *symbols);

/*
 * From now on, applies `mask` in place to each path that comes from a file with symbols, and leaves
 * out the comments of generated files. The modules of `view` are found by their present paths, even
 * if these are changed later. Returns 0 or -ENOMEM.
 */
int symbols_filter(struct symbols *symbols, const struct bundle_view *view,
		   void (*mask)(void *state, char *bytes, size_t size), void *state);

/* Returns the functions below in the form that the report uses. Valid as long as `symbols`. */
struct symbol_source symbols_source(struct symbols *symbols);

/*
 * Fills `out` with the frames of a return address, the innermost inlined one first. Returns their
 * number, 0 if unknown. The strings live as long as `symbols`. `state` is a struct symbols.
 */
size_t symbols_frames(void *state, uint32_t module_id, const struct module_row *module,
		      const char *path, uint64_t offset, struct source_frame *out, size_t max);

/* Returns the demangled name, or NULL if it is not mangled. It lives as long as `symbols`. */
const char *symbols_demangle(void *state, const char *mangled);

/*
 * Fills `out` with phrases from the comments of a generated Python file about its line, and returns
 * their number. The phrases live until the next question.
 */
size_t symbols_notes(void *state, const char *path, uint32_t line, const char **out, size_t max);

/*
 * Fills `out` with the lines around line `line` of the file at `path`: frames with a number and, as
 * function, the text. Returns their number, 0 for a file that is newer than `newest` (ns since
 * 1970). They live until the next question about a line.
 */
size_t symbols_source_lines(struct symbols *symbols, const char *path, uint32_t line,
			    uint64_t newest, struct source_frame *out, size_t max);

/*
 * Return why the code of a module cannot be named ("the file cannot be opened"), or NULL; and
 * whether the reason is that the file was replaced. Known after the first question about a frame of
 * it.
 */
const char *symbols_module_problem(const struct symbols *symbols, uint32_t module_id);
bool symbols_module_has_changed(const struct symbols *symbols, uint32_t module_id);

/*
 * Returns the part of a module that took too long to read, or that breaks the reader, else
 * NULL. Frames of the module may still have names.
 */
const char *symbols_module_given_up(const struct symbols *symbols, uint32_t module_id);

#endif
