/*
 * findings.h - what the views for build servers are made of: each mistake once, in however many
 * processes it showed, with the user's line that they mark. Taken from the page of a report, as the
 * text and the JSON are.
 */
#ifndef CULPRIT_TOOLS_FINDINGS_CI_H
#define CULPRIT_TOOLS_FINDINGS_CI_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/analysis.h"

struct ci_finding {
	char *key;         /* equal ones are one finding; "": equal to none */
	char *fingerprint; /* never empty */
	char *rule;        /* "CUDA700" */
	char *name;        /* of the error: "CUDA_ERROR_ILLEGAL_ADDRESS" */
	char *message;     /* the report's first line, without "culprit: " */
	char *text;        /* the report */
	char *program;
	char *process; /* "pid 415, rank 3" */
	char *file; /* of the user's line, from the checkout on where it lies there; "" unknown */
	char *function; /* "" unknown */
	uint32_t line;  /* 0 unknown */
	size_t n_others;
};

struct ci_findings {
	struct ci_finding *rows;
	size_t n;
};

/* One more report with a failure. 0 or -ENOMEM; *findings starts as zeros. */
int ci_findings_add(struct ci_findings *findings, const struct analysis *analysis);

/* One that there is only the text of. */
int ci_findings_add_text(struct ci_findings *findings, const char *text, size_t size);
void ci_findings_free(struct ci_findings *findings);

#endif
