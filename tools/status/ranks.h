/*
 * ranks.h - compare the processes of one job: find the rank that is behind in a communicator's
 * collectives, or that called a different collective than the others. The comparison counts
 * collectives; clocks are not compared.
 *
 * A communicator is a stream on which NCCL's kernels run. A process's communicators are numbered in
 * the order in which their streams were created, which is the same in all ranks of a program. A
 * collective's number is its position on that stream. A difference found once may only be work on
 * its way, so it is reported only if a second snapshot shows it as well.
 */
#ifndef CULPRIT_TOOLS_RANKS_H
#define CULPRIT_TOOLS_RANKS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/nccl_kernel.h"
#include "status/process_status.h"

enum {
	RANKS_MAX_GROUPS = 16,
	RANKS_WINDOW = 64,
	RANKS_WORD = 32,
	RANKS_KIND = NCCL_KERNEL_SIZE,
	RANKS_TEXT = 512,
};

/*
 * The kernel's name gives the operation, the data type and the algorithm. NCCL chooses the
 * algorithm by size, so all three are the same in all ranks.
 */
struct rank_collective {
	uint64_t number;
	char kind[RANKS_KIND]; /* "AllReduce_Sum_f32_RING_LL" */
};

struct rank_group {
	uint32_t stream; /* 0: the process has no such group */
	uint64_t newest; /* number of the collective launched last */
	uint64_t front;  /* number of the first unfinished one; 0: none */
	struct rank_collective window[RANKS_WINDOW]; /* by number modulo its length */
	char front_text[RANKS_TEXT];                 /* for how long, and launched from where */
};

struct rank_process {
	char name[RANKS_WORD]; /* "rank 3", "process 123" */
	int64_t rank;          /* -1: the process has no rank */
	long pid;
	char *text;     /* its status as text; NULL if `object` is set */
	json_t *object; /* its status as JSON; NULL if `text` is set */
	uint32_t n_groups;
	struct rank_group *groups; /* by stream; most processes have few */
	bool has_failed;
	char thread_text[RANKS_TEXT]; /* "is in" or "was in" a driver call, or in none */
	bool is_outlier;
};

struct ranks {
	struct rank_process *rows;
	size_t n;
};

/*
 * Add a process whose names are loaded, with its status as JSON or as text. Return 0 or -ENOMEM;
 * the caller releases *ranks with ranks_free() in either case.
 */
int ranks_add(struct ranks *ranks, const struct process_status *status, bool is_for_programs);
void ranks_free(struct ranks *ranks);

/* True if any process has launched a collective. */
bool ranks_have_groups(const struct ranks *ranks);

/* Sort by rank, then by process ID; processes without a rank come last. */
void ranks_sort(struct ranks *ranks);

/*
 * Compare with a later snapshot of the same process, which needs no names, and drop the groups that
 * have changed since. Return false if the process was not added before.
 */
bool ranks_confirm(struct ranks *ranks, const struct process_status *status);

enum rank_role {
	RANK_ELSE,    /* not known, or not in the group */
	RANK_BEHIND,  /* has not launched the collective that the others wait in */
	RANK_AT_ODDS, /* has launched a different collective than most */
	RANK_WAITS,   /* has launched the same collective as most */
};

/* A group in which some rank is behind, or has launched a different collective than most. */
struct rank_finding {
	uint32_t group; /* from 1 */
	bool is_odds;
	uint64_t number;       /* of the collective */
	char kind[RANKS_KIND]; /* "": not known */
	char *text;            /* a line of text without the newline */
	enum rank_role *roles; /* one for each process */
};

struct rank_findings {
	struct rank_finding rows[RANKS_MAX_GROUPS];
	uint32_t n;
};

/*
 * Find at most one difference in each group, and set is_outlier of the processes that are behind or
 * have launched a different collective. Return 0 or -ENOMEM; the caller releases *out with
 * ranks_findings_free() in either case.
 */
int ranks_find(struct ranks *ranks, struct rank_findings *out);
void ranks_findings_free(struct rank_findings *findings);

/* Return JOB of status_json.h for the process ranks->rows[own]; NULL if out of memory. */
json_t *ranks_to_json(const struct ranks *ranks, size_t own, const struct rank_findings *findings);

#endif
