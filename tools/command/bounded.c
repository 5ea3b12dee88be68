/*
 * bounded.c - waits for a child, and checks by /proc whether it makes progress.
 */
#include "command/bounded.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/message.h"

enum { STEP_MS = 100, TRY_MS = 1000, WARN_MS = 3000, MAX_MS = 10000, LINE_SIZE = 1024 };

/* The child's state, its processor time and its page faults. */
static void read_state(pid_t child, char out[LINE_SIZE])
{
	unsigned long long faults = 0;
	unsigned long long user = 0;
	unsigned long long system = 0;
	char state = '?';
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)child);
	FILE *file = fopen(path, "re");
	char line[LINE_SIZE];
	const char *words = file && fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	if (file)
		fclose(file);
	/* Missing fields keep their value. NOLINTNEXTLINE(cert-err34-c) */
	(void)!(words && sscanf(words, ") %c %*s %*s %*s %*s %*s %*s %llu %*s %*s %*s %llu %llu",
				&state, &faults, &user, &system));
	snprintf(out, LINE_SIZE, "%c %llu %llu %llu", state, faults, user, system);
}

/* True if the kernel blocks it and it has made no progress since the last check. */
static bool is_held(pid_t child, char state[LINE_SIZE])
{
	char now[LINE_SIZE];
	read_state(child, now);
	bool is_same = !strcmp(now, state) && *now == 'D';
	memcpy(state, now, LINE_SIZE);
	return is_same;
}

/* Return 0 if the answer can be read or will never come. Print a line unless `path` is NULL. */
static int wait_for_answer(pid_t child, int fd, const char *path, int max_ms)
{
	struct pollfd answer = {.fd = fd, .events = POLLIN};
	char state[LINE_SIZE] = "";
	int held_ms = 0;
	while (poll(&answer, 1, STEP_MS) <= 0) {
		held_ms = is_held(child, state) ? held_ms + STEP_MS : 0;
		if (path && held_ms == WARN_MS)
			message("%s: the disk does not answer; waiting for it", path);
		if (held_ms >= max_ms)
			return -ETIMEDOUT;
	}
	return 0;
}

static void answer(int (*work)(void *state), void *state, int fd)
{
	int result = work(state);
	fflush(NULL);
	_exit(write(fd, &result, sizeof(result)) != (ssize_t)sizeof(result));
}

static int call(int (*work)(void *state), void *state, const char *path, int max_ms)
{
	int result = -ECHILD;
	fflush(NULL);
	int ends[2];
	if (pipe2(ends, O_CLOEXEC))
		return work(state);
	pid_t child = fork();
	if (child == 0)
		answer(work, state, ends[1]);
	close(ends[1]);
	int error = child < 0 ? 0 : wait_for_answer(child, ends[0], path, max_ms);
	if (child >= 0 && !error &&
	    read(ends[0], &result, sizeof(result)) != (ssize_t)sizeof(result))
		result = -ECHILD;
	close(ends[0]);
	if (child < 0)
		return work(state);
	/* The child must not continue, and print messages, when the disk answers after all. */
	if (error)
		kill(child, SIGKILL);
	else
		waitpid(child, NULL, 0);
	return error ? error : result;
}

int bounded_call(int (*work)(void *state), void *state, const char *path)
{
	return call(work, state, path, MAX_MS);
}

int bounded_try(int (*work)(void *state), void *state)
{
	return call(work, state, NULL, TRY_MS);
}
