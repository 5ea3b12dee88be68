/*
 * child.c - fork, exec, wait, and the signals of the time between. No handler runs: the signals are
 * blocked here and taken one by one.
 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Signals that ask the command for something; passed on when somebody sends them to culprit. Job
 * control is not among them: the terminal stops and continues both processes alike. */
static const int forwarded[] = {SIGHUP, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM};

/* Signals of the terminal that its foreground processes get all at once: the command decides. */
static const int ignored[] = {SIGINT, SIGQUIT};
enum { N_FORWARDED = sizeof(forwarded) / sizeof(int), N_IGNORED = sizeof(ignored) / sizeof(int) };

/* What child_run changes and puts back: here when it returns, in the child before exec. */
struct signal_state {
	sigset_t mask;
	struct sigaction ignored[N_IGNORED];
	struct sigaction child_ended;
};

static void take_signals(struct signal_state *out_before, sigset_t *out_waited)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction normal = {.sa_handler = SIG_DFL};

	sigemptyset(out_waited);
	sigaddset(out_waited, SIGCHLD);
	for (int index = 0; index < N_FORWARDED; index++)
		sigaddset(out_waited, forwarded[index]);
	sigprocmask(SIG_BLOCK, out_waited, &out_before->mask);
	for (int index = 0; index < N_IGNORED; index++)
		sigaction(ignored[index], &ignore, &out_before->ignored[index]);
	/* An inherited SIG_IGN would have the kernel reap the command, its status lost. */
	sigaction(SIGCHLD, &normal, &out_before->child_ended);
}

static void restore_signals(const struct signal_state *before)
{
	for (int index = 0; index < N_IGNORED; index++)
		sigaction(ignored[index], &before->ignored[index], NULL);
	sigaction(SIGCHLD, &before->child_ended, NULL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

/* Never returns. Tells errno through `error_fd`, which closes by itself when exec succeeds. */
static void exec_command(char **argv, int error_fd)
{
	int error;
	ssize_t written;

	execvp(argv[0], argv);
	error = errno;
	written = write(error_fd, &error, sizeof(error));
	_exit(written == sizeof(error) ? 127 : 126);
}

/* What the child's exec said: 0 or -errno. */
static int read_exec_error(int error_fd)
{
	int error = 0;
	ssize_t n;

	do
		n = read(error_fd, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	return n == sizeof(error) ? -error : 0;
}

/* The child's wait status once it has ended. 0 or -errno. */
static int wait_for(pid_t child, const sigset_t *waited, int *out_status)
{
	for (;;) {
		siginfo_t info;
		int signal_number = sigwaitinfo(waited, &info);
		pid_t ended;

		if (signal_number < 0 && errno != EINTR)
			return -errno;
		/* The kernel's own (a terminal that hangs up) reach the command as well. */
		if (signal_number > 0 && signal_number != SIGCHLD && info.si_code != SI_KERNEL)
			kill(child, signal_number);
		ended = waitpid(child, out_status, WNOHANG);
		if (ended == child)
			return 0;
		if (ended < 0)
			return -errno;
	}
}

static int start_and_wait(char **argv, const struct signal_state *before, const sigset_t *waited,
			  int *out_status)
{
	int pipe_fds[2];
	pid_t child;
	int result;
	int wait_result;

	if (pipe2(pipe_fds, O_CLOEXEC))
		return -errno;
	child = fork();
	if (child == 0) {
		restore_signals(before);
		exec_command(argv, pipe_fds[1]);
	}
	result = child < 0 ? -errno : 0;
	close(pipe_fds[1]);
	if (!result)
		result = read_exec_error(pipe_fds[0]);
	close(pipe_fds[0]);
	if (child < 0)
		return result;
	wait_result = wait_for(child, waited, out_status);
	return result ? result : wait_result;
}

int child_run(char **argv, int *out_status)
{
	struct signal_state before;
	sigset_t waited;
	int result;

	take_signals(&before, &waited);
	result = start_and_wait(argv, &before, &waited, out_status);
	restore_signals(&before);
	return result;
}

int child_exit_status(int status)
{
	struct rlimit no_core = {0, 0};
	int signal_number = WTERMSIG(status);
	sigset_t only;

	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	/* The command's core file is the one that counts. */
	setrlimit(RLIMIT_CORE, &no_core);
	signal(signal_number, SIG_DFL);
	sigemptyset(&only);
	sigaddset(&only, signal_number);
	raise(signal_number);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	return 128 + signal_number; /* process 1 of a container is not killed by its own signal */
}
