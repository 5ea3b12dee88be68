/*
 * ranks.h - the processes of one job against each other: which is behind in the collectives of a
 * communicator, or calls another one than the rest. Counted, never by clocks.
 *
 * A communicator is a stream on which NCCL's kernels run; those of a process are numbered in the
 * order in which the streams were made, which is the same in all ranks of a program. A collective's
 * number is its place on that stream. What one look finds may be on its way: only what the next one
 * finds again is told.
 */
#ifndef CULPRIT_TOOLS_RANKS_H
#define CULPRIT_TOOLS_RANKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "status/process_status.h"

enum { RANKS_MAX_GROUPS = 16, RANKS_WINDOW = 64, RANKS_WORD = 32, RANKS_TEXT = 512 };

struct rank_collective {
	uint64_t number;
	char kind[RANKS_WORD]; /* "AllReduce" */
};

struct rank_group {
	uint32_t stream;                             /* 0: the process has no such group */
	uint64_t newest;                             /* number of the collective launched last */
	uint64_t front;                              /* of the one that is unfinished; 0: none is */
	struct rank_collective window[RANKS_WINDOW]; /* by number modulo its length */
	char front_text[RANKS_TEXT];                 /* since when, from where */
};

struct rank_process {
	char name[RANKS_WORD]; /* "rank 3", "process 123" */
	int64_t rank;          /* -1: it has none */
	long pid;
	char *text; /* its status for people */
	uint32_t n_groups;
	struct rank_group groups[RANKS_MAX_GROUPS];
	char thread_text[RANKS_TEXT]; /* the call that a thread is in; "" */
	bool is_outlier;
};

struct ranks {
	struct rank_process *rows;
	size_t n;
};

/* Adds a process, read with names. 0 or -ENOMEM. */
int ranks_add(struct ranks *ranks, const struct process_status *status);
void ranks_free(struct ranks *ranks);

/* Has any of them launched a collective? */
bool ranks_have_groups(const struct ranks *ranks);

/* By their numbers, those without one by their process's; whatever order they came in. */
void ranks_sort(struct ranks *ranks);

/* The same process again, read without names: forgets what has changed since. False: it is new. */
bool ranks_confirm(struct ranks *ranks, const struct process_status *status);

/*
 * A line for each group in which a rank is behind or at odds, to `out`; marks those. Returns how
 * many lines.
 */
unsigned ranks_print(struct ranks *ranks, FILE *out);

#endif
