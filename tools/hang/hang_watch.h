/*
 * hang_watch.h - take snapshots of a run's processes and report GPU work that makes no progress.
 *
 * The processes are only asked for snapshots, so the watch cannot hang together with them.
 *
 * A stream is stuck if all snapshots of the last `seconds` show the same earliest unfinished
 * submission. It must be proven unfinished, or a thread must have waited for it that long. A kernel
 * that once took longer and finished gets twice that time from then on. The time restarts for a
 * process that is stopped or does not answer. It restarts for all processes if the watch itself was
 * delayed, because a sleeping or overloaded machine is not a hang.
 *
 * exact: every snapshot proved, by the driver's progress counters or by the work that waits for it,
 * that the submission had started and not finished, or what it waited for. Every other stuck stream
 * of the process waits for this one; a stream that does not might keep it from the GPU.
 * likely: all other cases in which the submission is not known to be finished.
 */
#ifndef CULPRIT_TOOLS_HANG_WATCH_H
#define CULPRIT_TOOLS_HANG_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/settings.h"
#include "hang/hang_dump.h"
#include "hardware/hardware_watch.h"

struct hang_settings {
	unsigned seconds; /* 0: watch only after a signal asked the command to end */
	bool aborts;      /* kill hung processes and end the command */
	bool is_quiet;
	enum report_length length; /* of what is shown; hung.txt has all */
	const char *run_id;
	struct hang_dump dump; /* filled by hang_dump_prepare() */
	/* Write text where the user sees it. */
	void (*write)(void *state, const char *text, size_t size);
	void *state;
	struct hardware_watch *hardware; /* of the GPUs; NULL: they are not watched */
};

struct hang_watch;

/* Return a watch, or NULL if out of memory. `settings` must outlive it. */
struct hang_watch *hang_watch_open(const struct hang_settings *settings);
void hang_watch_close(struct hang_watch *watch);

/*
 * The tick callback of child.h; `state` is the watch. After a SIGTERM or a second SIGINT, the watch
 * looks for stuck work that a thread waits for. If it finds any for some seconds, it reports the
 * work and ends the command, which cannot end by itself. Otherwise the command may take its time.
 */
int hang_watch_tick(void *state, long child, int signal_number);

/* Return the time until the first tick; 0: wait for a signal. */
int hang_watch_interval_ms(const struct hang_watch *watch);

/* True if the watch has reported a hang. */
bool hang_watch_has_reported(const struct hang_watch *watch);

/*
 * Return why the watch ended the command: SIGABRT because of `aborts`, SIGTERM or SIGINT if that
 * signal had asked the command to end, or 0 if the watch did not end it.
 */
int hang_watch_finished_by(const struct hang_watch *watch);

#endif
