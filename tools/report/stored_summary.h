/*
 * stored_summary.h - what the report that a run stored in a bundle says in one line, without
 * reading the bundle's journal.
 */
#ifndef CULPRIT_TOOLS_STORED_SUMMARY_H
#define CULPRIT_TOOLS_STORED_SUMMARY_H

#include <jansson.h>
#include <stdbool.h>

#include "analysis/fingerprint.h"

enum { SUMMARY_TEXT_SIZE = 512 };

/* Strings are safe to print; "" is not known. */
struct stored_summary {
	enum verdict_class class;
	char fingerprint[FINGERPRINT_ID_SIZE];
	char when[PROCESS_TIME_SIZE];  /* of the failure */
	char error[16];                /* its code, or "hung" */
	char work[SUMMARY_TEXT_SIZE];  /* the first suspect */
	char place[SUMMARY_TEXT_SIZE]; /* the user's line that launched it */
};

/*
 * Read the summary of a failure or a hang from report.json in the bundle's directory. The process
 * is that of `meta`. Return false if there is no such file, if another version of culprit wrote it,
 * if it lacks symbols or is about another process, or if it is damaged: the journal knows more
 * then. The file is not trusted.
 */
bool stored_read_summary(int directory_fd, const json_t *meta, struct stored_summary *out);

#endif
