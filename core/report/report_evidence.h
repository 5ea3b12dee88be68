/*
 * report_evidence.h - evidence as text.
 */
#ifndef CULPRIT_REPORT_REPORT_EVIDENCE_H
#define CULPRIT_REPORT_REPORT_EVIDENCE_H

#include "base/text.h"
#include "report/report_model.h"

/* Return "sync", "marker", ...: enum evidence_kind without its prefix, in lower case. */
const char *report_evidence_label(enum evidence_kind kind);

/* Append the evidence as one plain phrase. */
void report_evidence_text(const struct report *report, const struct evidence *evidence,
			  struct text *out);

#endif
