/*
 * bundle_contents.h - the contents of an open bundle, and the report of parts that cannot be used.
 */
#ifndef CULPRIT_TOOLS_BUNDLE_CONTENTS_H
#define CULPRIT_TOOLS_BUNDLE_CONTENTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/bundle_names.h"
#include "bundle/coredump.h"
#include "hardware/hardware.h"
#include "memory/memory_blocks.h"
#include "report/report_model.h"
#include "view/bundle_view.h"

enum { BUNDLE_MAX_FILES = N_JOURNAL_FILES + VIEW_MAX_RINGS };

/* Owner of all bytes that the view points into. Invariant: sum of sizes = n_bytes. */
struct bundle {
	struct bundle_view view;
	char *path;
	dev_t device; /* of the directory that was read */
	ino_t inode;  /* of the same directory */
	json_t *meta; /* object; NULL: missing or broken */
	void *contents[BUNDLE_MAX_FILES];
	size_t n_contents;
	uint64_t n_bytes;
	struct coredump *coredump; /* NULL: none, or unusable */
	unsigned n_problems;       /* each printed as one line on standard error */
	FILE *held;                /* of problems that are not printed yet; NULL: none is held */
	char *held_lines;          /* of `held`, each with a final NUL */
	size_t held_size;
	struct report_end end; /* of the process */
	char *told;            /* the process's own report, without a final NUL; NULL: none */
	size_t told_size;
	json_t *finding; /* of the run on a process without a failure; NULL: none; not checked */
	struct hardware *hardware;    /* of the GPUs that the process used; NULL: not known */
	struct memory_blocks *blocks; /* of a framework's pool; NULL: not known */
	json_t *blocks_owner;         /* of their strings */
};

/*
 * Counts a problem with the file at `path` and prints it in one line. While problems are held, both
 * are done later.
 */
void bundle_note_problem(struct bundle *bundle, const char *path, const char *text);

/* Holds the problems of a read that may have to be repeated, if there is memory for them. */
void bundle_hold_problems(struct bundle *bundle);

/* Prints the problems that were held, or forgets them. Holds no more. */
void bundle_release_problems(struct bundle *bundle, bool are_printed);

/*
 * Opens the directory that was read, to write into it. Returns a descriptor, or -errno: -EPERM if
 * it is not private to this user, -ESTALE if its name now belongs to another file.
 */
int bundle_open_to_write(const struct bundle *bundle);

#endif
