/*
 * coredump_flags.h - what a failure's row says about GPU core dumps: how much the attribution may
 * believe of the driver's results while they were on. See rule 10 of attribution.h.
 */
#ifndef CULPRIT_ATTRIBUTION_COREDUMP_FLAGS_H
#define CULPRIT_ATTRIBUTION_COREDUMP_FLAGS_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_fault;

/* The use of dumps in the process that failed. */
struct coredump_use {
	bool are_on;      /* the driver may have written one, and hidden errors meanwhile */
	bool are_missing; /* they were wanted, but not available */
	bool are_watched; /* a sync that returned when a dump existed was not believed */
};

/*
 * Return the flags (enum failure_flags) for a failure of that code, with what its dump says; NULL:
 * no dump. Without a watched dump of this very failure, success proves nothing. Any thread.
 */
uint32_t coredump_flags_for(struct coredump_use use, const struct gpu_fault *fault, int32_t code);

#endif
