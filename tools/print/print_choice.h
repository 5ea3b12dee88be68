/*
 * print_choice.h - which launches have a line.
 */
#ifndef CULPRIT_TOOLS_PRINT_CHOICE_H
#define CULPRIT_TOOLS_PRINT_CHOICE_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

struct print_choice {
	const regex_t *kernels; /* NULL: all, and launches of graphs */
	bool inspects;          /* launches: what was given to each is remembered */
	bool is_silent;         /* no launch has a line */
	uint64_t batch;         /* raised from time to time: see remembered_place */
};

#endif
