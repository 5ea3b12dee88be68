/*
 * report_origin.h - lines about the code that submitted work, or tried to.
 */
#ifndef CULPRIT_VERDICT_REPORT_ORIGIN_H
#define CULPRIT_VERDICT_REPORT_ORIGIN_H

#include "memory/memory_fault.h"
#include "report/page.h"

/* Add the line "launched from" and the lines below it. */
void report_add_origin(struct page *page, uint32_t stack);

/* A pointer among a launch's arguments, from which the address of a fault may come. */
struct fault_base {
	uint32_t index;  /* of the argument */
	uint32_t offset; /* of the pointer in it */
	uint64_t value;
	uint64_t fit; /* see memory_fault_fit(); 0 if no pointer fits */
	bool is_field;
};

/* Return the pointer among the arguments that fits the fault best. */
struct fault_base report_fault_base(const struct bundle_view *view,
				    const struct memory_fault *fault,
				    const struct launch_arguments *launch);

/* Read the arguments of the suspect, or of the only node of its graph that can have failed. */
void report_fault_arguments(const struct report *report, const struct submission *suspect,
			    struct launch_arguments *out);

/*
 * Add a line with what the GPU did wrong, if the driver said so, and one below with the argument of
 * the suspect (NULL: none) that the address most likely came from.
 */
void report_add_fault(struct page *page, const struct submission *suspect);

/*
 * If the driver stopped the first suspect's kernel because it took too long, add how long it ran,
 * and how long earlier launches of the kernel took.
 */
void report_add_run_time(struct page *page);

/* Add a line with the differences of the first suspect from earlier launches, if any. */
void report_add_unusual(struct page *page);

/* Add "refused": calls that the driver rejected, and why. The program may have ignored this. */
void report_add_refusals(struct page *page);

/*
 * Add lines with earlier submissions that had the memory passed to the launch, newest first; none
 * if `page` has no arguments. Call it after report_add_arguments().
 */
void report_add_producers(struct page *page, const struct submission *submission);

#endif
