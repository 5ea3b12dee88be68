/*
 * fingerprint.h - an id that groups failures with the same cause across bundles, runs and machines.
 *
 * It is made of the error ("hang" for work that hung), the kind of work, the kernel and the
 * innermost three code locations of the user's code that launched it. It contains no address, path
 * or absolute line number. A line of a Python function counts from the function's first line, so
 * that edits elsewhere in the file do not change the id.
 *
 * If several launches are suspect and no single line launched them all, the location that saw the
 * error is used instead: the set of suspects depends on how far the GPU happened to be.
 */
#ifndef CULPRIT_TOOLS_FINGERPRINT_H
#define CULPRIT_TOOLS_FINGERPRINT_H

#include "analysis/analysis.h"

enum { FINGERPRINT_ID_SIZE = 17, FINGERPRINT_TEXT_SIZE = 1024 };

struct fingerprint {
	char id[FINGERPRINT_ID_SIZE];   /* hash of `of`, 16 hex digits; "" without a finding */
	char of[FINGERPRINT_TEXT_SIZE]; /* readable text; may be truncated */
};

/* Compute the fingerprint of a failure or a hang. */
void fingerprint_of(const struct analysis *analysis, struct fingerprint *out);

#endif
