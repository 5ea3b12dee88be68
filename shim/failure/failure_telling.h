/*
 * failure_telling.h - the verdict on the failure of this process, and the texts that tell it.
 *
 * Concurrency: view, verdict, page and text are statics, too big for the stack of a host's thread,
 * and belong to the attributing thread (see failure.h), which calls in here once. The headline is
 * the one thing that others read, after that thread has published that the verdict was told.
 */
#ifndef CULPRIT_FAILURE_FAILURE_TELLING_H
#define CULPRIT_FAILURE_FAILURE_TELLING_H

#include <stdbool.h>

#include "base/journal_format.h"
#include "verdict/coredump/gpu_fault.h"

/* Does a tool print the full report at the end, so that here one line will do? Start-up only. */
void failure_telling_start(bool is_wanted_brief);

/*
 * Attributes the failure, writes the verdict into the bundle and prints it. `row` is what the
 * bundle was told, or was to be told if it had had room; `fault` what a core dump says, or NULL.
 * The attributing thread's alone, once.
 */
void failure_tell(const struct failure_row *row, const struct gpu_fault *fault);

/*
 * A short name of the work that the verdict blames, and the verdict's word; "" and "" if it blames
 * none. Valid as the headline is. Any thread.
 */
const char *failure_telling_culprit(const char **out_verdict);

/* One line without its newline; "" where there is none. Once the failure was told. Any thread. */
const char *failure_telling_headline(void);

#endif
