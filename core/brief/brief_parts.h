/*
 * brief_parts.h - the parts of a short report. Private to this folder.
 */
#ifndef CULPRIT_BRIEF_PARTS_H
#define CULPRIT_BRIEF_PARTS_H

#include <stdbool.h>

#include "memory/memory_fault.h"
#include "report/page.h"
#include "report/report_fault.h"

/*
 * The mistake of the first suspect, as far as it is known, by the fault that the driver described
 * or by the suspect's arguments.
 */
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

/*
 * Add the title, "error[700]: illegal memory access: gather read freed memory", and the lines that
 * are on its line: the verdict's word, and the error's name with the process.
 */
void brief_add_title(const struct page *full, const struct brief_cause *cause, struct page *out);

/* brief_rows.c: the rows of a short report: the user's code, the cause and the reasons. */

/* Add the user's line and what was submitted there, or the suspects, the most likely one first. */
void brief_add_code(const struct page *full, struct page *out);

/* Add the fault, and where its memory was freed and allocated. */
void brief_add_cause(const struct page *full, const struct brief_cause *cause, struct page *out);

/* Add the nodes of a graph that may have failed, and where they were made. */
void brief_add_nodes(const struct page *full, struct page *out);

/* Add the call that returned the error, and one line with the reasons. */
void brief_add_reasons(const struct page *full, const struct brief_cause *cause, struct page *out);

#endif
