/*
 * child_case.c - system calls as the test says.
 */
#include "finish/child_case.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "support/check.h"

struct child_case child_case;
jmp_buf child_exited;

/* The C library's own calls, which the linker sends here. */
pid_t __wrap_fork(void);
pid_t __wrap_getpid(void);
pid_t __wrap_waitpid(pid_t child, int *out_status, int options);
int __wrap_execvp(const char *file, char *const *argv);
int __wrap_pipe2(int *fds, int flags);
int __wrap_close(int fd);
ssize_t __wrap_read(int fd, void *bytes, size_t size);
ssize_t __wrap_write(int fd, const void *bytes, size_t size);
void __wrap__exit(int status);
int __wrap_kill(pid_t to, int signal_number);
int __wrap_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout);
int __wrap_sigwaitinfo(const sigset_t *set, siginfo_t *info);
int __wrap_sigprocmask(int how, const sigset_t *set, sigset_t *old);
int __wrap_sigaction(int number, const struct sigaction *action, struct sigaction *old);
int __wrap_fcntl(int fd, int command, ...);
int __wrap_clock_gettime(clockid_t clock, struct timespec *out);
int __wrap_setrlimit(int resource, const struct rlimit *limit);
int __wrap_raise(int number);
void (*__wrap_signal(int number, void (*handler)(int)))(int);

static const char *set_text(const sigset_t *set)
{
	static char text[256];
	text[0] = '\0';
	for (int i = 1; i < 65; i++)
		if (sigismember(set, i) == 1)
			(void)snprintf(text + strlen(text), sizeof(text) - strlen(text), " %d", i);
	return text;
}

pid_t __wrap_fork(void)
{
	trace_add("fork\n");
	errno = EAGAIN;
	return child_case.forked;
}

pid_t __wrap_getpid(void)
{
	return child_case.own_pid;
}

int __wrap_pipe2(int *fds, int flags)
{
	CHECK_EQUAL(flags, O_CLOEXEC);
	fds[0] = READ_END;
	fds[1] = WRITE_END;
	errno = child_case.pipe_error;
	return child_case.pipe_error ? -1 : 0;
}

int __wrap_close(int fd)
{
	trace_add("close %d\n", fd);
	return 0;
}

ssize_t __wrap_read(int fd, void *bytes, size_t size)
{
	CHECK(fd == READ_END && size == sizeof(int));
	trace_add("read\n");
	if (child_case.read_errors) {
		errno = child_case.read_errors > 1 ? EINTR : EIO;
		child_case.read_errors--;
		return -1;
	}
	memcpy(bytes, &child_case.exec_result, size);
	return child_case.exec_result ? (ssize_t)size : 0;
}

ssize_t __wrap_write(int fd, const void *bytes, size_t size)
{
	int number = 0;
	CHECK(fd == WRITE_END && size == sizeof(number));
	memcpy(&number, bytes, size);
	trace_add("write error %d\n", number);
	return child_case.read_errors ? -1 : (ssize_t)size;
}

int __wrap_execvp(const char *file, char *const *argv)
{
	trace_add("exec %s %s\n", file, argv[1]);
	errno = ENOENT;
	return -1;
}

void __wrap__exit(int status)
{
	trace_add("exit %d\n", status);
	longjmp(child_exited, 1);
}

pid_t __wrap_waitpid(pid_t child, int *out_status, int options)
{
	CHECK_EQUAL(options, WNOHANG);
	struct child_step *step = &child_case.steps[child_case.at - 1];
	trace_add("wait for %d\n", (int)child);
	pid_t ended = step->ended;
	errno = step->ended_error;
	*out_status = ended == CHILD ? 1234 : 5;
	/* Process 1 asks again. */
	step->ended = child_case.own_pid == 1 && ended == 66 ? step->code : 0;
	return ended;
}

int __wrap_kill(pid_t to, int signal_number)
{
	trace_add("kill %d %d\n", (int)to, signal_number);
	return 0;
}

static int next_step(siginfo_t *info, long long timeout_ms)
{
	CHECK(child_case.at < child_case.n_steps);
	const struct child_step *step = &child_case.steps[child_case.at++];
	child_case.now_ms += step->error == EAGAIN ? timeout_ms : step->after_ms;
	info->si_code = step->code;
	errno = step->error ? step->error : EAGAIN;
	return step->error ? -1 : step->signal_number;
}

int __wrap_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	if (!info) {
		CHECK(!timeout->tv_sec && !timeout->tv_nsec);
		trace_add("take%s: %u\n", set_text(set), child_case.pending);
		return child_case.pending ? (int)child_case.pending-- : -1;
	}
	long long ms = timeout->tv_sec * MS_PER_SECOND + timeout->tv_nsec / 1000000;
	trace_add("at %lld, wait %lld ms\n", child_case.now_ms, ms);
	return next_step(info, ms);
}

int __wrap_sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	trace_add("at %lld, wait:%s\n", child_case.now_ms, set_text(set));
	return next_step(info, 0);
}

int __wrap_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	trace_add("mask %d:%s\n", how, set_text(set));
	if (old) {
		(void)sigemptyset(old);
		(void)sigaddset(old, SIGPIPE);
	}
	return 0;
}

int __wrap_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	trace_add("signal %d %s\n", number,
		  action->sa_handler == SIG_DFL   ? "as usual"
		  : action->sa_handler == SIG_IGN ? "ignored"
						  : "restored");
	if (old)
		*old = (struct sigaction){.sa_handler = (void (*)(int))(intptr_t)(1000 + number)};
	else if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN)
		CHECK_EQUAL((intptr_t)action->sa_handler, 1000 + number);
	return 0;
}

int __wrap_fcntl(int fd, int command, ...)
{
	va_list arguments;
	va_start(arguments, command);
	trace_add("fcntl %d %d %d\n", fd, command, va_arg(arguments, int));
	va_end(arguments);
	return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *out)
{
	CHECK_EQUAL(clock, CLOCK_MONOTONIC);
	out->tv_sec = child_case.now_ms / MS_PER_SECOND;
	out->tv_nsec = child_case.now_ms % MS_PER_SECOND * 1000000;
	return 0;
}

int __wrap_setrlimit(int resource, const struct rlimit *limit)
{
	trace_add("limit %d: %d %d\n", resource, (int)limit->rlim_cur, (int)limit->rlim_max);
	return 0;
}

int __wrap_raise(int number)
{
	trace_add("raise %d\n", number);
	return 0;
}

void (*__wrap_signal(int number, void (*handler)(int)))(int)
{
	trace_add("signal %d %s\n", number, handler == SIG_DFL ? "as usual" : "else");
	return SIG_DFL;
}
