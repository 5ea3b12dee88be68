/*
 * left_memory.h - journals in memory that a process left behind because it was killed, called
 * _exit(), or had no disk space.
 */
#ifndef CULPRIT_TOOLS_LEFT_MEMORY_H
#define CULPRIT_TOOLS_LEFT_MEMORY_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "run/run_slot.h"

/* One journal that could not be moved into its bundle. */
struct left_journal {
	char *name;   /* of its directory in memory */
	char *bundle; /* the bundle that it should be moved into */
	int error;    /* -errno: why the move failed */
	bool is_homeless;
};

/* A journal of the run whose process saw no failure. The end of the run decides about it. */
struct sound_journal {
	char *name;   /* of its directory in memory */
	char *path;   /* where its bundle can be read from */
	bool is_kept; /* moved into its bundle, not removed */
};

struct left_memory {
	struct left_journal *rows;
	size_t n;
	struct sound_journal *sound;
	size_t n_sound;
};

/* The run whose journals are collected. */
struct left_run {
	const char *id;
	const struct run_reported *told; /* reports of its processes */
	bool keeps_sound;                /* of processes that did not report their end */
};

/*
 * Moves each journal whose process has exited into its bundle: those of `run`, or all of this user
 * if it is NULL. The latter may block on any disk, not only on that of a run. A journal of `run`
 * without a failure is listed as sound instead. It is kept if the user keeps all, or
 * with `keeps_sound`. A journal of the run whose bundle was removed goes to TMPDIR. A journal that
 * cannot be moved is listed, and is read from its memory. Journals that another live `culprit run`
 * waits for are left alone. Journals that a dead one was to remove are removed.
 */
void left_memory_collect(const struct left_run *run, struct left_memory *out_left);

/*
 * Moves the sound journals that are kept into their bundles. Removes the others and their bundles.
 */
void left_memory_settle(struct left_memory *left);

/* Removes the journals that could not be moved, with a line for each unless `is_quiet`; frees. */
void left_memory_end(struct left_memory *left, bool is_quiet);

/*
 * True if the journal in this directory holds a failure. Stores when it was seen. False also if the
 * file cannot be read.
 */
bool left_memory_failed(int directory_fd, uint64_t *out_ns);

/*
 * True if the `culprit run` that a bundle or memory with this meta.json (NULL: none) waits for is
 * alive.
 */
bool left_memory_is_awaited(const json_t *meta);

/*
 * Removes the bundle that `judged` describes: the files that culprit makes, and then the directory
 * if it is empty. If the name now belongs to another directory, or one that is not private to this
 * user, it stays.
 */
void left_memory_remove_bundle(int parent_fd, const char *name, const struct stat *judged);

#endif
