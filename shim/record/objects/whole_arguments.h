/*
 * whole_arguments.h - all parameter bytes of the process's newest launches that have more than a
 * ring's rows keep, because libraries have their pointers in structures. They are outside the
 * rings: so many stores to memory outside the caches make a launch slow, and these few rows are
 * prefetched.
 */
#ifndef CULPRIT_RECORD_WHOLE_ARGUMENTS_H
#define CULPRIT_RECORD_WHOLE_ARGUMENTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/hot.h"
#include "base/journal_format.h"

struct function;

/*
 * Keep the parameters of the launch whose record has this thread and time, or those that fit. Reads
 * what `parameters` and `extra` point to, as the driver is about to do. Any thread.
 */
void whole_arguments_keep(const struct function *function, void *const *parameters,
			  void *const *extra, uint32_t tid, uint64_t time_ns);

/* The rows, once all are made; NULL before. Atomic. */
extern __attribute__((visibility("hidden"))) struct whole_arguments_row *whole_arguments_rows;
extern __attribute__((visibility("hidden"))) uint64_t whole_arguments_turn; /* atomic: the next */

/*
 * Prefetch what whole_arguments_keep() writes for parameters of this size, if no other thread does
 * before. The row is in no near cache: it was written 256 such launches ago. Always inline: see
 * ring_prefetch(). Any thread.
 */
static inline __attribute__((always_inline)) void whole_arguments_prefetch(size_t size)
{
	/* Relaxed: only an address is computed from the two. */
	const struct whole_arguments_row *row =
		__atomic_load_n(&whole_arguments_rows, __ATOMIC_RELAXED);
	if (UNLIKELY(!row))
		return;
	row += __atomic_load_n(&whole_arguments_turn, __ATOMIC_RELAXED) % N_WHOLE_ARGUMENTS;
	size_t n = size < WHOLE_ARGUMENTS_MAX ? size : WHOLE_ARGUMENTS_MAX;
	size_t end = offsetof(struct whole_arguments_row, bytes) + n;
	for (size_t at = 0; at < end; at += 64)
		__builtin_prefetch((const char *)row + at, 1);
}

#endif
