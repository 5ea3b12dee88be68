/*
 * refused_end.h - the end of a process: the last refused call is printed if the process fails and
 * `culprit run` does not do it.
 */
#ifndef CULPRIT_REFUSAL_REFUSED_END_H
#define CULPRIT_REFUSAL_REFUSED_END_H

#include <stdbool.h>

#include "report/report_model.h"

/* True if the driver refused a call and the program did not recover from it. Any thread. */
bool refused_end_is_open(void);

/*
 * Print the last refused call, if there is one, once in a process; with `is_rest` only what was not
 * printed at once. `end` says how the process ends. Any thread, signal handlers too.
 */
void refused_end_tell(struct report_end end, bool is_rest);

#endif
