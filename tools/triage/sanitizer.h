/*
 * sanitizer.h - run compute-sanitizer on the suspect launches only, because checking a whole
 * program multiplies its running time.
 */
#ifndef CULPRIT_TOOLS_SANITIZER_H
#define CULPRIT_TOOLS_SANITIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/analysis.h"

/* Which launches to check. */
struct sanitizer_target {
	char kernel[1024];  /* mangled name; "": unknown */
	uint64_t n_skipped; /* launches of this kernel to skip first */
	uint64_t n_checked; /* launches to check then; 0: all */
};

enum { SANITIZER_WORDS = 11, SANITIZER_TEXT_SIZE = 2048 };

/* Words to put before the command to check; they point to the other members and to constants. */
struct sanitizer_command {
	const char *words[SANITIZER_WORDS];
	size_t n;
	char log[4200], kernel[1040], skipped[24], checked[24];
};

/* True if compute-sanitizer is in PATH. */
bool sanitizer_is_here(void);

/*
 * Choose the kernel of the first suspect and the range of its suspect launches. The range is
 * extended on both sides, because another run may launch in another order.
 */
void sanitizer_target_of(const struct analysis *analysis, struct sanitizer_target *out);

/* Make the words of the command line; the report goes to a file in `directory`. */
void sanitizer_command_make(const struct sanitizer_target *target, const char *directory,
			    struct sanitizer_command *out);

/*
 * Read the first error that compute-sanitizer reported, as printable lines indented by two blanks;
 * "" if there is no error. *out_has_line is set if the error names a source line.
 */
void sanitizer_read(const char *directory, char out[SANITIZER_TEXT_SIZE], bool *out_has_line);

#endif
