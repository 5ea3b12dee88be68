/*
 * print_reader.h - the thread that finds a run's processes and reads their rings as they fill.
 */
#ifndef CULPRIT_TOOLS_PRINT_READER_H
#define CULPRIT_TOOLS_PRINT_READER_H

#include <regex.h>

#include "print/print_queue.h"
#include "print/printed_process.h"

enum { READER_BATCH = 256 };

struct print_reader {
	const char *run;
	int end_fd; /* a pipe that is closed when the command exits */
	struct print_queue *queue;
	const regex_t *chosen[N_KERNEL_CHOICES]; /* kernels to inspect or check; NULL: none */
	/* The thread's own. Others may read `processes` after it has finished. */
	struct printed_process *processes;
	char **others; /* names of journals in memory that belong to other runs */
	size_t n_others;
	struct print_entry read[READER_BATCH]; /* entries not in the queue yet */
	size_t n_read;
	unsigned n_turns; /* since the last search for new rings and processes */
};

/*
 * The thread's function; `state` is a struct print_reader. Read until end_fd is closed and
 * everything has been read, then end the queue. Return NULL.
 */
void *print_reader_run(void *state);

/*
 * Read the records that the rings of all processes have now; from time to time look for new rings
 * first. Return true if there were any records.
 */
bool print_reader_read(struct print_reader *reader);

#endif
