/*
 * examination.h - what `culprit doctor` tried on this machine, and the checks that make findings of
 * it.
 */
#ifndef CULPRIT_TOOLS_EXAMINATION_H
#define CULPRIT_TOOLS_EXAMINATION_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>

#include "bundle/bundle.h"
#include "doctor/findings.h"

/* One examination: what was tried, and the findings so far. */
struct doctor {
	const char *directory;  /* for bundles */
	char library[PATH_MAX]; /* "" if it was not found */
	json_t *alone;         /* the probe's findings without culprit; NULL: it did not end well */
	json_t *preloaded;     /* with culprit; NULL: as above, or not tried */
	struct bundle *bundle; /* of the preloaded probe; NULL: it left none */
	const char *python;    /* the interpreter to try */
	bool is_python_named;  /* by the user */
	json_t *python_probe;  /* what doctor_python_script printed under culprit, or NULL */
	struct bundle *python_bundle; /* of that; NULL: it left none */
	struct findings findings;
};

/* A submission made by Python; prints {"work": result} or {"error": text}. */
extern const char doctor_python_script[];

/* Runs the probes and reads the bundles that they leave. */
void doctor_probe(struct doctor *doctor);

/* Each adds the findings of its field. */
void doctor_check_driver(struct doctor *doctor);
void doctor_check_doors(struct doctor *doctor);
void doctor_check_recording(struct doctor *doctor);
void doctor_check_progress(struct doctor *doctor);
void doctor_check_python(struct doctor *doctor);
void doctor_check_tools(struct doctor *doctor);
void doctor_check_directory(struct doctor *doctor);
void doctor_check_environment(struct doctor *doctor);

/* The record of a probe's one submission in its bundle. */
bool doctor_find_submission(const struct bundle *bundle, struct journal_record *out);

#endif
