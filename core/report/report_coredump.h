/*
 * report_coredump.h - text about the contents of a GPU core dump: places on the device, evidence.
 */
#ifndef CULPRIT_VERDICT_REPORT_COREDUMP_H
#define CULPRIT_VERDICT_REPORT_COREDUMP_H

#include "base/text.h"
#include "report/report_model.h"

/* Append "train.py:5, block (8,0,0) thread (0,0,0): illegal address", as far as it is known. */
void report_place(const struct report *report, const struct gpu_place *place, struct text *out);

/* Append the phrase for evidence of an EVIDENCE_COREDUMP_* kind about a dump's contents. */
void report_coredump_evidence(const struct report *report, const struct evidence *evidence,
			      struct text *out);

#endif
