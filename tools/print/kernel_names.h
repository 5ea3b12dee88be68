/*
 * kernel_names.h - which kernels a regular expression means, by the names that they were compiled
 * with and those that people write.
 */
#ifndef CULPRIT_TOOLS_KERNEL_NAMES_H
#define CULPRIT_TOOLS_KERNEL_NAMES_H

#include <regex.h>
#include <stdbool.h>

#include "print/printed_process.h"

/* Does one of the names match? `readable` may be NULL. */
bool kernel_names_match(const regex_t *kernels, const char *compiled, const char *readable);

/*
 * Answers the process for each kernel that it has launched whether it is one: see
 * base/inspection.h. The reader's thread only.
 */
void kernel_names_answer(struct printed_process *process, const regex_t *kernels);

#endif
