/*
 * report_nvtx.h - lines about NVTX ranges.
 */
#ifndef CULPRIT_VERDICT_REPORT_NVTX_H
#define CULPRIT_VERDICT_REPORT_NVTX_H

#include "report/page.h"

/* Add lines with the ranges in which it was submitted, if any. */
void report_add_nvtx(struct page *page, const struct submission *submission);

#endif
