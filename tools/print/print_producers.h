/*
 * print_producers.h - which kernels were given an allocation before: one of them wrote what is in
 * it, or a copy did.
 */
#ifndef CULPRIT_TOOLS_PRINT_PRODUCERS_H
#define CULPRIT_TOOLS_PRINT_PRODUCERS_H

#include "base/text.h"
#include "print/printed_process.h"

/* A launch was given memory: notes each of its pointers, and the allocation. */
void print_producers_note(struct printed_process *process, const struct journal_record *record,
			  const struct launch_arguments *arguments, uint64_t batch);

/* "#76 decay at demo.c:90 decay_table", of one long ago the number alone. */
void print_producers_name(const struct printed_process *process, uint64_t sequence,
			  struct text *out);

/* The same with its shape and stream, which begins what is told of it. */
void print_producers_launch(const struct printed_process *process, uint64_t sequence,
			    struct text *out);

/* Has the launch been noted, be it long ago? */
bool print_producers_are_known(const struct printed_process *process, uint64_t sequence);

/*
 * The last three that were given that address or number of an allocation before launch `sequence`,
 * the newest first; false: none is known.
 */
bool print_producers_add(const struct printed_process *process, uint64_t what, uint64_t sequence,
			 struct text *out);

/* The place has no NaN and no infinity any more, with `by` 0, or a launch has put one there. */
void print_producers_spoil(struct printed_process *process, const struct spoiled *spoiled);

/* Who has put it there; NULL: nobody that was inspected. */
const struct spoiled *print_producers_spoiled(const struct printed_process *process,
					      uint64_t address);

#endif
