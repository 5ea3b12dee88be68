/*
 * report_fault.h - lines about what the GPU did wrong, and the argument that it came from.
 */
#ifndef CULPRIT_REPORT_REPORT_FAULT_H
#define CULPRIT_REPORT_REPORT_FAULT_H

#include "memory/memory_fault.h"
#include "report/page.h"
#include "report/report_arguments.h"

/* A pointer among a launch's arguments, from which the address of a fault may come. */
struct fault_base {
	uint32_t index;  /* of the argument */
	uint32_t offset; /* of the pointer in it */
	uint64_t value;
	uint64_t fit; /* see memory_fault_fit(); 0 if no pointer fits */
	bool is_field;
	bool is_factor_field;
	uint32_t scale; /* the address is value + scale * factor; 0: only near the value */
	uint32_t factor_index, factor_offset;
	int64_t factor;
};

/* Return the pointer among the arguments that fits the fault best. */
struct fault_base report_fault_base(const struct bundle_view *view,
				    const struct memory_fault *fault,
				    const struct launch_arguments *launch);

/* Read the arguments of the suspect, or of its graph's node, if the verdict names one. */
void report_fault_arguments(const struct report *report, const struct submission *suspect,
			    struct launch_arguments *out);

/*
 * Add a line with what the GPU did wrong, if the driver said so. Below, add the block of a
 * framework's pool at the address, and the argument of the suspect (NULL: none) that the address
 * most likely came from.
 */
void report_add_fault(struct page *page, const struct submission *suspect);

#endif
