/*
 * run_early.c - watches the slot by inotify: its writers are processes that know of nobody's wait.
 */
#include "run/run_early.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "command/message.h"
#include "run/run_slot.h"
#include "show/terminal.h"

enum { MAX_LINES = 8 };

/* Not the number of a standard stream that is closed. */
static int open_events(void)
{
	int low_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	int fd = low_fd < 0 ? -1 : fcntl(low_fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	if (low_fd >= 0)
		close(low_fd);
	return fd;
}

void run_early_begin(int slot_fd, bool is_quiet, struct run_early *out)
{
	char path[64];

	*out = (struct run_early){.slot_fd = slot_fd, .events_fd = -1, .is_quiet = is_quiet};
	if (slot_fd < 0 || is_quiet)
		return;
	out->events_fd = open_events();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", slot_fd);
	if (out->events_fd >= 0 && inotify_add_watch(out->events_fd, path, IN_MODIFY) < 0)
		run_early_end(out);
}

/* Before the slot is read: what comes later is an event again. */
static void take_events(int fd)
{
	char events[4096];

	while (fd >= 0 && read(fd, events, sizeof(events)) > 0)
		;
}

/* It is of the terminal's width; its colours are those of the full report. */
static void show_line(const char *text, size_t size)
{
	struct terminal terminal = terminal_of(STDERR_FILENO, TERMINAL_NEVER);

	terminal_print(&terminal, text, size, stderr);
	if (!terminal.columns)
		fputc('\n', stderr);
}

void run_early_tell(void *state)
{
	struct run_early *early = state;
	struct run_told told;

	take_events(early->events_fd);
	if (early->is_quiet)
		return;
	run_slot_read(early->slot_fd, &told);
	for (; early->n_told < told.n_verdicts; early->n_told++) {
		const struct run_verdict *verdict = &told.verdicts[early->n_told];
		const char *end = memchr(verdict->text, '\n', verdict->size);
		size_t length = end ? (size_t)(end - verdict->text) : verdict->size;

		if (verdict->is_shown)
			continue;
		if (early->n_lines < MAX_LINES) {
			message_end_line();
			show_line(verdict->text, length);
		} else if (early->n_lines == MAX_LINES) {
			message("more failures are told when the command has ended");
		}
		early->n_lines += early->n_lines <= MAX_LINES ? 1 : 0;
	}
	run_told_free(&told);
}

void run_early_end(struct run_early *early)
{
	if (early->events_fd >= 0)
		close(early->events_fd);
	early->events_fd = -1;
}
