/*
 * ci.h - the data of the views for build servers, and a function for each. A finding is one
 * mistake, however many processes had it, with the user's line to mark. It comes from the page of a
 * report, like the text and the JSON.
 */
#ifndef CULPRIT_TOOLS_CI_H
#define CULPRIT_TOOLS_CI_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/analysis.h"

/* Another line of code that a finding is about. */
struct ci_location {
	const char *what; /* "freed", "allocated", "captured", "seen" or "first NaN" */
	char *file;       /* as in ci_finding, never "" */
	char *function;
	uint32_t line;
};

enum { CI_MAX_LOCATIONS = 8 };

struct ci_finding {
	char *fingerprint; /* the same in every run; findings with the same one are one */
	char *rule;        /* "CUDA700"; "HANG" */
	char *name;        /* "CUDA_ERROR_ILLEGAL_ADDRESS"; "GPU_HANG" */
	char *message; /* the report's headline and first NaN, whose numbers differ from run to run
			*/
	char *text;    /* the short report */
	char *full;    /* the full one */
	char *program;
	char *file; /* of the user's line, relative to the checkout if it is inside; "" unknown */
	char *function; /* "" unknown */
	uint32_t line;  /* 0 unknown */
	struct ci_location locations[CI_MAX_LOCATIONS];
	size_t n_locations;
	size_t n_others;
};

struct ci_findings {
	struct ci_finding *rows;
	size_t n;
};

/* Adds a report with a finding. Returns 0 or -ENOMEM. Zero *findings before the first call. */
int ci_findings_add(struct ci_findings *findings, const struct analysis *analysis);

/* Adds a report of which only the text is known. */
int ci_findings_add_text(struct ci_findings *findings, const char *text, size_t size);
void ci_findings_free(struct ci_findings *findings);

/*
 * Print findings as test results (JUnit): a failed case for each finding, or one passed case
 * without findings. Returns 0 or -ENOMEM, as the functions below do.
 */
int junit_print(const struct ci_findings *findings, FILE *out);

/*
 * Print findings as results of a static analysis (SARIF 2.1.0), which code hosts show in the code.
 * The rule is the error, and the location is the user's line.
 */
int sarif_print(const struct ci_findings *findings, FILE *out);

/* Print GitLab's code quality report, which a merge request shows next to the code. */
int gitlab_print(const struct ci_findings *findings, FILE *out);

/* Print lines that GitHub's runner takes from a step's output. It shows ten of them. */
int github_print(const struct ci_findings *findings, FILE *out);

/*
 * Print Markdown, for an issue, a chat or the summary page of a workflow's step: for each finding
 * its headline, place and short report, and the full report, folded. Foreign names are within code,
 * where nothing but its end is Markdown. Stops at 900 KiB: GitHub drops a larger page.
 */
int markdown_print(const struct ci_findings *findings, FILE *out);

/* Each view is valid even without findings. Untrusted names are escaped for the format. */
enum ci_view { CI_JUNIT, CI_SARIF, CI_GITLAB, CI_GITHUB, CI_MARKDOWN, N_CI_VIEWS };

/* Prints one view. Errors are left in the stream (ferror()). Returns 0 or -ENOMEM. */
int ci_view_print(enum ci_view view, const struct ci_findings *findings, FILE *out);

/* Appends to the summary page of a step, which GITHUB_STEP_SUMMARY names. Returns 0 or -errno. */
int ci_view_summarise(const struct ci_findings *findings, const char *path);

#endif
