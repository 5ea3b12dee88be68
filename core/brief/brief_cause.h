/*
 * brief_cause.h - what the first suspect did wrong, as far as it is known: by the fault that the
 * driver described, or by its arguments.
 */
#ifndef CULPRIT_BRIEF_CAUSE_H
#define CULPRIT_BRIEF_CAUSE_H

#include <stdbool.h>

#include "memory/memory_fault.h"
#include "report/report_fault.h"

struct brief_cause {
	struct memory_fault fault; /* kind NONE: not known */
	bool is_of_suspect;        /* the fault is the only suspect's, as far as is known */
	struct fault_base base;    /* the argument that the address came from; fit 0: not known */
	const struct context_row *context;
	/* Without a fault: an argument that is a likely cause; NULL: none. Here or in the page. */
	const struct argument *argument;
	const char *operand; /* "source" or "destination" of a copy; NULL: it is an argument */
	struct argument of_copy;
	bool is_host; /* it points to the program's own memory */
	/* The memory that the cause is about; NULL: not known. In this structure or the page. */
	const struct range_row *range;
};

/* Fill *out, which must not move: `range` may point into it. Any thread. */
void brief_cause_find(const struct page *full, struct launch_arguments *scratch,
		      struct brief_cause *out);

/* True if the argument that the address came from points into the memory, or right past it. */
bool brief_cause_is_base_there(const struct brief_cause *cause);

/* Append " read freed memory" or ", argument 1 points into freed memory"; nothing if unknown. */
void brief_cause_add_deed(const struct page *full, const struct brief_cause *cause,
			  struct text *out);

#endif
