/*
 * print_producers.h - remember which kernels got an allocation as an argument. One of them, or a
 * copy, wrote what is in it.
 */
#ifndef CULPRIT_TOOLS_PRINT_PRODUCERS_H
#define CULPRIT_TOOLS_PRINT_PRODUCERS_H

#include "base/text.h"
#include "print/printed_process.h"

/* Remember a launch, each of its pointers, and the allocations that they point into. */
void print_producers_note(struct printed_process *process, const struct journal_record *record,
			  const struct launch_arguments *arguments, uint64_t batch);

/* Append "#76 decay at demo.c:90 decay_table"; only the number if the launch is long ago. */
void print_producers_name(const struct printed_process *process, uint64_t sequence,
			  struct text *out);

/* Append the number, kernel, shape, stream and location: the first line of an inspection. */
void print_producers_launch(const struct printed_process *process, uint64_t sequence,
			    struct text *out);

/* True if the launch, or a later one, has been remembered. */
bool print_producers_are_known(const struct printed_process *process, uint64_t sequence);

/*
 * Append the last three launches before `sequence` that got `what`, an address or an allocation's
 * number, newest first. Return false if none is known.
 */
bool print_producers_add(const struct printed_process *process, uint64_t what, uint64_t sequence,
			 struct text *out);

/* Note that a launch wrote a NaN or an infinity to an address or, if `by` is 0, overwrote it. */
void print_producers_spoil(struct printed_process *process, const struct spoiled *spoiled);

/* Return which inspected launch wrote a NaN or an infinity to the address; NULL if none did. */
const struct spoiled *print_producers_spoiled(const struct printed_process *process,
					      uint64_t address);

#endif
