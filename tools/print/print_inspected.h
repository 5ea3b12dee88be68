/*
 * print_inspected.h - print what the memory of one launch's arguments held before and after it.
 */
#ifndef CULPRIT_TOOLS_PRINT_INSPECTED_H
#define CULPRIT_TOOLS_PRINT_INSPECTED_H

#include "base/text.h"
#include "numbers/values.h"
#include "print/printed_process.h"

/* A summary of the memory that one pointer points to. */
struct inspected {
	uint64_t address;
	uint64_t number, start, allocation_size; /* of the allocation */
	uint32_t parameter;
	uint32_t offset; /* in the parameter, of a pointer in a structure */
	size_t size;     /* in bytes, of what was read */
	enum value_type type;
	bool is_guess; /* the type is */
	bool has_after;
	bool is_changed;
	size_t n_changed; /* values; 0 also if it is not known how many */
	struct value_summary before, after;
};

/*
 * Append the lines about all arguments of the launch, and whether it made a NaN or passed it on.
 * Call it in the printer's thread only.
 */
void print_inspected(struct printed_process *process, uint64_t sequence,
		     const struct inspected *inspected, uint32_t n, struct text *out);

#endif
