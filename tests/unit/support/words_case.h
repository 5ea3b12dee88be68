/*
 * words_case.h - a verdict_case of one channel, in which a submission's payload is its number.
 */
#ifndef CULPRIT_TESTS_WORDS_CASE_H
#define CULPRIT_TESTS_WORDS_CASE_H

#include "support/verdict_case.h"
#include "support/words_builder.h"

extern uint32_t words_channel; /* id of the case's channel */

/* The channel has begun `begun` payloads. Ends with case_end(). */
struct verdict_case *words_begin(uint32_t begun);

/* Work, and n kernels with these flags, that the channel was given. */
struct journal_record *words_submit(struct verdict_case *c, uint32_t stream, enum work_kind work);
void words_launch(struct verdict_case *c, uint32_t stream, uint32_t n, uint16_t flags);

/* The same, with kernels: 1 and 2 on a stream, 3 and 4 on another one, which waits for 2 first. */
struct verdict_case *words_begin_waiting(uint32_t begun);

/* The word of a kernel's state, and which use of it the kernel was. */
void words_set_state(struct verdict_case *c, uint64_t sequence, uint32_t value, uint32_t turn);

/* Were the words left out for just that? */
void words_check_trouble(const struct verdict_case *c, enum words_trouble trouble);

#endif
