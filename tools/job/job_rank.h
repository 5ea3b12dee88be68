/*
 * job_rank.h - one process of a job: which rank it is, where it ran, when and how it failed.
 */
#ifndef CULPRIT_TOOLS_JOB_RANK_H
#define CULPRIT_TOOLS_JOB_RANK_H

#include "analysis/analysis.h"
#include "analysis/fingerprint.h"
#include "job/collectives.h"

enum job_role {
	JOB_FIRST,     /* its failure came before all others */
	JOB_UNDECIDED, /* none is known to have come before its failure */
	JOB_FOLLOWED,  /* another one's did, or it had none */
};

struct job_rank {
	char rank[16];   /* digits; "": it is no rank of a job */
	char job[160];   /* what its launcher calls the job; equal within one */
	char size[16];   /* ranks of the job; "" unknown */
	char where[512]; /* "rank 1 on gpu17, device 0 (NVIDIA H200)" */
	char host[256];
	char device[160];   /* "device 0 (NVIDIA H200)" */
	char headline[512]; /* how it failed, or what it left unfinished; "": neither */
	char path[1024];    /* of the bundle, harmless */
	char mistake[FINGERPRINT_ID_SIZE];
	uint64_t started_ns;   /* nanoseconds since 1970 by its host's clock; 0 unknown */
	uint64_t submitted_ns; /* the culprit; of several suspects the earliest */
	uint64_t seen_ns;      /* the failure; 0: it has none */
	struct collectives collectives;
	enum job_role role;
};

/* 0 or -ENOMEM. */
int job_rank_read(const struct analysis *analysis, struct job_rank *out);

#endif
