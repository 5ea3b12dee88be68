/*
 * print_reader.h - the thread that finds the run's processes and reads their rings as they fill.
 */
#ifndef CULPRIT_TOOLS_PRINT_READER_H
#define CULPRIT_TOOLS_PRINT_READER_H

#include <regex.h>

#include "print/print_queue.h"
#include "print/printed_process.h"

enum { READER_BATCH = 256 };

struct print_reader {
	const char *run;
	int end_fd; /* at its end when the command is */
	struct print_queue *queue;
	const regex_t *inspected; /* NULL: no kernels are */
	/* Its own; the first two may be read when the thread has ended. */
	struct printed_process *processes;
	char **others; /* memory that is not of the run */
	size_t n_others;
	struct print_entry read[READER_BATCH]; /* that are not in the queue yet */
	size_t n_read;
	unsigned n_turns; /* since it looked for what is new */
};

/* Until end_fd is at its end and all has been read; then it ends the queue. STATE is a reader. */
void *print_reader_run(void *state);

/*
 * Reads once what the rings of its processes have now, new rings among them where it is such a
 * turn. Was there anything?
 */
bool print_reader_read(struct print_reader *reader);

#endif
