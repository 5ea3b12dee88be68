/*
 * print_places.h - which allocation an address lay in when a launch was given it.
 */
#ifndef CULPRIT_TOOLS_PRINT_PLACES_H
#define CULPRIT_TOOLS_PRINT_PLACES_H

#include "print/printed_process.h"

/* Where and when a value was given. */
struct print_moment {
	struct printed_process *process;
	uint64_t sequence; /* of the launch */
	uint64_t batch;    /* of struct remembered_place */
};

/* False: in none that is known. The printer's thread only. */
bool print_place_find(const struct print_moment *at, uint64_t value, struct range_row *out);

#endif
