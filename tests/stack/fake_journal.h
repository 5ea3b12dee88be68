/*
 * fake_journal.h - a journal that is an array, for tests of stack.c without the files behind it.
 * Every address belongs to module 1, with bias 0.
 */
#ifndef CULPRIT_TESTS_STACK_FAKE_JOURNAL_H
#define CULPRIT_TESTS_STACK_FAKE_JOURNAL_H

#include <stdint.h>

#include "base/journal_format.h"

/* Row `id` of the stacks, NULL for 0. It was written before its id came out of stack_capture(). */
const struct stack_row *fake_journal_stack(uint32_t id);

uint32_t fake_journal_n_stacks(void);

/* What the self-check of stacks has found. */
const struct stack_check_row *fake_journal_check(void);

/* The next look-up of a module finds that another one is gone. One thread only. */
void fake_journal_unload_unseen(void);

/*
 * The return addresses of a stack, innermost first, up to `max`; *out_end are its enum stack_end
 * bits. Returns how many.
 */
uint32_t fake_journal_path(uint32_t id, uint64_t *out_addresses, uint32_t max, uint32_t *out_end);

#endif
