/*
 * target.h - which process an operand of `culprit status` means, and where its journal is.
 */
#ifndef CULPRIT_TOOLS_TARGET_H
#define CULPRIT_TOOLS_TARGET_H

#include <stdbool.h>

#include "command/exit_status.h"

struct target {
	char *path;    /* of its bundle, or of its memory where there is none */
	int memory_fd; /* the directory of its journal in memory; -1: it has none any more */
	bool is_alive; /* for all that can be seen from here */
};

/* Is it the number of a process, and not the name of a file here? */
bool target_is_number(const char *operand);

/*
 * The process with this number. EXIT_STATUS_OK: *out is the caller's to close; else the reason is
 * told in one line: EXIT_STATUS_NOT_SEEN, or EXIT_STATUS_SYSTEM.
 */
enum exit_status target_of_process(const char *number, struct target *out);

/* The same of the bundle at `path`, which need not be one. */
enum exit_status target_of_bundle(const char *path, struct target *out);

/* The same of the living process whose memory has this name: 0 or -errno, and nothing is told. */
int target_of_memory(const char *name, struct target *out);

void target_close(struct target *target);

#endif
