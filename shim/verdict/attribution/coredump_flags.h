/*
 * coredump_flags.h - what a failure's row says of GPU core dumps: how much the attribution may
 * believe of what the driver told while they were on. See rule 10 of attribution.h.
 */
#ifndef CULPRIT_VERDICT_COREDUMP_FLAGS_H
#define CULPRIT_VERDICT_COREDUMP_FLAGS_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_fault;

/* How it stood with dumps in the process that failed. */
struct coredump_use {
	bool are_on;      /* the driver may have written one, and hidden errors meanwhile */
	bool are_missing; /* they were wanted, and not to be had */
	bool are_watched; /* no sync was believed that returned when there was a dump */
};

/*
 * The flags (enum failure_flags) of a failure of that code with what its dump tells, NULL none.
 * Where no dump that was watched tells of this very failure, success proves nothing. Any thread.
 */
uint32_t coredump_flags_for(struct coredump_use use, const struct gpu_fault *fault, int32_t code);

#endif
