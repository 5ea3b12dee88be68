/*
 * kernel_names.h - match kernels with a regular expression, by their mangled and demangled names.
 */
#ifndef CULPRIT_TOOLS_KERNEL_NAMES_H
#define CULPRIT_TOOLS_KERNEL_NAMES_H

#include <regex.h>
#include <stdbool.h>

#include "print/printed_process.h"

/* True if either name matches. `compiled` is the mangled name; `readable` may be NULL. */
bool kernel_names_match(const regex_t *kernels, const char *compiled, const char *readable);

/*
 * Tell the process, for each kernel that it has launched, for what the kernel is chosen
 * (base/inspection.h): `kernels` has a regular expression for each enum kernel_choice, or NULL.
 * Call it in the reader's thread only.
 */
void kernel_names_answer(struct printed_process *process,
			 const regex_t *const kernels[N_KERNEL_CHOICES]);

#endif
