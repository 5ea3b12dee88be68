/*
 * target.h - find the process that an operand of `culprit status` names, and its journal.
 */
#ifndef CULPRIT_TOOLS_TARGET_H
#define CULPRIT_TOOLS_TARGET_H

#include <stdbool.h>

#include "command/exit_status.h"

struct target {
	char *path;    /* of its bundle; if it has none, of its journal in memory */
	int memory_fd; /* the directory of its journal in memory; -1: none any more */
	bool is_alive; /* as far as can be seen from here */
};

/* True if the operand is a process ID, and not the name of a file in the current directory. */
bool target_is_number(const char *operand);

/*
 * Find the process with this ID. Return EXIT_STATUS_OK, and the caller closes *out with
 * target_close(); otherwise print the reason in one line and return EXIT_STATUS_NOT_SEEN,
 * EXIT_STATUS_USAGE or EXIT_STATUS_SYSTEM.
 */
enum exit_status target_of_process(const char *number, struct target *out);

/* Find the process of the bundle at `path`. The bundle is not checked until it is opened. */
enum exit_status target_of_bundle(const char *path, struct target *out);

/* Find the running process whose journal in memory has this name. Return 0 or -errno; silent. */
int target_of_memory(const char *name, struct target *out);

void target_close(struct target *target);

#endif
