/*
 * report_host.h - where the host's code was when a process without a failure ended.
 */
#ifndef CULPRIT_VERDICT_REPORT_HOST_H
#define CULPRIT_VERDICT_REPORT_HOST_H

#include "report/page.h"

struct host_position {
	uint32_t stack;
	uint32_t call;     /* string: the driver call; 0: the thread was in no call that waits */
	uint32_t stream;   /* that the call waits for; 0: not known, or several */
	uint64_t sequence; /* without a call: the newest submission; 0: none */
	struct journal_record newest; /* that submission */
};

/*
 * Find the driver call that had waited longest. Without one, find the newest submission. Returns
 * false if the journal has neither.
 */
bool report_find_host(const struct bundle_view *view, struct host_position *out);

/* Append "was in cuCtxSynchronize", or "had last submitted #238, fill". */
void report_add_host_deed(const struct report *report, const struct host_position *host,
			  struct text *out);

/* Add the line about the host: what it did, and from which line. */
void report_add_host(struct page *page);

#endif
