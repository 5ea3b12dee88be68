/*
 * child.c - fork, exec, wait, and signals. No signal handler runs: the signals are blocked here and
 * taken one by one.
 */
#include "run/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command/monotonic.h"

/*
 * Signals that ask the command for something. They are passed on when a process sends them to
 * culprit. Job control is not among them: the terminal stops and continues both processes alike.
 */
static const int forwarded[] = {SIGHUP, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM};

/*
 * Signals that we wait for as well. The terminal's keys send them to the command too, and the
 * command decides what to do. A shell ignores both for a command in the background, and an ignored
 * signal cannot be waited for.
 */
static const int of_keys[] = {SIGINT, SIGQUIT};
enum { N_FORWARDED = sizeof(forwarded) / sizeof(int), N_OF_KEYS = sizeof(of_keys) / sizeof(int) };

/*
 * The signal state that child_run() changes. It is restored here when child_run() returns, and in
 * the child before exec.
 */
struct signal_state {
	sigset_t mask;
	struct sigaction of_keys[N_OF_KEYS];
	struct sigaction child_ended;
};

/* Time between an event and child_watch.act: most commands have exited by then. */
enum { ACT_AFTER_MS = 2000 };

/* When to call child_watch.act, .tick and .end, in ms of CLOCK_MONOTONIC; 0: not at all. */
struct due {
	long long act;
	long long tick;
	long long end;
};

static void take_signals(struct signal_state *out_before, sigset_t *out_waited)
{
	struct sigaction normal = {.sa_handler = SIG_DFL};
	sigemptyset(out_waited);
	sigaddset(out_waited, SIGCHLD);
	sigaddset(out_waited, SIGIO);
	for (int index = 0; index < N_FORWARDED; index++)
		sigaddset(out_waited, forwarded[index]);
	for (int index = 0; index < N_OF_KEYS; index++)
		sigaddset(out_waited, of_keys[index]);
	sigprocmask(SIG_BLOCK, out_waited, &out_before->mask);
	for (int index = 0; index < N_OF_KEYS; index++)
		sigaction(of_keys[index], &normal, &out_before->of_keys[index]);
	/*
	 * With an inherited SIG_IGN the kernel would reap the command, and its status would be
	 * lost.
	 */
	sigaction(SIGCHLD, &normal, &out_before->child_ended);
}

static void restore_signals(const struct signal_state *before)
{
	for (int index = 0; index < N_OF_KEYS; index++)
		sigaction(of_keys[index], &before->of_keys[index], NULL);
	sigaction(SIGCHLD, &before->child_ended, NULL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

/* A key that stopped the command must not stop culprit's work after it. */
static void forget_keys(void)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	for (int index = 0; index < N_OF_KEYS; index++)
		sigaction(of_keys[index], &ignore, NULL);
}

/*
 * Exec, or send errno through `error_fd` and exit. The descriptor closes by itself if exec
 * succeeds.
 */
static void exec_command(char **argv, int error_fd)
{
	execvp(argv[0], argv);
	int error = errno;
	ssize_t written = write(error_fd, &error, sizeof(error));
	_exit(written == sizeof(error) ? 127 : 126);
}

/* Returns the result of the child's exec: 0 or -errno. */
static int read_exec_error(int error_fd)
{
	int error = 0;
	ssize_t n = 0;
	do
		n = read(error_fd, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	return n == sizeof(error) ? -error : 0;
}

/* The watch's events come as a signal, so that there is only one thing to wait for. */
static void watch_begin(const struct child_watch *watch)
{
	if (watch->fd < 0)
		return;
	(void)fcntl(watch->fd, F_SETOWN, getpid());
	(void)fcntl(watch->fd, F_SETFL, O_ASYNC | O_NONBLOCK);
}

/* Take a pending SIGIO. It would kill this process as soon as SIGIO is unblocked. */
static void watch_end(const struct child_watch *watch)
{
	static const struct timespec now = {0};
	if (watch->fd < 0)
		return;
	(void)fcntl(watch->fd, F_SETFL, O_NONBLOCK);
	sigset_t events;
	sigemptyset(&events);
	sigaddset(&events, SIGIO);
	while (sigtimedwait(&events, NULL, &now) > 0)
		;
}

static long long earlier(long long one, long long other)
{
	return one && (!other || one < other) ? one : other;
}

/* Return the time until the earliest, NULL if none is set. */
static const struct timespec *time_left(const struct due *due, struct timespec *out)
{
	long long next = earlier(due->act, earlier(due->tick, due->end));
	long long left = next - monotonic_ms();
	if (!next)
		return NULL;
	left = left > 0 ? left : 0;
	*out = (struct timespec){.tv_sec = left / MS_PER_S, .tv_nsec = left % MS_PER_S * NS_PER_MS};
	return out;
}

static int wait_for_signal(const sigset_t *waited, const struct due *due, siginfo_t *out_info)
{
	struct timespec left;
	const struct timespec *timeout = time_left(due, &left);
	return timeout ? sigtimedwait(waited, out_info, timeout) : sigwaitinfo(waited, out_info);
}

static void note_event(const struct child_watch *watch, struct due *due)
{
	bool is_watched = watch->fd >= 0;
	due->act = is_watched ? monotonic_ms() + ACT_AFTER_MS : 0;
	due->end = is_watched && watch->end ? monotonic_ms() : 0;
}

static void call_end(const struct child_watch *watch, struct due *due)
{
	int next_ms = watch->end(watch->end_state);
	due->end = next_ms ? monotonic_ms() + next_ms : 0;
}

/* Return the next signal except those of the watch, 0 if the tick is due, or -1 with errno. */
static int next_signal(const struct child_watch *watch, const sigset_t *waited, struct due *due,
		       siginfo_t *out_info)
{
	for (;;) {
		int signal_number = wait_for_signal(waited, due, out_info);
		if (signal_number == SIGIO)
			note_event(watch, due);
		else if (signal_number >= 0 || errno != EAGAIN)
			return signal_number;
		if (due->act && monotonic_ms() >= due->act) {
			due->act = 0;
			watch->act(watch->state);
		}
		if (due->end && monotonic_ms() >= due->end)
			call_end(watch, due);
		if (due->tick && monotonic_ms() >= due->tick)
			return 0;
	}
}

static void tick(const struct child_watch *watch, pid_t child, int signal_number, struct due *due)
{
	bool is_end = signal_number == SIGTERM || signal_number == SIGINT;
	if (!watch->tick || (signal_number && !is_end))
		return;
	int next_ms = watch->tick(watch->tick_state, child, signal_number);
	due->tick = next_ms ? monotonic_ms() + next_ms : 0;
}

/* Signals from the kernel (the terminal's keys, its hangup) reach the command by themselves. */
static void pass_on(pid_t child, int signal_number, const siginfo_t *info)
{
	if (signal_number > 0 && signal_number != SIGCHLD && info->si_code != SI_KERNEL)
		kill(child, signal_number);
}

/*
 * Wait for the command without blocking. As process 1 of a container, culprit becomes the parent of
 * orphans too: reap them, or they stay as zombies. Culprit's own helpers may be reaped here as
 * well.
 */
static pid_t wait_for_any(pid_t child, int *out_status)
{
	if (getpid() != 1)
		return waitpid(child, out_status, WNOHANG);
	pid_t ended = 0;
	int status = 0;
	while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
		if (ended != child)
			continue;
		*out_status = status;
		return child;
	}
	return ended;
}

/* Waits until the child has exited, and stores its wait status. Returns 0 or -errno. */
static int wait_for(pid_t child, const struct child_watch *watch, const sigset_t *waited,
		    int *out_status)
{
	struct due due = {.tick = watch->tick && watch->tick_ms ? monotonic_ms() + watch->tick_ms
								: 0};
	for (;;) {
		siginfo_t info;
		int signal_number = next_signal(watch, waited, &due, &info);
		if (signal_number < 0 && errno != EINTR)
			return -errno;
		pass_on(child, signal_number, &info);
		pid_t ended = wait_for_any(child, out_status);
		if (ended == child)
			return 0;
		if (ended < 0)
			return -errno;
		if (signal_number >= 0)
			tick(watch, child, signal_number, &due);
	}
}

static int start_and_wait(char **argv, const struct child_watch *watch,
			  const struct signal_state *before, const sigset_t *waited,
			  struct child_end *out_end)
{
	int pipe_fds[2];
	if (pipe2(pipe_fds, O_CLOEXEC))
		return -errno;
	pid_t child = fork();
	if (child == 0) {
		if (watch->starting)
			watch->starting(watch->starting_state);
		restore_signals(before);
		exec_command(argv, pipe_fds[1]);
	}
	int result = child < 0 ? -errno : 0;
	close(pipe_fds[1]);
	if (!result)
		result = read_exec_error(pipe_fds[0]);
	close(pipe_fds[0]);
	if (child < 0)
		return result;
	out_end->pid = child;
	int wait_result = wait_for(child, watch, waited, &out_end->status);
	return result ? result : wait_result;
}

int child_run(char **argv, const struct child_watch *watch, struct child_end *out_end)
{
	struct signal_state before;
	sigset_t waited;
	take_signals(&before, &waited);
	watch_begin(watch);
	int result = start_and_wait(argv, watch, &before, &waited, out_end);
	watch_end(watch);
	forget_keys();
	restore_signals(&before);
	return result;
}

int child_exit_status(int status)
{
	struct rlimit no_core = {0, 0};
	int signal_number = WTERMSIG(status);
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	/* Only the command's core file matters. */
	setrlimit(RLIMIT_CORE, &no_core);
	signal(signal_number, SIG_DFL);
	sigset_t only;
	sigemptyset(&only);
	sigaddset(&only, signal_number);
	raise(signal_number);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	return 128 + signal_number; /* process 1 of a container is not killed by its own signal */
}
