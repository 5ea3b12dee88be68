/*
 * report_nvtx.h - the lines about NVTX ranges.
 */
#ifndef CULPRIT_VERDICT_REPORT_NVTX_H
#define CULPRIT_VERDICT_REPORT_NVTX_H

#include "verdict/report/page.h"

/* Those that it was submitted in; nothing if there were none. */
void report_add_nvtx(struct page *page, const struct submission *submission);

#endif
