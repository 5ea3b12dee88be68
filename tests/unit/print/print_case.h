/*
 * print_case.h - a process with two kernels whose records are printed, for tests of --print.
 */
#ifndef CULPRIT_TESTS_PRINT_CASE_H
#define CULPRIT_TESTS_PRINT_CASE_H

#include "base/text.h"
#include "print/print_parts.h"
#include "support/bundle_builder.h"

enum { PRINT_CASE_TID = 100 };

/* The process, and the ring of its only thread. */
struct print_case {
	struct bundle_builder builder;
	struct printed_process *process;
	struct printed_ring ring;
	struct print_choice choice;
	uint32_t stream, stack;
	uint32_t spin; /* a kernel with a pointer and a number */
	uint32_t fill; /* a kernel without parameters */
	struct text text;
};
extern struct print_case print_case;

/* Begin a process without files, one at a time. */
void print_case_begin(void);
void print_case_end(void);

/* Launch one of the kernels. Return the record, to change it. */
struct journal_record *print_case_launch(uint32_t function);

/* Print all records of the ring so far. Return all that was printed since the beginning. */
const char *print_case_print(void);

/* Return all that was printed; begin again with no text. */
const char *print_case_text(void);
void print_case_clear(void);

#endif
