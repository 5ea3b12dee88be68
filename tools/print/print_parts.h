/*
 * print_parts.h - the steps of printing a launch: choose it, then its line and its arguments.
 * Private to this folder. Only the printer's thread calls the functions, except where said.
 */
#ifndef CULPRIT_TOOLS_PRINT_PARTS_H
#define CULPRIT_TOOLS_PRINT_PARTS_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "numbers/values.h"
#include "print/print_queue.h"
#include "print/printed_process.h"

struct print_choice {
	const regex_t *kernels; /* NULL: all kernels and graph launches */
	bool inspects;          /* launches are inspected, so remember the arguments of each */
	bool is_silent;         /* print no launch */
	uint64_t batch;         /* incremented with each batch; see struct remembered_location */
};

/*
 * kernel_names.c: match kernels with a regular expression, by their mangled and demangled names.
 */

/* True if either name matches. `compiled` is the mangled name; `readable` may be NULL. */
bool kernel_names_match(const regex_t *kernels, const char *compiled, const char *readable);

/*
 * Tell the process, for each kernel that it has launched, for what the kernel is chosen
 * (base/inspection.h): `kernels` has a regular expression for each enum kernel_choice, or NULL.
 * Call it in the reader's thread only.
 */
void kernel_names_answer(struct printed_process *process,
			 const regex_t *const kernels[N_KERNEL_CHOICES]);

/*
 * print_line.c: print a launch in one line:
 *
 *   PID  #NUMBER  KERNEL<<<GRID,BLOCK>>>(ARGUMENTS)  stream HANDLE  FILE:LINE FUNCTION  [RANGES]
 */

/*
 * Append the line of an entry, with its newline. Append nothing if the entry is not a launch, or
 * its kernel was not chosen. Call it in the order of each ring.
 */
void print_line(const struct print_choice *choice, const struct print_entry *entry,
		struct text *out);

/*
 * print_frame.c: cache what is the same in the lines of launches of one kernel, shape, stream and
 * location. Only the number and the arguments have to be formatted for each launch.
 */

/*
 * Return the head of a kernel launch's line, "KERNEL<<<GRID,BLOCK>>>(", and the tail of any line,
 * "  stream HANDLE  FILE:LINE FUNCTION". The head is empty if the kernel was not chosen. The result
 * is valid until the next call.
 */
const struct line_frame *print_frame_find(const struct print_choice *choice,
					  struct printed_process *process,
					  const struct journal_record *record);

/*
 * Append the arguments: "0x7f6c34808a00=#3+18432, 64, {32 bytes}". A pointer has the allocation
 * that it pointed into at the launch. A small structure has the pointers in it. If the parameters'
 * layout is not known, append "?". `arguments` has the bytes.
 */
void print_arguments(struct printed_process *process, const struct journal_record *record,
		     uint64_t batch, struct launch_arguments *arguments, struct text *out);

/*
 * print_places.c: find the allocation that an address was in when a launch got it as an argument.
 */

/* The launch that got a value as an argument. */
struct print_moment {
	struct printed_process *process;
	uint64_t sequence; /* of the launch */
	uint64_t batch;    /* see struct remembered_location */
};

/* Return false if the value is in no known allocation. */
bool print_location_find(const struct print_moment *at, uint64_t value, struct range_row *out);

/*
 * print_inspection.c: print what the memory of inspected launches held, in a few lines each:
 *
 *   PID  #NUMBER  KERNEL inspected  FILE:LINE FUNCTION
 *     PARAMETER: #ALLOCATION+OFFSET, BYTES as TYPE: ...
 */

/*
 * Print the inspections that the process has recorded since the last call: those of launches that
 * are already printed or, if `is_end`, all.
 */
void print_inspections(struct printed_process *process, enum value_type type, bool is_end,
		       FILE *out);

/*
 * print_checks.c: print what checks on the GPU found: the memory of inspected launches, in the
 * same lines as print_inspection.c, and where a NaN began.
 */

/*
 * Print the checks of inspected launches that the process has recorded since the last call: those
 * of launches that are already printed or, if `is_end`, all. Call it in the printer's thread only.
 */
void print_checks(struct printed_process *process, bool is_end, FILE *out);

/* Print in which launch a NaN began, or that no checked launch had one. At the end only. */
void print_checks_nan(struct printed_process *process, FILE *out);

/*
 * print_inspected.c: print what the memory of one launch's arguments held before and after it.
 */

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

/*
 * print_producers.c: remember which kernels got an allocation as an argument. One of them, or a
 * copy, wrote what is in it.
 */

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
