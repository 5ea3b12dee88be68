/*
 * print_places.h - find the allocation that an address was in when a launch got it as an argument.
 */
#ifndef CULPRIT_TOOLS_PRINT_PLACES_H
#define CULPRIT_TOOLS_PRINT_PLACES_H

#include "print/printed_process.h"

/* The launch that got a value as an argument. */
struct print_moment {
	struct printed_process *process;
	uint64_t sequence; /* of the launch */
	uint64_t batch;    /* see struct remembered_place */
};

/* Return false if the value is in no known allocation. Call it in the printer's thread only. */
bool print_place_find(const struct print_moment *at, uint64_t value, struct range_row *out);

#endif
