/*
 * left_memory.h - journals in memory whose processes have ended without taking them along: killed,
 * out of disk space, gone by _exit.
 */
#ifndef CULPRIT_TOOLS_LEFT_MEMORY_H
#define CULPRIT_TOOLS_LEFT_MEMORY_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* One journal that found no place in its bundle. */
struct left_journal {
	char *name;   /* of its directory in memory */
	char *bundle; /* that it was to become */
	int error;    /* why it did not: -errno */
	bool is_homeless;
};

/* One of the run, of a process that saw no failure: what becomes of it is decided at the end. */
struct sound_journal {
	char *name;   /* of its directory in memory */
	char *path;   /* where its bundle can be read */
	bool is_kept; /* moved into its bundle, not removed */
};

struct left_memory {
	struct left_journal *rows;
	size_t n;
	struct sound_journal *sound;
	size_t n_sound;
};

/*
 * Looks at all memory of this user whose process has ended. A journal is moved into its bundle; one
 * of the run `run_id` (NULL: of none) without a failure is listed as sound instead, to be kept if
 * the user keeps all, or with `keeps_sound`. One of the run that has no bundle any more goes to
 * TMPDIR. What can be moved nowhere is listed, and still read by its memory. What another `culprit
 * run` that is alive waits for is left to it.
 */
void left_memory_collect(const char *run_id, bool keeps_sound, struct left_memory *out_left);

/* Moves the sound journals that are kept into their bundles, removes the others with theirs. */
void left_memory_settle(struct left_memory *left);

/* Removes what was listed, and says in a line each what was lost, but not with `is_quiet`. */
void left_memory_end(struct left_memory *left, bool is_quiet);

/*
 * Does the journal in this directory hold a failure, and when was it seen? False also if the file
 * cannot be read.
 */
bool left_memory_failed(int directory_fd, uint64_t *out_ns);

/* Is the `culprit run` alive that a bundle or memory with this meta.json (NULL: none) is for? */
bool left_memory_is_awaited(const json_t *meta);

/*
 * Removes the bundle that `judged` is of: what culprit makes in it, and then the directory if
 * nothing else is there. Something else that has the name now, or is not this user's alone, stays.
 */
void left_memory_remove_bundle(int parent_fd, const char *name, const struct stat *judged);

#endif
