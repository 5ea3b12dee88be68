/*
 * sanitizer.h - compute-sanitizer for the launches that are suspect alone: checking all of a
 * program takes many times as long as the program.
 */
#ifndef CULPRIT_TOOLS_SANITIZER_H
#define CULPRIT_TOOLS_SANITIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bundle/analysis.h"

/* Which launches to check. */
struct sanitizer_target {
	char kernel[1024];  /* the name as it was compiled; "": none is known */
	uint64_t n_skipped; /* launches of the kernel before them */
	uint64_t n_checked; /* 0: all that follow */
};

enum { SANITIZER_WORDS = 11, SANITIZER_TEXT_SIZE = 2048 };

/* The command's words before the one to check; they point into the rest of it. */
struct sanitizer_command {
	const char *words[SANITIZER_WORDS];
	size_t n;
	char log[4200], kernel[1040], skipped[24], checked[24];
};

/* Is there a program of the name in PATH? */
bool sanitizer_is_here(void);

/*
 * The kernel of the first suspect and where its suspects are among its launches, with some more on
 * both sides: another run may launch in another order.
 */
void sanitizer_target_of(const struct analysis *analysis, struct sanitizer_target *out);

/* What to start; the report goes to a file in `directory`. */
void sanitizer_command_make(const struct sanitizer_target *target, const char *directory,
			    struct sanitizer_command *out);

/*
 * The first error that it reported, printable lines with two blanks before each; "" where it saw
 * none. *out_has_line: a line of source is named.
 */
void sanitizer_read(const char *directory, char out[SANITIZER_TEXT_SIZE], bool *out_has_line);

#endif
