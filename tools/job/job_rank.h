/*
 * job_rank.h - one process of a job: its rank, its host, and when and how it failed.
 */
#ifndef CULPRIT_TOOLS_JOB_RANK_H
#define CULPRIT_TOOLS_JOB_RANK_H

#include "analysis/analysis.h"
#include "analysis/fingerprint.h"
#include "job/collectives.h"

enum job_role {
	JOB_FIRST,     /* its failure came before all others */
	JOB_UNDECIDED, /* no failure is known to have come before its own */
	JOB_FOLLOWED,  /* another rank failed before it, or it had no failure */
};

struct job_rank {
	size_t number;   /* in its survey, from 0 */
	char rank[16];   /* digits; "": not a rank of a job */
	char job[160];   /* the launcher's name for the job; equal within a job */
	char size[16];   /* number of ranks in the job; "": unknown */
	char where[512]; /* "rank 1 on gpu17, device 0 (NVIDIA H200)" */
	char host[256];
	char device[160];   /* "device 0 (NVIDIA H200)" */
	char headline[512]; /* how it failed, or its unfinished work; "": neither */
	char path[1024];    /* of the bundle, safe to print */
	char mistake[FINGERPRINT_ID_SIZE];
	uint64_t started_ns;   /* nanoseconds since 1970 by its host's clock; 0: unknown */
	uint64_t submitted_ns; /* of the culprit, or of the earliest suspect */
	uint64_t seen_ns;      /* of the failure; 0: none */
	struct collectives collectives;
	enum job_role role;
};

/* Returns 0 or -ENOMEM. */
int job_rank_read(const struct analysis *analysis, struct job_rank *out);

#endif
