/*
 * run_parts.h - smaller parts of `culprit run`. Private to this folder.
 */
#ifndef CULPRIT_TOOLS_RUN_PARTS_H
#define CULPRIT_TOOLS_RUN_PARTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/settings.h"
#include "ci/ci.h"
#include "command/options.h"
#include "hang/hang_watch.h"
#include "run/child.h"
#include "run/run_end.h"
#include "run/run_slot.h"

struct left_memory;
struct run_slot_header;

/*
 * command_kind.c: whether the library can be loaded into a command, judged by the command's file.
 */

enum command_kind {
	COMMAND_LOADS,     /* as far as we know */
	COMMAND_IS_STATIC, /* static: it has no loader */
	COMMAND_IS_32_BIT, /* its loader skips the library, with a message */
	COMMAND_IS_MUSL,   /* its loader would try and then exit: the library is for glibc */
	N_COMMAND_KINDS
};

/* Returns the kind of the file that exec would find by this name, or of a script's interpreter. */
enum command_kind command_kind(const char *command);

/* Returns one phrase: why the command itself cannot be recorded. NULL for COMMAND_LOADS. */
const char *command_kind_text(enum command_kind kind);

/* journal_move.c: copies and removes the files that culprit makes in a directory. */

/*
 * Copies the journal from one directory to the other, sparse, with the verdict if there is one.
 * With `is_all`, also copies meta.json and other texts. Returns 0, or -errno of the first file that
 * could not be copied.
 */
int journal_copy_files(int from_fd, int to_fd, bool is_all);

/*
 * Copies the journal and all texts to a new directory in TMPDIR. Stores its path, which the caller
 * frees. Returns 0, or -errno: then no directory is left, and the path is not stored.
 */
int journal_copy_home(int from_fd, const char *name, char **out_path);

/* Removes all files that culprit makes, including the driver's core dump of a bundle. */
void journal_remove_files(int directory_fd);

/* Removes a journal in memory with its directory, if it is this user's. */
void journal_remove_memory(const char *name);

/*
 * Writes the files for a build server that the options name, even for a run without a failure.
 * Prints a line for each file that could not be written. Annotations go to standard error, unless
 * `is_quiet`. Frees the findings.
 */
void run_views_write(const struct arguments *arguments, struct ci_findings *findings,
		     bool is_quiet);

/*
 * old_bundles.c: removes bundles of processes that have exited.
 */

/* Which bundles stay. A bundle that exceeds one of the limits is removed. */
struct old_bundles_limits {
	uint64_t max_bytes;   /* that the newest may take on their disk; UINT64_MAX: no limit */
	uint64_t max_seconds; /* of age; UINT64_MAX: no limit */
	bool is_dry;          /* remove none, only call `tell` */
};

/*
 * Removes the bundles of `directory` that exceed the limits, the newest first, and calls `tell` (if
 * not NULL) with the path of each removed bundle. It never removes the bundle of a process that is
 * alive, or may be alive in another container, and never another user's directory or one that is
 * not a bundle. Returns 0, or -errno if the directory cannot be read.
 */
int old_bundles_remove(const char *directory, const struct old_bundles_limits *limits,
		       void (*tell)(const char *path));

/*
 * Read a size of bundles, an option in MB, as bytes. *out is unchanged if the option was not given.
 * Return 0, or -EINVAL after one line.
 */
int old_bundles_read_size(const struct arguments *arguments, enum option option, uint64_t *out);

/*
 * run_kill.c: end the processes of a run after a GPU failure (--on-failure kill).
 */

struct run_kill {
	int slot_fd;           /* of run_slot.h; negative: none */
	const char *run_id;    /* as in the environment of the run's processes */
	const char *outer_run; /* the run that this one is within; "": none */
	bool is_quiet;         /* print nothing */
	long long
		kill_from_ms; /* when SIGTERM has had its time, by monotonic_ms(); 0: not started */
};

/*
 * If a process of the run has asked for it, ends those that are in culprit's own process group and
 * that the run has started: their initial environment has the run's ID. The first call sends
 * SIGTERM; later ones send SIGKILL once the time is over. Returns the milliseconds until the next
 * call, 0 if there is nothing to end. Culprit itself, processes that are ending themselves, and
 * those in other groups get no SIGTERM. STATE is a run_kill.
 */
int run_kill_step(void *state);

/*
 * Does the same after the command has exited, until the processes have exited or were killed.
 * Returns true if the run had to end.
 */
bool run_kill_end(struct run_kill *wanted);

/*
 * run_early.c: prints the first lines of verdicts before the full reports. If the command keeps
 * running after a failure, its user may wait for them.
 */

struct run_early {
	int slot_fd;      /* of run_slot.h; negative: none */
	int events_fd;    /* readable after a new report; negative: not watched */
	unsigned n_lines; /* written */
	bool is_quiet;
	unsigned char *looked_at; /* a bit for each printed entry of the slot; NULL: none */
	/* The data of the thread that waits for the slot's bell: */
	struct run_slot_header *slot; /* NULL: there is no thread */
	int bell_fd;                  /* the end of the pipe that it writes to */
	bool is_ending;               /* atomic */
	pthread_t thread;
};

/*
 * Starts watching the slot. If that fails, lines are printed at the end only. Do not move `out`
 * until run_early_end().
 */
void run_early_begin(int slot_fd, bool is_quiet, struct run_early *out);

/*
 * Writes the first line of each new verdict to standard error, up to a limit: if many processes
 * fail, the report at the end groups them. STATE is a run_early.
 */
void run_early_print(void *state);

void run_early_end(struct run_early *early);

/*
 * run_hang.c: the options of a run about work that hangs, and the result of the watch.
 */

struct run_hang {
	struct hang_settings settings;
	int code;                 /* the exit status of the run after an abort */
	struct hang_watch *watch; /* NULL: no watch */
	bool has_aborted;         /* as --on-hang abort wants */
};

/* Returns 0, or -EINVAL after one line. */
int run_hang_read(const struct arguments *arguments, struct run_hang *out);

/* Sets the driver's environment variables that an abort needs. Returns 0 or -errno. */
int run_hang_prepare(struct run_hang *hang, const struct settings *settings);

/* Makes `watch` look for hangs while the command runs. */
void run_hang_begin(struct run_hang *hang, struct run_end *end, struct child_watch *watch);
void run_hang_end(struct run_hang *hang, struct run_end *end);

/*
 * run_bundles.c: finds the bundles of a run that have a failure.
 */

struct failed_bundle {
	char *path;
	uint64_t failed_ns;
	bool is_hung; /* it has no failure: its finding was printed during the run */
};

struct failed_bundles {
	struct failed_bundle *rows;
	size_t n;
	bool has_running; /* a process is still alive and has not failed */
};

/*
 * Finds the run's bundles that have a failure, or whose process reported one, the earliest first,
 * and after those the bundles with another finding:
 * in its directory and among the journals that were left elsewhere. Returns 0, or -errno of a
 * failed read. In both cases the caller frees *out, which has the bundles that were found.
 */
int run_bundles_find(const struct run_end *end, struct run_reported *told,
		     const struct left_memory *left, struct failed_bundles *out);
void run_bundles_free(struct failed_bundles *bundles);

/* Removes the bundles of the run that have no failure and that no setting keeps. */
void run_bundles_sweep(const struct run_end *end);

/*
 * run_unfinished.c: processes without a GPU failure that left their journals: the work that they
 * submitted, the part of it that was unfinished, and the calls that the driver refused.
 */

/*
 * Adds the processes to `told`. With `is_news`, writes reports of those with unfinished work to
 * `out` (NULL: nowhere), the command's first and only a few. Their bundles stay, with the
 * unfinished work as finding. Returns the number of unfinished submissions.
 */
uint64_t run_unfinished_print(const struct run_end *end, struct left_memory *left,
			      struct run_reported *told, bool is_news, FILE *out);

/*
 * Write to `out` (NULL: nowhere) the last refused call that each process did not recover from, the
 * command's first, and only for a few processes. Their bundles stay, with the refusal as finding.
 */
void run_rejections_print(const struct run_end *end, struct left_memory *left, FILE *out);

/*
 * Writes a line to `out` about the sound journals of ranks whose job has another rank that failed.
 * The launcher kills ranks that wait for the failed one. A process that reported its own end was
 * not killed. Writes nothing if there is no such rank.
 */
void run_followers_print(const struct left_memory *left, const struct run_reported *told,
			 FILE *out);

#endif
