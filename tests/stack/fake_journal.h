/*
 * fake_journal.h - a journal that is an array, to test stack.c without files. Every address belongs
 * to module 1, with bias 0.
 */
#ifndef CULPRIT_TESTS_STACK_FAKE_JOURNAL_H
#define CULPRIT_TESTS_STACK_FAKE_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/journal_format.h"

/*
 * Return row `id` of the stacks, or NULL for 0. The row was written before stack_capture() returned
 * its id.
 */
const struct stack_row *fake_journal_stack(uint32_t id);

uint32_t fake_journal_n_stacks(void);

/* Return the result of the self-check of stacks. */
const struct stack_check_row *fake_journal_check(void);

/* Make each of the next look-ups find that another module was unloaded. One thread only. */
void fake_journal_unload_unseen(uint32_t n_lookups);

/* Set whether unloads that are reported from now on remove a module. At first they do. */
void fake_journal_change_on_unload(bool is_wanted);

/*
 * Copy the return addresses of a stack, innermost first, up to `max`. *out_end receives its enum
 * stack_end bits. Returns the number of addresses.
 */
uint32_t fake_journal_path(uint32_t id, uint64_t *out_addresses, uint32_t max, uint32_t *out_end);

#endif
