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

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "status/process_status.h"

enum {
	RANKS_MAX_GROUPS = 16,
	RANKS_WINDOW = 64,
	RANKS_WORD = 32,
	RANKS_KIND = 64,
	RANKS_TEXT = 512,
};

/*
 * The kernel's name tells what is called, of which type, and by which algorithm, which follows from
 * the size: all of it is the same in all ranks.
 */
struct rank_collective {
	uint64_t number;
	char kind[RANKS_KIND]; /* "AllReduce_Sum_f32_RING_LL" */
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
	char *text;     /* its status for people; NULL: for programs */
	json_t *object; /* its status for programs; NULL: for people */
	uint32_t n_groups;
	struct rank_group groups[RANKS_MAX_GROUPS];
	char thread_text[RANKS_TEXT]; /* the call that a thread is in; "" */
	bool is_outlier;
};

struct ranks {
	struct rank_process *rows;
	size_t n;
};

/* Adds a process, read with names, with its status for programs or for people. 0 or -ENOMEM. */
int ranks_add(struct ranks *ranks, const struct process_status *status, bool is_for_programs);
void ranks_free(struct ranks *ranks);

/* Has any of them launched a collective? */
bool ranks_have_groups(const struct ranks *ranks);

/* By their numbers, those without one by their process's; whatever order they came in. */
void ranks_sort(struct ranks *ranks);

/* The same process again, read without names: forgets what has changed since. False: it is new. */
bool ranks_confirm(struct ranks *ranks, const struct process_status *status);

enum rank_role {
	RANK_ELSE,    /* none of these, or not in the group */
	RANK_BEHIND,  /* it has not launched what the others wait in */
	RANK_AT_ODDS, /* it has launched another one than most */
	RANK_WAITS,   /* it has launched what most have */
};

/* A group in which a rank is behind, or at odds with the rest. */
struct rank_finding {
	uint32_t group; /* from 1 */
	bool is_odds;
	uint64_t number;       /* of the collective */
	char kind[RANKS_KIND]; /* "": not known */
	char *text;            /* a line for people, without its end */
	enum rank_role *roles; /* of each process */
};

struct rank_findings {
	struct rank_finding rows[RANKS_MAX_GROUPS];
	uint32_t n;
};

/* One at most of each group; marks the processes that are behind or at odds. 0 or -ENOMEM. */
int ranks_find(struct ranks *ranks, struct rank_findings *out);
void ranks_findings_free(struct rank_findings *findings);

#endif
