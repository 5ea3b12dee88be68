/*
 * run_slot.h - reports that the processes of a run, and runs within it, send to the run directly.
 * The slot does not depend on any disk or directory.
 */
#ifndef CULPRIT_TOOLS_RUN_SLOT_H
#define CULPRIT_TOOLS_RUN_SLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run_verdict {
	long pid;
	char *text; /* from malloc, without a NUL after it */
	size_t size;
	bool is_shown;  /* a run within this one has printed it on standard error */
	bool is_told;   /* for the caller */
	uint32_t entry; /* in the slot; constant while the run lasts */
	uint64_t published_ns;
};

/* A process that recorded its work and reported its own end. */
struct run_process {
	long pid;
	uint64_t n_submissions;
};

struct run_reported {
	struct run_verdict *verdicts;
	size_t n_verdicts;
	struct run_process *processes;
	size_t n_processes;
};

/*
 * Names a run and opens its slot, which the command does not inherit. Returns a descriptor to keep
 * open while the command runs, or -errno. The name is valid in both cases.
 */
int run_slot_open(char *out_run, size_t capacity);

/* Notes that the calling process is about to become the run's command. */
void run_slot_note_command(int fd);

/*
 * Reads the reports, the earliest verdict first. Finds none if out of memory. Free the result with
 * the next function.
 */
void run_slot_read(int fd, struct run_reported *out);
void run_reported_free(struct run_reported *told);

/* Returns the first unreported verdict of process `pid`, or NULL. */
struct run_verdict *run_reported_find(struct run_reported *told, long pid);

/* Returns the process with this ID, or NULL if it has not reported its end. */
const struct run_process *run_reported_process(const struct run_reported *told, long pid);

/* Adds a process that the run learned about in another way. */
void run_reported_add_process(struct run_reported *told, long pid, uint64_t n_submissions);

/* True if process `pid` (0: any) asks for the end of the run (--on-failure kill). */
bool run_slot_has_fatal(int fd, long pid);

/*
 * Pass a process's verdict, or its end, on to another run, by its name. Do nothing if there is no
 * such run. `is_shown`: the text is on standard error already.
 */
void run_slot_pass_verdict(const char *run, long pid, const char *text, size_t size, bool is_shown);
void run_slot_pass_end(const char *run, long pid, uint64_t n_submissions);

/* Ask another run to end as well, if there is such a run. */
void run_slot_pass_fatal(const char *run);

#endif
