/*
 * finding.h - what a report is about, and finding.json, the record of a finding that the journal
 * does not have. `culprit run` writes it; docs/contributing/format.md describes it.
 */
#ifndef CULPRIT_TOOLS_FINDING_H
#define CULPRIT_TOOLS_FINDING_H

#include <jansson.h>
#include <stdbool.h>

#include "attribution/hang_claim.h"

enum finding_kind {
	FINDING_NONE,      /* no failure is known */
	FINDING_FAILURE,   /* a call returned a sticky error */
	FINDING_HANG,      /* work on the GPU made no progress, and still does not */
	FINDING_REJECTION, /* the program failed after a call that the driver refused */
	/* the process ended with work unfinished, in a run that did not succeed */
	FINDING_UNFINISHED,
};

/*
 * Read the record of a hang, which is untrusted. Returns false if `record` (NULL: no
 * record) is of another kind, or if a member is missing or wrong.
 */
bool finding_read_hang(const json_t *record, struct hang_claim *out);

/* Return the record of a hang, or NULL if out of memory. `fingerprint` may be "". */
json_t *finding_of_hang(const struct hang_claim *hang, const char *fingerprint);

/* True for the record of a refused call. The call is in the journal. */
bool finding_is_rejection(const json_t *record);

/* Return the record of a refused call, or NULL if out of memory. */
json_t *finding_of_rejection(const char *fingerprint);

/* The same two for a process that ended with work unfinished. */
bool finding_is_unfinished(const json_t *record);
json_t *finding_of_unfinished(const char *fingerprint);

/* Return the streams of a claim as a list; NULL if out of memory. */
json_t *finding_streams(const struct hang_claim *hang);

/* Return "failure", "hang", "refusal" or "unfinished"; NULL for FINDING_NONE. */
const char *finding_label(enum finding_kind kind);

/* Store a record in the bundle at `path`, if that is a directory of this user's. */
void finding_store(const char *path, const json_t *record);

#endif
