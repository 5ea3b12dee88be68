/*
 * bundle_parts.h - the steps of bundle_open(), and what commands add to a bundle afterwards.
 */
#ifndef CULPRIT_TOOLS_BUNDLE_PARTS_H
#define CULPRIT_TOOLS_BUNDLE_PARTS_H

#include <jansson.h>
#include <stddef.h>

#include "bundle/bundle_contents.h"
#include "command/exit_status.h"
#include "memory/memory_blocks.h"

/* bundle_files.c: the journal's files of a bundle, from its directory into the view. */

/*
 * Reads every file of the journal in directory `directory_fd`, and reports each that is broken or
 * truncated. A missing file is no problem, except the strings.
 */
void bundle_read_files(struct bundle *bundle, int directory_fd);

/* Reports a problem with the file `name` of the bundle's directory. */
void bundle_note_bad_file(struct bundle *bundle, const char *name, const char *text);

/*
 * bundle_end.c: how the process of a bundle ended, and its own report of its failure. Both are
 * known even if parts of the journal are missing.
 */

/* Fills `end`, `told`, `finding` and `hardware` of a bundle whose files have been read. */
void bundle_read_end(struct bundle *bundle, int directory_fd);

/*
 * Sets `told` to `bytes` from malloc(), which the bundle then owns: UTF-8 that is safe for a
 * terminal.
 */
void bundle_set_printed(struct bundle *bundle, char *bytes, size_t size);

/* Writes the process's wait status into meta.json. Does nothing if there is no space for it. */
void bundle_write_end(int directory_fd, int status);

/* The same for an open bundle, which is updated as well. */
void bundle_note_end(struct bundle *bundle, int status);

/* bundle_coredump.c: the GPU core dump of a bundle. */

/* Reads the bundle's own core dump, if it has one. Part of bundle_open. */
void bundle_add_coredump(struct bundle *bundle, int directory_fd);

/*
 * Makes the bundle use the core dump at `path` instead of its own. Returns EXIT_STATUS_OK, _DAMAGED
 * if the dump is truncated, or is older than the bundle's process and not used, or _BAD_BUNDLE if
 * it is not a dump. Prints a line about a dump that is not used.
 */
enum exit_status bundle_use_coredump(struct bundle *bundle, const char *path);

/*
 * Adds the failure in the core dump to a bundle whose process never saw one, and prints a line
 * about it. The end of the journal is the only other known fact. Does nothing if the dump has no
 * failure, or none of the bundle's contexts.
 */
void bundle_assume_failure(struct bundle *bundle);

/*
 * blocks_read.c: read the bundle's list of blocks in PyTorch's memory pool. The Python package
 * writes it; like all of a bundle, it is not trusted.
 */

/*
 * Read the list from the bundle's directory. Return 0 with the blocks (the caller calls free()) and
 * the object that owns their strings (the caller calls json_decref()). Return -ENOENT if there is
 * no list, or another -errno. *out_reason then describes the problem. Invalid blocks are left out.
 */
int blocks_read(int directory_fd, struct memory_blocks **out_blocks, json_t **out_owner,
		const char **out_reason);

/* Call `mask` for the name of each file and function; it changes the bytes in place. */
void blocks_mask(struct memory_blocks *blocks, void (*mask)(void *state, char *bytes, size_t size),
		 void *state);

#endif
