/*
 * report_step.h - the last line of a report: one command to run next.
 */
#ifndef CULPRIT_VERDICT_REPORT_STEP_H
#define CULPRIT_VERDICT_REPORT_STEP_H

#include "memory/memory_find.h"
#include "report/page.h"

/* The facts that choose the step. */
struct step_facts {
	const struct verdict *verdict;
	bool is_refusal;  /* the process failed of a call that the driver refused */
	bool has_ended;   /* the process */
	bool has_address; /* the driver said which address the fault was about */
	bool is_null;     /* it is near 0 */
	enum memory_relation relation;
	bool lacks_line;       /* it is known where in the kernel, but not on which source line */
	uint64_t more_records; /* a larger value for the setting; 0: no larger one is allowed */
};

/* Return the id of the rule that applies, "triage"; NULL if there is nothing to do. Any thread. */
const char *report_step_rule(const struct step_facts *facts);

/* Add the line. Call it last, since it looks at the page. */
void report_add_step(struct page *page);

#endif
