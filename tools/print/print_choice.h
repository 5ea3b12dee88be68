/*
 * print_choice.h - which launches to print.
 */
#ifndef CULPRIT_TOOLS_PRINT_CHOICE_H
#define CULPRIT_TOOLS_PRINT_CHOICE_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

struct print_choice {
	const regex_t *kernels; /* NULL: all kernels and graph launches */
	bool inspects;          /* launches are inspected, so remember the arguments of each */
	bool is_silent;         /* print no launch */
	uint64_t batch;         /* incremented with each batch; see struct remembered_place */
};

#endif
