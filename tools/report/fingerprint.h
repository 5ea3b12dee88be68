/*
 * fingerprint.h - one name for one mistake, in however many bundles, runs and machines it shows:
 * made of the error, the kind of work, the kernel and the user's code that launched it, innermost
 * three places. No address, number, path of a machine or line number is in it: of a Python function
 * the line is counted from the function's first, so that changes elsewhere in a file change
 * nothing.
 *
 * Where several launches are suspect, and no line has them all, the place that saw the error stands
 * for them: which of them come out depends on how far the GPU happened to be.
 */
#ifndef CULPRIT_TOOLS_FINGERPRINT_H
#define CULPRIT_TOOLS_FINGERPRINT_H

#include "bundle/analysis.h"

enum { FINGERPRINT_ID_SIZE = 17, FINGERPRINT_TEXT_SIZE = 1024 };

struct fingerprint {
	char id[FINGERPRINT_ID_SIZE];   /* 16 hexadecimal digits of `of`; "" without a failure */
	char of[FINGERPRINT_TEXT_SIZE]; /* in words, cut without harm */
};

void fingerprint_of(const struct analysis *analysis, struct fingerprint *out);

#endif
