/*
 * redaction.h - takes out of a bundle in memory what may be nobody else's business, so that
 * whatever is then made from it does not have it. What is replaced and what stays:
 * docs/privacy.md.
 */
#ifndef CULPRIT_TOOLS_REDACTION_H
#define CULPRIT_TOOLS_REDACTION_H

#include "bundle/analysis.h"

struct redaction;

/* What the bundle, and who runs this, must not be known by. NULL: out of memory. */
struct redaction *redaction_open(const struct bundle *bundle);
void redaction_close(struct redaction *redaction);

/*
 * Puts an 'x' for each byte of the working folder, of names of users and of the host: in place, so
 * that one name stays one name. Slashes stay.
 */
void redaction_mask(const struct redaction *redaction, char *bytes, size_t size);

/*
 * For an analysis, of the whole bundle: strings, meta.json, NVTX texts, kernels' arguments, the
 * core dump's paths. Valid as long as the redaction.
 */
struct analysis_filter redaction_filter(struct redaction *redaction);

#endif
