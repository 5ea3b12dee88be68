/*
 * hardware_watch.c - fork the helper, ask it, and end it.
 */
#include "hardware/hardware_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/monotonic.h"

enum { ASK, ANSWER, N_PIPES }; /* what flows through a pipe */
enum { END_MS = 20 };          /* that the end waits for the helper's */
enum { MAX_CLOSED = 1 << 16 }; /* descriptors to close one by one, on kernels before 5.9 */

static void close_pipes(int pipes[N_PIPES][2])
{
	for (int i = 0; i < N_PIPES; i++)
		for (int end = 0; end < 2; end++)
			if (pipes[i][end] >= 0)
				close(pipes[i][end]);
}

/* Close the descriptors from `first` on, without the C library's function, which is too new. */
static bool close_from(unsigned first)
{
	struct rlimit limit = {0, 0};
	if (!syscall(SYS_close_range, first, ~0U, 0))
		return true;
	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > MAX_CLOSED)
		return false;
	for (rlim_t fd = first; fd < limit.rlim_cur; fd++)
		close((int)fd);
	return true;
}

/*
 * Keep nothing of culprit's but the two descriptors: a helper that the driver holds may outlive it,
 * and somebody may wait for the end of its output. The helper's own group gets no signals from a
 * terminal.
 */
_Noreturn static void be_helper(struct hardware_shared *shared, int ask_fd, int answer_fd,
				pid_t parent)
{
	enum { KEPT_ASK = 3, KEPT_ANSWER, FIRST_CLOSED };
	sigset_t all;
	sigfillset(&all);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)prctl(PR_SET_NAME, "culprit-nvml");
	(void)setpgid(0, 0);
	sigprocmask(SIG_SETMASK, &all, NULL);
	/* Move both out of the way first. */
	int ask = fcntl(ask_fd, F_DUPFD, FIRST_CLOSED);
	int answer = fcntl(answer_fd, F_DUPFD, FIRST_CLOSED);
	int null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < KEPT_ASK; fd++)
		(void)dup2(null, fd);
	if (getppid() != parent || dup2(ask, KEPT_ASK) < 0 || dup2(answer, KEPT_ANSWER) < 0 ||
	    !close_from(FIRST_CLOSED))
		_exit(1);
	hardware_helper(shared, KEPT_ASK, KEPT_ANSWER);
}

static bool start_helper(struct hardware_watch *out, int pipes[N_PIPES][2])
{
	pid_t parent = getpid();
	fflush(NULL);
	pid_t helper = fork();
	if (!helper)
		be_helper(out->shared, pipes[ASK][0], pipes[ANSWER][1], parent);
	if (helper < 0)
		return false;
	out->helper_pid = helper;
	out->helper_fd = (int)syscall(SYS_pidfd_open, helper, 0);
	out->ask_fd = pipes[ASK][1];
	out->answer_fd = pipes[ANSWER][0];
	pipes[ASK][1] = pipes[ANSWER][0] = -1;
	return true;
}

void hardware_watch_begin(struct hardware_watch *out)
{
	int pipes[N_PIPES][2] = {{-1, -1}, {-1, -1}};
	*out = (struct hardware_watch){.helper_fd = -1, .ask_fd = -1, .answer_fd = -1};
	void *memory = mmap(NULL, sizeof(*out->shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return;
	out->shared = memory;
	bool is_started = !pipe2(pipes[ASK], O_CLOEXEC) && !pipe2(pipes[ANSWER], O_CLOEXEC) &&
			  start_helper(out, pipes);
	close_pipes(pipes);
	if (!is_started)
		hardware_watch_end(out);
}

/* Pairs with the store in raise_stage(). */
static enum hardware_stage stage_of(const struct hardware_watch *watch)
{
	return (enum hardware_stage)__atomic_load_n(&watch->shared->stage, __ATOMIC_ACQUIRE);
}

/* Return true if the helper has answered before `end_ms` of monotonic_ms(). */
static bool wait_for_answer(const struct hardware_watch *watch, long long end_ms)
{
	struct pollfd answer = {.fd = watch->answer_fd, .events = POLLIN};
	char byte = 0;
	for (;;) {
		long long left_ms = end_ms - monotonic_ms();
		int n = poll(&answer, 1, left_ms > 0 ? (int)left_ms : 0);
		if (n < 0 && errno == EINTR)
			continue;
		return n > 0 && read(watch->answer_fd, &byte, 1) == 1;
	}
}

static bool ask(struct hardware_watch *watch, long long end_ms)
{
	/* The pipe has room, and SIGPIPE would end culprit: a helper that has died is not asked. */
	struct pollfd end = {.fd = watch->ask_fd, .events = POLLOUT};
	if (poll(&end, 1, 0) != 1 || end.revents != POLLOUT || write(watch->ask_fd, "", 1) != 1)
		return false;
	return wait_for_answer(watch, end_ms);
}

/* The helper may still write: copy the events that are complete, and the readings that are. */
static void copy_state(const struct hardware_shared *shared, struct hardware *out)
{
	const struct hardware *state = &shared->state;
	/* Pairs with the store in add_event() of hardware_helper.c. */
	uint32_t n_events = __atomic_load_n(&state->n_events, __ATOMIC_ACQUIRE);
	memcpy(out, state, sizeof(*out));
	out->n_events = n_events;
}

/* A helper that does not answer may have been killed at any time: it has missed events, too. */
static void forget_answers(struct hardware *state)
{
	if (!state->watch_finished_ns)
		state->watch_finished_ns = monotonic_ns();
	for (uint32_t i = 0; i < state->n_gpus; i++)
		memset(&state->gpus[i].after, 0, sizeof(state->gpus[i].after));
}

/* Ask the helper, and copy what is known then. */
static void take(struct hardware_watch *watch, int timeout_ms)
{
	long long end_ms = monotonic_ms() + timeout_ms;
	if (watch->answer_fd >= 0 && !watch->is_ready)
		watch->is_ready = wait_for_answer(watch, end_ms);
	bool is_read = watch->answer_fd >= 0 && watch->is_ready && ask(watch, end_ms);
	/* An answer that comes too late must not be taken for that to the next question. */
	if (!is_read && watch->answer_fd >= 0) {
		close(watch->answer_fd);
		watch->answer_fd = -1;
	}
	if (stage_of(watch) != HARDWARE_READY)
		return;
	if (!watch->newest)
		watch->newest = malloc(sizeof(*watch->newest));
	if (!watch->newest)
		return;
	copy_state(watch->shared, watch->newest);
	watch->newest_ms = monotonic_ms();
	if (!is_read)
		forget_answers(watch->newest);
}

const struct hardware *hardware_watch_take(struct hardware_watch *watch, int timeout_ms)
{
	if (!watch || !watch->shared)
		return NULL;
	if (!watch->newest || monotonic_ms() - watch->newest_ms >= MS_PER_S)
		take(watch, timeout_ms);
	return watch->newest;
}

const char *hardware_watch_problem(const struct hardware_watch *watch)
{
	if (!watch->shared)
		return "the process that asks NVML could not be started";
	switch (stage_of(watch)) {
	case HARDWARE_NO_LIBRARY:
		return "libnvidia-ml.so.1 is not installed";
	case HARDWARE_NO_NVML:
		return "NVML finds no driver or no GPU";
	case HARDWARE_STARTING:
		return "NVML does not answer";
	case HARDWARE_READY:
		break;
	}
	return NULL;
}

const char *hardware_watch_advice(const struct hardware_watch *watch)
{
	if (!watch->shared)
		return NULL;
	switch (stage_of(watch)) {
	case HARDWARE_NO_LIBRARY:
		return "in a container, set NVIDIA_DRIVER_CAPABILITIES=compute,utility; else "
		       "install the driver's package with nvidia-smi";
	case HARDWARE_NO_NVML:
		return "check that nvidia-smi lists a GPU";
	case HARDWARE_STARTING:
		return "check whether nvidia-smi hangs too; if so, reboot the machine";
	case HARDWARE_READY:
		break;
	}
	return NULL;
}

/* The descriptor is of this process alone, even if its number is used again. */
static void end_helper(const struct hardware_watch *watch)
{
	struct pollfd end = {.fd = watch->helper_fd, .events = POLLIN};
	if (watch->helper_fd < 0)
		return;
	(void)syscall(SYS_pidfd_send_signal, watch->helper_fd, SIGKILL, NULL, 0);
	if (poll(&end, 1, END_MS) > 0)
		(void)waitpid(watch->helper_pid, NULL, WNOHANG);
	close(watch->helper_fd);
}

void hardware_watch_end(struct hardware_watch *watch)
{
	end_helper(watch);
	if (watch->ask_fd >= 0)
		close(watch->ask_fd);
	if (watch->answer_fd >= 0)
		close(watch->answer_fd);
	if (watch->shared)
		(void)munmap(watch->shared, sizeof(*watch->shared));
	free(watch->newest);
	*watch = (struct hardware_watch){.helper_fd = -1, .ask_fd = -1, .answer_fd = -1};
}
