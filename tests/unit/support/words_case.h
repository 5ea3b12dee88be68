/*
 * words_case.h - a verdict_case of one channel, in which a submission's payload is its number.
 */
#ifndef CULPRIT_TESTS_WORDS_CASE_H
#define CULPRIT_TESTS_WORDS_CASE_H

#include "support/verdict_case.h"
#include "support/words_builder.h"

extern uint32_t counters_channel; /* id of the case's channel */

/* The channel has started `begun` payloads. Close with case_end(). */
struct verdict_case *words_begin(uint32_t started);

/* Submit work, or n kernels with these flags, through the channel. */
struct journal_record *words_submit(struct verdict_case *c, uint32_t stream, enum work_kind work);
void words_launch(struct verdict_case *c, uint32_t stream, uint32_t n, uint16_t flags);

/*
 * Like words_begin(), with kernels: 1 and 2 on one stream, 3 and 4 on another, which waits for 2
 * first.
 */
struct verdict_case *words_begin_waiting(uint32_t started);

/* Set a kernel's state, and which use of the state the kernel was. */
void words_set_state(struct verdict_case *c, uint64_t sequence, uint32_t value, uint32_t turn);

/* Check that the counters were ignored for just that reason. */
void words_check_trouble(const struct verdict_case *c, enum counters_trouble trouble);

#endif
