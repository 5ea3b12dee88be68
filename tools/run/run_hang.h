/*
 * run_hang.h - the options of a run about work that hangs, and the result of the watch.
 */
#ifndef CULPRIT_TOOLS_RUN_HANG_H
#define CULPRIT_TOOLS_RUN_HANG_H

#include <stdbool.h>

#include "base/settings.h"
#include "command/options.h"
#include "hang/hang_watch.h"
#include "run/child.h"
#include "run/run_end.h"

struct run_hang {
	struct hang_settings settings;
	int code;                 /* the exit status of the run after an abort */
	struct hang_watch *watch; /* NULL: no watch */
	bool has_aborted;         /* as --on-hang abort wants */
};

/* Returns 0, or -EINVAL after one line. */
int run_hang_read(const struct arguments *arguments, struct run_hang *out);

/* Sets the driver's environment variables that an abort needs. Returns 0 or -errno. */
int run_hang_prepare(struct run_hang *hang, const struct settings *settings);

/* Makes `watch` look for hangs while the command runs. */
void run_hang_begin(struct run_hang *hang, struct run_end *end, struct child_watch *watch);
void run_hang_end(struct run_hang *hang, struct run_end *end);

#endif
