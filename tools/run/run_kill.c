/*
 * run_kill.c - find the run's processes in /proc, and signal them.
 */
#include "run/run_parts.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "command/message.h"
#include "command/monotonic.h"
#include "run/run_slot.h"

/* Time to end after SIGTERM, and to be gone after SIGKILL; how often to look in between. */
enum { TERM_MS = 10000, KILL_MS = 2000, STEP_MS = 250 };

/* True if the process was started with CULPRIT_RUN=ID. A zombie has no environment. */
static bool is_of_run(long pid, const char *run_id)
{
	char path[64];
	(void)snprintf(path, sizeof(path), "/proc/%ld/environ", pid);
	FILE *file = fopen(path, "re");
	static const char name[] = "CULPRIT_RUN=";
	char *text = NULL;
	size_t capacity = 0;
	bool is_found = false;
	while (file && !is_found && getdelim(&text, &capacity, '\0', file) > 0)
		is_found = !strncmp(text, name, sizeof(name) - 1) &&
			   !strcmp(text + sizeof(name) - 1, run_id);
	free(text);
	if (file)
		(void)fclose(file);
	return is_found;
}

static bool is_to_end(const struct run_kill *wanted, long pid)
{
	return pid > 0 && pid != getpid() && getpgid((pid_t)pid) == getpgrp() &&
	       is_of_run(pid, wanted->run_id);
}

/* A process that is ending itself may still run a handler of SIGABRT, so it gets no SIGTERM. */
static bool send_signal(const struct run_kill *wanted, long pid, int signal_number)
{
	bool is_wanted = signal_number == SIGKILL ||
			 (signal_number && !run_slot_has_fatal(wanted->slot_fd, pid));
	return is_wanted && kill((pid_t)pid, signal_number) == 0;
}

/*
 * Signal all (0: no signal), and count the signals. Return the ID of one that is still there, or 0.
 */
static long signal_all(const struct run_kill *wanted, int signal_number, unsigned *out_n_sent)
{
	long some = 0;
	*out_n_sent = 0;
	DIR *list = opendir("/proc");
	for (const struct dirent *entry = NULL; list && (entry = readdir(list));) {
		long pid = strtol(entry->d_name, NULL, 10);
		if (!is_to_end(wanted, pid))
			continue;
		some = pid;
		*out_n_sent += send_signal(wanted, pid, signal_number);
	}
	if (list)
		(void)closedir(list);
	return some;
}

static long begin(struct run_kill *wanted)
{
	wanted->kill_from_ms = monotonic_ms() + TERM_MS;
	run_slot_pass_fatal(wanted->outer_run);
	unsigned n_sent = 0;
	long some = signal_all(wanted, SIGTERM, &n_sent);
	if (n_sent && !wanted->is_quiet)
		message("the GPU failed: ended the other processes of this run (--on-failure "
			"kill)");
	return some;
}

/* Return the ID of a process that is still to end; 0: none. */
static long step(struct run_kill *wanted)
{
	if (!wanted->kill_from_ms)
		return run_slot_has_fatal(wanted->slot_fd, 0) ? begin(wanted) : 0;
	unsigned n_sent = 0;
	bool is_late = monotonic_ms() >= wanted->kill_from_ms;
	return signal_all(wanted, is_late ? SIGKILL : 0, &n_sent);
}

int run_kill_step(void *state)
{
	return step(state) ? STEP_MS : 0;
}

/* Return when the process has exited, or after a step. */
static void await_exit(long pid)
{
	struct pollfd exit = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
	(void)poll(&exit, 1, STEP_MS);
	if (exit.fd >= 0)
		(void)close(exit.fd);
}

bool run_kill_end(struct run_kill *wanted)
{
	for (long pid = step(wanted); pid; pid = step(wanted)) {
		if (monotonic_ms() >= wanted->kill_from_ms + KILL_MS)
			break;
		await_exit(pid);
	}
	return wanted->kill_from_ms;
}
