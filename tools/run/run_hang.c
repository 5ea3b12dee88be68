/*
 * run_hang.c - connects the command line, the watch for hangs, and the end of the run.
 */
#include "run/run_parts.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "command/message.h"
#include "run/run_reports.h"

enum { DEFAULT_CODE = 124, CODE_MAX = 255, SECONDS_MAX = 1000000 };

int run_hang_read(const struct arguments *arguments, struct run_hang *out)
{
	int action = options_choice(arguments, OPTION_run_on_hang);
	*out = (struct run_hang){0};
	unsigned code = DEFAULT_CODE;
	if (action < 0 ||
	    options_number(arguments, OPTION_run_hang, 0, SECONDS_MAX, &out->settings.seconds) ||
	    options_number(arguments, OPTION_run_hang_code, 0, CODE_MAX, &code))
		return -EINVAL;
	out->settings.aborts = action == 1;
	out->code = (int)code;
	return 0;
}

/* The first line always goes to standard error: a user may be waiting there. */
static void write_text(void *state, const char *text, size_t size)
{
	struct run_end *end = state;
	const char *line_end = memchr(text, '\n', size);
	(void)run_reports_write(end, text, size);
	if (end->output->path && line_end && !end->is_quiet) {
		message_end_line();
		if (write(STDERR_FILENO, text, (size_t)(line_end - text) + 1) < 0)
			errno = 0;
	}
}

int run_hang_prepare(struct run_hang *hang, const struct settings *settings)
{
	bool is_wanted = hang->settings.seconds && hang->settings.aborts && settings->coredump;
	return is_wanted ? hang_dump_prepare(&hang->settings.dump) : 0;
}

void run_hang_begin(struct run_hang *hang, struct run_end *end, struct child_watch *watch)
{
	hang->settings.is_quiet = end->is_quiet && !end->output->path;
	hang->settings.length = end->length;
	hang->settings.run_id = end->run_id;
	hang->settings.write = write_text;
	hang->settings.state = end;
	hang->settings.hardware = end->hardware;
	hang->watch = hang_watch_open(&hang->settings);
	if (!hang->watch)
		return;
	watch->tick = hang_watch_tick;
	watch->tick_state = hang->watch;
	watch->tick_ms = hang_watch_interval_ms(hang->watch);
}

void run_hang_end(struct run_hang *hang, struct run_end *end)
{
	int asked = hang->watch ? hang_watch_finished_by(hang->watch) : 0;
	hang_dump_end(&hang->settings.dump);
	if (!hang->watch)
		return;
	end->has_reported_hang = hang_watch_has_reported(hang->watch);
	hang->has_aborted = asked == SIGABRT;
	/* The hung command could not react to this signal and was killed: report the signal. */
	if (asked && asked != SIGABRT)
		end->child.status = asked;
	hang_watch_close(hang->watch);
	hang->watch = NULL;
}
