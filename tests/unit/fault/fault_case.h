/*
 * fault_case.h - a synthetic failure of four kernels whose code follows each other, with exceptions
 * at program counters. For tests of the attribution.
 */
#ifndef CULPRIT_TESTS_FAULT_CASE_H
#define CULPRIT_TESTS_FAULT_CASE_H

#include "support/check.h"
#include "support/verdict_case.h"

enum { N_KERNELS = 4, N_SIZES = N_KERNELS + 1, WORD = 0x68, MISALIGNED = 716 };

#define BASE 0x7f0000000000
#define PC   (BASE + 0x480 + 0x30) /* in kernel 3 */

/* Facts about the functions by their id. fault_begin() resets them, a test changes them. */
extern const uint64_t fault_starts[N_SIZES];
extern struct code_size fault_sizes[N_SIZES];
extern uint8_t fault_code_facts[N_SIZES];

/*
 * A stream for each kernel, with a launch of it and a copy. All launches are suspect. The states of
 * the SMs were read, while the process had one context (row 1 of the faults).
 */
struct verdict_case *fault_begin(void);

/* The same, after what `earlier` adds, which may launch the functions 1 to 4. */
struct verdict_case *fault_begin_after(void (*earlier)(struct verdict_case *c));

/*
 * Launch a kernel. A millisecond later all of the stream has finished: the driver may have
 * recovered from an exception meanwhile.
 */
void fault_finish_launch(struct verdict_case *c, uint32_t stream, uint32_t function);

/* A wait of the thread for the stream up to the ordinal, or with 0 for all of the context. */
struct journal_record *fault_wait(struct verdict_case *c, uint32_t tid, uint32_t stream,
				  uint64_t ordinal);

/* Two more kernels of the stream, which has finished all: its earlier work is not the culprit. */
void fault_settle(struct verdict_case *c, uint32_t stream);

/* A word of a function that may be the address of its code, and the true ones of all. */
struct code_address_row *fault_add_word(struct verdict_case *c, uint32_t function, uint16_t offset,
					uint64_t address);
void fault_add_words(struct verdict_case *c);

/* An exception; pc 0: without a program counter. The row is valid until the next one. */
struct fault_row *fault_add_exception(struct verdict_case *c, uint64_t pc);

/* Another row of the fault. The row is valid until the next one. */
struct fault_row *fault_add_row(struct verdict_case *c, enum fault_kind kind);

/* Fail with `code`, and judge with the facts. */
void fault_judge_code(struct verdict_case *c, int32_t code);
void fault_judge(struct verdict_case *c); /* with MISALIGNED */

/*
 * Judge, with an exception at PC. Suspects are #5, which runs its code, and #9, which has finished,
 * unless that one is cleared. Ends the case.
 */
void fault_check_late(struct verdict_case *c, bool is_cleared);

/* A program counter cleared nothing: all kernels stay suspect. Ends the case. */
void fault_check_nothing_cleared(struct verdict_case *c);

#endif
