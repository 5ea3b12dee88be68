/*
 * test_child.c - a command that is started and waited for, and its signals.
 */
#include "run/child.h"

#include <errno.h>
#include <signal.h>

#include "finish/child_case.h"
#include "support/check.h"

static int tick_results[4];
static unsigned n_ticks;
static int end_results[4];
static unsigned n_ends;
static struct child_end child_end;

static void starting(const void *state)
{
	CHECK(state == &child_end);
	trace_add("starting\n");
}

static void act(void *state)
{
	CHECK(state == &child_case.now_ms);
	trace_add("act at %lld\n", child_case.now_ms);
}

static int tick(void *state, long child, int signal_number)
{
	CHECK(state == &child_case.at && child == CHILD);
	trace_add("tick at %lld, signal %d\n", child_case.now_ms, signal_number);
	return tick_results[n_ticks++ & 3];
}

static int end(void *state)
{
	CHECK(state == &child_case.n_steps);
	trace_add("end at %lld\n", child_case.now_ms);
	return end_results[n_ends++ & 3];
}

static const struct child_watch nothing = {.fd = -1};
static const struct child_watch all = {.starting = starting,
				       .starting_state = &child_end,
				       .fd = EVENTS,
				       .act = act,
				       .state = &child_case.now_ms,
				       .tick = tick,
				       .tick_state = &child_case.at,
				       .tick_ms = 100,
				       .end = end,
				       .end_state = &child_case.n_steps};

static void begin(void)
{
	memset(tick_results, 0, sizeof(tick_results));
	memset(end_results, 0, sizeof(end_results));
	n_ticks = n_ends = 0;
	child_case = (struct child_case){.now_ms = 5000, .own_pid = 50, .forked = CHILD};
}

static void add(struct child_step step)
{
	child_case.steps[child_case.n_steps++] = step;
}

static void run(const struct child_watch *watch)
{
	char *argv[] = {(char[]){"command"}, (char[]){"word"}, NULL};
	child_end = (struct child_end){0, 0};
	if (setjmp(child_exited))
		return;
	int result = child_run(argv, watch, &child_end);
	CHECK_EQUAL(child_case.at, child_case.n_steps);
	trace_add("%d: %ld %d\n", result, child_end.pid, child_end.status);
}

static void add_last(void)
{
	add((struct child_step){.signal_number = SIGCHLD, .ended = CHILD});
}

static void test_start(void)
{
	begin();
	add_last();
	run(&nothing);
	CHECK_TRACE("mask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\nsignal 3 as usual\n"
		    "signal 17 as usual\nfork\nclose 4\nread\nclose 3\n"
		    "at 5000, wait: 1 2 3 10 12 14 15 17 29\nwait for 77\nsignal 2 ignored\n"
		    "signal 3 ignored\nsignal 2 restored\nsignal 3 restored\nsignal 17 restored\n"
		    "mask 2: 13\n0: 77 1234\n");
	begin();
	add_last();
	child_case.pending = 2;
	run(&all);
	CHECK_TRACE("mask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\nsignal 3 as usual\n"
		    "signal 17 as usual\nfcntl 9 8 50\nfcntl 9 4 10240\nfork\nclose 4\nread\n"
		    "close 3\nat 5000, wait 100 ms\nwait for 77\nfcntl 9 4 2048\ntake 29: 2\n"
		    "take 29: 1\ntake 29: 0\nsignal 2 ignored\nsignal 3 ignored\n"
		    "signal 2 restored\nsignal 3 restored\nsignal 17 restored\nmask 2: 13\n"
		    "0: 77 1234\n");
}

/* The child's part of the start. */
static void test_exec(void)
{
	begin();
	child_case.forked = 0;
	run(&all);
	CHECK_TRACE("mask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\nsignal 3 as usual\n"
		    "signal 17 as usual\nfcntl 9 8 50\nfcntl 9 4 10240\nfork\nstarting\n"
		    "signal 2 restored\nsignal 3 restored\nsignal 17 restored\nmask 2: 13\n"
		    "exec command word\nwrite error 2\nexit 127\n");
	begin();
	child_case.forked = 0;
	child_case.read_errors = 1;
	run(&nothing);
	CHECK_TRACE("mask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\nsignal 3 as usual\n"
		    "signal 17 as usual\nfork\nsignal 2 restored\nsignal 3 restored\n"
		    "signal 17 restored\nmask 2: 13\nexec command word\nwrite error 2\nexit 126\n");
}

static void test_failures(void)
{
	begin();
	child_case.pipe_error = EMFILE;
	run(&nothing);
	begin();
	child_case.forked = -1;
	run(&nothing);
	CHECK_TRACE("mask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\nsignal 3 as usual\n"
		    "signal 17 as usual\nsignal 2 ignored\nsignal 3 ignored\nsignal 2 restored\n"
		    "signal 3 restored\nsignal 17 restored\nmask 2: 13\n-24: 0 0\n"
		    "mask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\nsignal 3 as usual\n"
		    "signal 17 as usual\nfork\nclose 4\nclose 3\nsignal 2 ignored\n"
		    "signal 3 ignored\nsignal 2 restored\nsignal 3 restored\nsignal 17 restored\n"
		    "mask 2: 13\n-11: 0 0\n");
	begin();
	child_case.exec_result = ENOEXEC;
	add_last();
	run(&nothing);
	begin();
	child_case.read_errors = 3;
	add_last();
	run(&nothing);
	CHECK_TRACE("mask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\nsignal 3 as usual\n"
		    "signal 17 as usual\nfork\nclose 4\nread\nclose 3\n"
		    "at 5000, wait: 1 2 3 10 12 14 15 17 29\nwait for 77\nsignal 2 ignored\n"
		    "signal 3 ignored\nsignal 2 restored\nsignal 3 restored\nsignal 17 restored\n"
		    "mask 2: 13\n-8: 77 1234\nmask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\n"
		    "signal 3 as usual\nsignal 17 as usual\nfork\nclose 4\nread\nread\nread\n"
		    "close 3\nat 5000, wait: 1 2 3 10 12 14 15 17 29\nwait for 77\n"
		    "signal 2 ignored\nsignal 3 ignored\nsignal 2 restored\nsignal 3 restored\n"
		    "signal 17 restored\nmask 2: 13\n0: 77 1234\n");
	begin();
	add((struct child_step){.error = EINVAL});
	run(&nothing);
	begin();
	add((struct child_step){.error = EINTR});
	add((struct child_step){.signal_number = SIGCHLD, .ended = -1, .ended_error = ECHILD});
	run(&nothing);
	CHECK_TRACE("mask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\nsignal 3 as usual\n"
		    "signal 17 as usual\nfork\nclose 4\nread\nclose 3\n"
		    "at 5000, wait: 1 2 3 10 12 14 15 17 29\nsignal 2 ignored\nsignal 3 ignored\n"
		    "signal 2 restored\nsignal 3 restored\nsignal 17 restored\nmask 2: 13\n"
		    "-22: 77 0\nmask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\n"
		    "signal 3 as usual\nsignal 17 as usual\nfork\nclose 4\nread\nclose 3\n"
		    "at 5000, wait: 1 2 3 10 12 14 15 17 29\nwait for 77\n"
		    "at 5000, wait: 1 2 3 10 12 14 15 17 29\nwait for 77\nsignal 2 ignored\n"
		    "signal 3 ignored\nsignal 2 restored\nsignal 3 restored\nsignal 17 restored\n"
		    "mask 2: 13\n-10: 77 5\n");
}

/* Signals of other processes go to the command. */
static void test_signals(void)
{
	static const int numbers[] = {SIGHUP,  SIGTERM, SIGUSR1, SIGUSR2,
				      SIGALRM, SIGINT,  SIGQUIT, SIGCHLD};
	begin();
	for (size_t i = 0; i < 8; i++)
		add((struct child_step){.signal_number = numbers[i], .code = SI_USER});
	add((struct child_step){.signal_number = SIGINT, .code = SI_KERNEL});
	add_last();
	struct child_watch watch = all;
	watch.tick_ms = 0;
	tick_results[1] = 50;
	run(&watch);
	CHECK_TRACE("mask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\nsignal 3 as usual\n"
		    "signal 17 as usual\nfcntl 9 8 50\nfcntl 9 4 10240\nfork\nclose 4\nread\n"
		    "close 3\nat 5000, wait: 1 2 3 10 12 14 15 17 29\nkill 77 1\nwait for 77\n"
		    "at 5000, wait: 1 2 3 10 12 14 15 17 29\nkill 77 15\nwait for 77\n"
		    "tick at 5000, signal 15\nat 5000, wait: 1 2 3 10 12 14 15 17 29\nkill 77 10\n"
		    "wait for 77\nat 5000, wait: 1 2 3 10 12 14 15 17 29\nkill 77 12\nwait for 77\n"
		    "at 5000, wait: 1 2 3 10 12 14 15 17 29\nkill 77 14\nwait for 77\n"
		    "at 5000, wait: 1 2 3 10 12 14 15 17 29\nkill 77 2\nwait for 77\n"
		    "tick at 5000, signal 2\nat 5000, wait 50 ms\nkill 77 3\nwait for 77\n"
		    "at 5000, wait 50 ms\nwait for 77\nat 5000, wait 50 ms\nwait for 77\n"
		    "tick at 5000, signal 2\nat 5000, wait: 1 2 3 10 12 14 15 17 29\nwait for 77\n"
		    "fcntl 9 4 2048\ntake 29: 0\nsignal 2 ignored\nsignal 3 ignored\n"
		    "signal 2 restored\nsignal 3 restored\nsignal 17 restored\nmask 2: 13\n"
		    "0: 77 1234\n");
}

/* Events, the calls after them, and ticks, in the order of their times. */
static void test_times(void)
{
	begin();
	tick_results[0] = 300;
	tick_results[1] = 5000;
	end_results[0] = 500;
	end_results[1] = 0;
	add((struct child_step){.signal_number = SIGIO, .after_ms = 30});
	add((struct child_step){.error = EAGAIN});
	add((struct child_step){.error = EAGAIN});
	add((struct child_step){.error = EAGAIN});
	add((struct child_step){.error = EAGAIN});
	add((struct child_step){.signal_number = SIGIO, .after_ms = 3000});
	add((struct child_step){.error = EAGAIN});
	add_last();
	run(&all);
	CHECK_TRACE("mask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\nsignal 3 as usual\n"
		    "signal 17 as usual\nfcntl 9 8 50\nfcntl 9 4 10240\nfork\nclose 4\nread\n"
		    "close 3\nat 5000, wait 100 ms\nend at 5030\nat 5030, wait 70 ms\nwait for 77\n"
		    "tick at 5100, signal 0\nat 5100, wait 300 ms\nwait for 77\n"
		    "tick at 5400, signal 0\nat 5400, wait 130 ms\nend at 5530\n"
		    "at 5530, wait 1500 ms\nact at 7030\nat 7030, wait 3370 ms\nend at 10030\n"
		    "at 10030, wait 370 ms\nwait for 77\ntick at 10400, signal 0\n"
		    "at 10400, wait 1630 ms\nwait for 77\nfcntl 9 4 2048\ntake 29: 0\n"
		    "signal 2 ignored\nsignal 3 ignored\nsignal 2 restored\nsignal 3 restored\n"
		    "signal 17 restored\nmask 2: 13\n0: 77 1234\n");
	begin();
	struct child_watch watch = all;
	watch.end = NULL;
	watch.tick_ms = 0;
	add((struct child_step){.signal_number = SIGIO});
	add((struct child_step){.signal_number = SIGTERM, .after_ms = 2500, .code = SI_USER});
	add_last();
	run(&watch);
	begin();
	watch = nothing;
	watch.tick = tick;
	watch.tick_state = &child_case.at;
	watch.tick_ms = 1;
	tick_results[0] = 2;
	add((struct child_step){.signal_number = SIGIO});
	add((struct child_step){.signal_number = SIGCHLD, .after_ms = 40});
	add((struct child_step){.error = EAGAIN});
	add_last();
	run(&watch);
	CHECK_TRACE("mask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\nsignal 3 as usual\n"
		    "signal 17 as usual\nfcntl 9 8 50\nfcntl 9 4 10240\nfork\nclose 4\nread\n"
		    "close 3\nat 5000, wait: 1 2 3 10 12 14 15 17 29\nat 5000, wait 2000 ms\n"
		    "kill 77 15\nwait for 77\ntick at 7500, signal 15\nat 7500, wait 0 ms\n"
		    "wait for 77\nfcntl 9 4 2048\ntake 29: 0\nsignal 2 ignored\nsignal 3 ignored\n"
		    "signal 2 restored\nsignal 3 restored\nsignal 17 restored\nmask 2: 13\n"
		    "0: 77 1234\nmask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\n"
		    "signal 3 as usual\nsignal 17 as usual\nfork\nclose 4\nread\nclose 3\n"
		    "at 5000, wait 1 ms\nat 5000, wait 1 ms\nwait for 77\nat 5040, wait 0 ms\n"
		    "wait for 77\ntick at 5040, signal 0\nat 5040, wait 2 ms\nwait for 77\n"
		    "signal 2 ignored\nsignal 3 ignored\nsignal 2 restored\nsignal 3 restored\n"
		    "signal 17 restored\nmask 2: 13\n0: 77 1234\n");
}

/* Callbacks that are missing are not called, whatever happens. */
static void test_unwatched(void)
{
	begin();
	struct child_watch watch = nothing;
	watch.end = end;
	watch.end_state = &child_case.n_steps;
	watch.tick_ms = 5;
	add((struct child_step){.signal_number = SIGIO});
	add((struct child_step){.signal_number = SIGTERM, .code = SI_USER});
	add_last();
	run(&watch);
	begin();
	watch = all;
	watch.fd = 0;
	watch.tick = NULL;
	add((struct child_step){.signal_number = SIGIO});
	add_last();
	run(&watch);
	CHECK_TRACE("mask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\nsignal 3 as usual\n"
		    "signal 17 as usual\nfork\nclose 4\nread\nclose 3\n"
		    "at 5000, wait: 1 2 3 10 12 14 15 17 29\n"
		    "at 5000, wait: 1 2 3 10 12 14 15 17 29\nkill 77 15\nwait for 77\n"
		    "at 5000, wait: 1 2 3 10 12 14 15 17 29\nwait for 77\nsignal 2 ignored\n"
		    "signal 3 ignored\nsignal 2 restored\nsignal 3 restored\nsignal 17 restored\n"
		    "mask 2: 13\n0: 77 1234\nmask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\n"
		    "signal 3 as usual\nsignal 17 as usual\nfcntl 0 8 50\nfcntl 0 4 10240\nfork\n"
		    "close 4\nread\nclose 3\nat 5000, wait: 1 2 3 10 12 14 15 17 29\nend at 5000\n"
		    "at 5000, wait 2000 ms\nwait for 77\nfcntl 0 4 2048\ntake 29: 0\n"
		    "signal 2 ignored\nsignal 3 ignored\nsignal 2 restored\nsignal 3 restored\n"
		    "signal 17 restored\nmask 2: 13\n0: 77 1234\n");
}

/* Process 1 reaps all, and remembers the command's status only. */
static void test_first_process(void)
{
	begin();
	child_case.own_pid = 1;
	add((struct child_step){.signal_number = SIGCHLD, .ended = 66, .code = SI_KERNEL});
	add((struct child_step){.signal_number = SIGCHLD, .ended = 66, .code = CHILD});
	run(&nothing);
	CHECK_TRACE("mask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\nsignal 3 as usual\n"
		    "signal 17 as usual\nfork\nclose 4\nread\nclose 3\n"
		    "at 5000, wait: 1 2 3 10 12 14 15 17 29\nwait for -1\nwait for -1\n"
		    "wait for -1\nat 5000, wait: 1 2 3 10 12 14 15 17 29\nwait for -1\n"
		    "wait for -1\nsignal 2 ignored\nsignal 3 ignored\nsignal 2 restored\n"
		    "signal 3 restored\nsignal 17 restored\nmask 2: 13\n0: 77 1234\n");
	begin();
	child_case.own_pid = 1;
	add((struct child_step){.signal_number = SIGCHLD});
	add((struct child_step){.signal_number = SIGCHLD, .ended = -1, .ended_error = ECHILD});
	run(&nothing);
	CHECK_TRACE("mask 0: 1 2 3 10 12 14 15 17 29\nsignal 2 as usual\nsignal 3 as usual\n"
		    "signal 17 as usual\nfork\nclose 4\nread\nclose 3\n"
		    "at 5000, wait: 1 2 3 10 12 14 15 17 29\nwait for -1\n"
		    "at 5000, wait: 1 2 3 10 12 14 15 17 29\nwait for -1\nsignal 2 ignored\n"
		    "signal 3 ignored\nsignal 2 restored\nsignal 3 restored\nsignal 17 restored\n"
		    "mask 2: 13\n-10: 77 0\n");
}

static void test_exit(void)
{
	CHECK_EQUAL(child_exit_status(0), 0);
	CHECK_EQUAL(child_exit_status(255 << 8), 255);
	CHECK_TRACE("");
	CHECK_EQUAL(child_exit_status(SIGSEGV | 0x80), 128 + SIGSEGV);
	CHECK_TRACE("limit 4: 0 0\nsignal 11 as usual\nraise 11\nmask 1: 11\n");
}

int main(void)
{
	test_start();
	test_exec();
	test_failures();
	test_signals();
	test_times();
	test_unwatched();
	test_first_process();
	test_exit();
	return 0;
}
