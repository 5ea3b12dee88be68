/*
 * reference_fault.h - rules 12 to 17 of attribution.h, for the reference: what the code of kernels,
 * the memory map and the driver's words of the fault say about one submission.
 */
#ifndef CULPRIT_TESTS_REFERENCE_FAULT_H
#define CULPRIT_TESTS_REFERENCE_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "attribution/attribution_facts.h"
#include "view/bundle_view.h"

struct reference_clues {
	const struct bundle_view *view;
	const struct failure_row *failure;
	const struct attribution_facts *facts;
	bool uses_facts; /* rules 12 and 13 */
	bool has_pages;  /* rule 16: there is a page to compare with */
	bool pages_clear;
	bool pcs_clear; /* rule 15 */
	bool pcs_clear_copies;
	uint32_t n_pcs; /* each once */
	uint64_t pcs[EXTENTS_PCS_MAX];
	uint32_t n_late_pcs; /* rule 15g: the same, also where 15f leaves them out */
	uint64_t late_pcs[EXTENTS_PCS_MAX];
	const struct fault_row *report; /* rule 17: the first of the access that failed */
};

/* Fill *out. The facts and the view must outlive it. */
void reference_read_clues(const struct bundle_view *view, const struct attribution_facts *facts,
			  struct reference_clues *out);

/* Rule 15f: leave out all that the driver said of the fault. */
void reference_drop_fault(struct reference_clues *clues);

/* True if a rule that is in use clears the work. */
bool reference_clears(const struct reference_clues *clues, const struct journal_record *work);

/* Rules 15 to 17 alone. */
bool reference_fault_clears(const struct reference_clues *clues, const struct journal_record *work);

/* Rule 13 alone. */
bool reference_contains(const struct reference_clues *clues, const struct journal_record *work);

/* Rules 15e and 16b: the work comes first. Rule 12's other fact: its code has a trap. */
bool reference_is_at_fault(const struct reference_clues *clues, const struct journal_record *work);
bool reference_can_trap(const struct reference_clues *clues, const struct journal_record *work);

/* True if the work can have been at this program counter: its own code, or code that it launched.
 */
bool reference_runs(const struct reference_clues *clues, const struct journal_record *work,
		    uint64_t pc);

/* Is it known whose code is there, or near below? */
bool reference_is_placed(const struct reference_clues *clues, uint64_t pc);

#endif
