/*
 * symbol_process.c - starts the helper that reads files, asks it, and kills it if it does not
 * answer in time. The helper is forked, not executed: it is the same program and has all it needs.
 * All analyses of a command that reads many bundles share one helper, since its start and the debug
 * information of a program cost more than the rest of a report.
 */
#include "symbols/symbol_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/monotonic.h"
#include "command/patience.h"
#include "symbols/symbol_cache.h"
#include "symbols/symbol_question.h"

enum { MS_PER_LOOK = 250, MAX_STRINGS = SYMBOL_MAX_FRAMES * 2 * SYMBOL_MAX_STRING };

struct symbol_process {
	int wait_ms; /* for one answer */
	int left_ms; /* for all further answers */
};

/* The helper, and its answers about modules. fd -1: no helper runs. */
static struct {
	pid_t pid;
	int fd;
	bool is_shared;
	struct symbol_cache cache;
} helper = {.fd = -1};

/* Kill the helper. Do not wait: it may hang in the kernel, until after this process has exited. */
static void stop(void)
{
	if (helper.fd < 0)
		return;
	close(helper.fd);
	helper.fd = -1;
	kill(helper.pid, SIGKILL);
	(void)waitpid(helper.pid, NULL, WNOHANG);
}

static void forget(void)
{
	stop();
	symbol_cache_empty(&helper.cache);
}

void symbol_process_share(bool is_shared)
{
	helper.is_shared = is_shared;
	if (!is_shared)
		forget();
}

struct symbol_process *symbol_process_open(unsigned wait_seconds)
{
	struct symbol_process *process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	if (symbol_cache_is_full(&helper.cache))
		forget();
	process->wait_ms = (int)wait_seconds * MS_PER_S;
	process->left_ms = process->wait_ms * SYMBOL_WAITS;
	return process;
}

void symbol_process_close(struct symbol_process *process)
{
	if (process && !helper.is_shared)
		forget();
	free(process);
}

/*
 * Serve questions on `fd`, and close all other descriptors. Standard output may be a pipe, whose
 * reader waits until the last writer has closed it, and this process may hang.
 */
_Noreturn static void serve(int fd)
{
	int null_fd = open("/dev/null", O_RDWR);
	for (int standard_fd = STDIN_FILENO; standard_fd <= STDERR_FILENO; standard_fd++)
		(void)dup2(null_fd, standard_fd);
	(void)dup2(fd, STDERR_FILENO + 1);
	(void)syscall(SYS_close_range, STDERR_FILENO + 2, ~0U,
		      0); /* glibc has a function for this since 2.34 */
	symbol_server(STDERR_FILENO + 1);
}

static int start(void)
{
	int fds[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return -errno;
	pid_t pid = fork();
	if (pid == 0)
		serve(fds[1]);
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return -EAGAIN;
	}
	helper.pid = pid;
	helper.fd = fds[0];
	return 0;
}

static int send_all(int fd, const void *bytes, size_t size)
{
	/* Never blocks: the socket is empty, and has room for this much. */
	ssize_t n = send(fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
	return n == (ssize_t)size ? 0 : -EPIPE;
}

/* Receives until `end_ms`. After a long wait, prints the reason for the user. */
static int receive(int fd, void *bytes, size_t size, long long end_ms, const char *path)
{
	char *at = bytes;
	while (size > 0) {
		struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
		long long left_ms = end_ms - monotonic_ms();
		if (left_ms <= 0)
			return -ETIMEDOUT;
		patience_print("reading the debug information of", path);
		if (poll(&poll_fd, 1, left_ms < MS_PER_LOOK ? (int)left_ms : MS_PER_LOOK) <= 0)
			continue;
		ssize_t n = recv(fd, at, size, MSG_DONTWAIT);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			return -EPIPE;
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

static int receive_answer(int fd, long long end_ms, const char *path, struct symbol_answer **out)
{
	struct symbol_answer_header header;
	int result = receive(fd, &header, sizeof(header), end_ms, path);
	if (result)
		return result;
	if (header.n > SYMBOL_MAX_FRAMES || header.size > MAX_STRINGS)
		return -EPIPE;
	struct symbol_answer *answer = calloc(1, sizeof(*answer) + header.size);
	if (!answer)
		return -ENOMEM;
	header.problem[sizeof(header.problem) - 1] = '\0';
	answer->header = header;
	result = receive(fd, answer->strings, header.size, end_ms, path);
	if (result) {
		free(answer);
		return result;
	}
	symbol_answer_find_strings(answer);
	*out = answer;
	return 0;
}

static int ask(const struct symbol_question *question, const char *path, long long end_ms,
	       struct symbol_answer **out)
{
	struct symbol_question sent = *question;
	int result = helper.fd < 0 ? start() : 0;
	sent.path_size = (uint32_t)strlen(path) + 1;
	if (!result)
		result = send_all(helper.fd, &sent, sizeof(sent));
	if (!result)
		result = send_all(helper.fd, path, sent.path_size);
	if (!result)
		result = receive_answer(helper.fd, end_ms, path, out);
	if (result)
		stop();
	return result;
}

/* Keep an answer for later bundles, or the reason for its absence if the module is at fault. */
static void keep_answer(const struct symbol_question *question, const char *path,
			const struct symbol_answer *answer, int result, bool had_time)
{
	bool is_at_fault = result == -EPIPE || (result == -ETIMEDOUT && had_time);
	if (question->kind == SYMBOL_FRAMES && (!result || is_at_fault))
		symbol_cache_add(&helper.cache, question, path, result ? NULL : answer, result);
}

int symbol_process_ask(struct symbol_process *process, const struct symbol_question *question,
		       const char *path, struct symbol_answer **out)
{
	bool had_time = process->wait_ms <= process->left_ms;
	int wait_ms = had_time ? process->wait_ms : process->left_ms;
	if (strlen(path) >= SYMBOL_MAX_PATH)
		return -ENAMETOOLONG;
	int result = question->kind == SYMBOL_FRAMES
			     ? symbol_cache_find(&helper.cache, question, path, out)
			     : -ENOENT;
	if (result != -ENOENT)
		return result;
	if (wait_ms <= 0)
		return -ETIMEDOUT;
	long long start_ms = monotonic_ms();
	result = ask(question, path, start_ms + wait_ms, out);
	wait_ms = (int)(monotonic_ms() - start_ms);
	process->left_ms = wait_ms < process->left_ms ? process->left_ms - wait_ms : 0;
	keep_answer(question, path, result ? NULL : *out, result, had_time);
	return result;
}

bool symbol_process_is_exhausted(const struct symbol_process *process)
{
	return process->left_ms <= 0;
}
