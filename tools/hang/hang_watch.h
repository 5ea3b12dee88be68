/*
 * hang_watch.h - looks at the processes of a run again and again, and tells of work that does not
 * come to its end. Nobody in them is asked more than a look, so nothing of it can hang with them.
 *
 * A stream is stuck when the same submission has been its earliest unfinished one in all looks for
 * so long, and it is proven that it is unfinished, or a thread has waited for it for so long. What
 * was seen to finish after longer gets twice that time from then on. A process that is stopped, or
 * does not answer, begins anew, as all do where this one was kept from looking: a machine that
 * sleeps or has no time for us is no hang.
 *
 * exact: in every look the driver's words, or what waits behind it, proved that it had begun and
 * not finished, or what it waited for, and no other stream of the process is stuck that does not
 * wait for this one: that might keep it from the GPU. likely: else, where it is not known to be
 * finished.
 */
#ifndef CULPRIT_TOOLS_HANG_WATCH_H
#define CULPRIT_TOOLS_HANG_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "hang/hang_dump.h"

struct hang_settings {
	unsigned seconds; /* 0: nobody looks until somebody asks the command to end */
	bool aborts;      /* end the processes that hang, and the command */
	bool is_quiet;
	const char *run_id;
	struct hang_dump dump; /* that was prepared for */
	/* Writes text where the user sees it. */
	void (*write)(void *state, const char *text, size_t size);
	void *state;
};

struct hang_watch;

/* NULL without memory. `settings` must outlive it. */
struct hang_watch *hang_watch_open(const struct hang_settings *settings);
void hang_watch_close(struct hang_watch *watch);

/*
 * A tick of child.h: `state` is the watch. After a SIGTERM or a second SIGINT work is looked for
 * that makes no progress and that a thread waits for: if there is any for some seconds it is told,
 * and the command ended, since it cannot end by itself. Without, it has all the time it wants.
 */
int hang_watch_tick(void *state, long child, int signal_number);

/* How long to wait before the first tick; 0: until there is a signal. */
int hang_watch_interval_ms(const struct hang_watch *watch);

/* Did it tell of a hang? */
bool hang_watch_has_told(const struct hang_watch *watch);

/*
 * Why it ended the command: SIGABRT for `aborts`, the signal with which somebody else wanted that
 * (SIGTERM, SIGINT), 0: it did not.
 */
int hang_watch_ended_by(const struct hang_watch *watch);

#endif
