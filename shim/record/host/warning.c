/*
 * warning.c - bounded, unbuffered writing to stderr, while there is one. The descriptor is the
 * host's: apart from showing text, a write to it must not affect the host.
 */
#include "record/host/warning.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/own_line.h"
#include "record/host/cancellation.h"

enum { MAX_WARNINGS = 8, MAX_WAIT_MS = 500 };

static bool is_silent;           /* written at start only, like first_stderr */
static struct stat first_stderr; /* all zero if there was none */
static unsigned n_warnings;      /* atomic */

void warning_start(void)
{
	if (fstat(STDERR_FILENO, &first_stderr) < 0)
		first_stderr = (struct stat){0};
}

void warning_silence(void)
{
	is_silent = true;
}

static bool is_first_stderr(const struct stat *now)
{
	return now->st_dev == first_stderr.st_dev && now->st_ino == first_stderr.st_ino;
}

/*
 * A host that closed its stderr may reuse the number for a data file or a connection. A new stderr
 * that the host put there is a terminal, a pipe or a log that grows, and is passed on by exec.
 */
static bool is_stderr(void)
{
	struct stat now;
	if (fstat(STDERR_FILENO, &now) < 0)
		return false;
	if (is_first_stderr(&now))
		return true;
	if (fcntl(STDERR_FILENO, F_GETFD) & FD_CLOEXEC)
		return false;
	if (S_ISREG(now.st_mode))
		return fcntl(STDERR_FILENO, F_GETFL) & O_APPEND;
	return S_ISCHR(now.st_mode) || S_ISFIFO(now.st_mode);
}

/*
 * Write in pieces that a pipe takes whole or not at all, and only when there is room: the host must
 * not hang where it would not have written anything. Return 0 or -errno.
 */
static int write_all(const char *bytes, size_t size)
{
	struct pollfd room = {.fd = STDERR_FILENO, .events = POLLOUT};
	while (size > 0) {
		if (poll(&room, 1, MAX_WAIT_MS) == 0)
			return -EAGAIN;
		ssize_t n = write(STDERR_FILENO, bytes, size < PIPE_BUF ? size : PIPE_BUF);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			bytes += n;
			size -= (size_t)n;
		}
	}
	return 0;
}

/* A pipe without a reader sends SIGPIPE, which would kill a host that writes nothing itself. */
void warning_write(const char *bytes, size_t size)
{
	const struct timespec at_once = {0};
	if (is_silent || !is_stderr())
		return;
	int cancellation = cancellation_hold();
	sigset_t pipe_signal;
	(void)sigemptyset(&pipe_signal);
	(void)sigaddset(&pipe_signal, SIGPIPE);
	sigset_t old_mask;
	(void)pthread_sigmask(SIG_BLOCK, &pipe_signal, &old_mask);
	sigset_t pending;
	(void)sigpending(&pending);
	bool was_pending = sigismember(&pending, SIGPIPE) == 1;
	if (write_all(bytes, size) == -EPIPE && !was_pending) {
		while (sigtimedwait(&pipe_signal, NULL, &at_once) < 0 && errno == EINTR)
			;
	}
	(void)pthread_sigmask(SIG_SETMASK, &old_mask, NULL);
	cancellation_restore(cancellation);
}

void warning_write_lines(const char *bytes, size_t size)
{
	int cancellation = cancellation_hold();
	if (own_line_is_needed(STDERR_FILENO))
		warning_write("\n", 1);
	warning_write(bytes, size);
	cancellation_restore(cancellation);
}

void warning_print(const char *format, ...)
{
	char line[512] = "culprit: ";
	const size_t prefix = sizeof("culprit: ") - 1;
	if (__atomic_fetch_add(&n_warnings, 1, __ATOMIC_RELAXED) >= MAX_WARNINGS)
		return;
	va_list values;
	va_start(values, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang 14 misses va_start here. */
	int length = vsnprintf(line + prefix, sizeof(line) - prefix - 1, format, values);
	va_end(values);
	if (length < 0)
		return;
	size_t end = prefix + (size_t)length;
	if (end > sizeof(line) - 2)
		end = sizeof(line) - 2;
	line[end] = '\n';
	warning_write(line, end + 1);
}
