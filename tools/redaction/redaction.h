/*
 * redaction.h - remove private information from a bundle in memory, so that no output made from it
 * contains any. docs/privacy.md lists what is replaced and what stays.
 */
#ifndef CULPRIT_TOOLS_REDACTION_H
#define CULPRIT_TOOLS_REDACTION_H

#include "analysis/analysis.h"

struct redaction;

/*
 * Collect the names to mask: of the bundle's host, owner and working directory, and of the user who
 * runs this command. Return NULL if out of memory.
 */
struct redaction *redaction_open(const struct bundle *bundle);
void redaction_close(struct redaction *redaction);

/*
 * Replace each byte of the working directory and of the names of users and the host by 'x'. Slashes
 * stay. The length stays the same, so that equal names remain equal.
 */
void redaction_mask(const struct redaction *redaction, char *bytes, size_t size);

/*
 * Return a filter that makes an analysis redact the whole bundle: strings, meta.json, NVTX texts,
 * kernel arguments and the paths in the core dump. It is valid until redaction_close().
 */
struct analysis_filter redaction_filter(struct redaction *redaction);

#endif
