/*
 * test_proc_status.c - numbers of the process's status, and whether cuda-gdb runs it: here a parent
 * with its name.
 */
#include "record/host/proc_status.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/check.h"

enum { NO, YES, NOT_ALLOWED };

/* Let a child find out, with this process as its parent of that name, and as its tracer or not. */
static int ask_child(const char *name, bool is_traced)
{
	int status = 0;
	CHECK_EQUAL(prctl(PR_SET_NAME, name), 0);
	pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		if (is_traced && ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
			_exit(NOT_ALLOWED);
		errno = EDOM;
		bool is_found = proc_is_under_cuda_gdb();
		_exit(errno == EDOM && is_found ? YES : NO);
	}
	CHECK_EQUAL(waitpid(child, &status, 0), child);
	CHECK(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void test_numbers(void)
{
	CHECK_EQUAL(prctl(PR_SET_NAME, "Pid:\t7"), 0);
	CHECK_EQUAL(proc_status_number("Pid:"), getpid());
	CHECK_EQUAL(proc_status_number("PPid:"), getppid());
	CHECK_EQUAL(proc_status_number("Nothing:"), 0);
}

static void *ask_alone(void *unused)
{
	(void)unused;
	while (access("/proc/self/fd/2", F_OK) == 0)
		(void)sched_yield(); /* until the first thread has exited */
	_exit(proc_status_number("FDSize:") > 0 ? YES : NO);
}

/* The process goes on without its first thread. */
static void test_first_thread_gone(void)
{
	pthread_t other;
	int status = -1;
	pid_t child = fork();
	if (child == 0) {
		CHECK_EQUAL(pthread_create(&other, NULL, ask_alone, NULL), 0);
		pthread_exit(NULL);
	}
	CHECK_EQUAL(waitpid(child, &status, 0), child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == YES);
}

int main(void)
{
	test_numbers();
	test_first_thread_gone();
	int answer = ask_child("cuda-gdb-minimal", true);
	if (answer == NOT_ALLOWED)
		return 0;
	CHECK_EQUAL(answer, YES);
	CHECK_EQUAL(ask_child("cuda-gdb-python", true), YES);
	CHECK_EQUAL(ask_child("gdb", true), NO);
	CHECK_EQUAL(ask_child("cuda-gdb-minimal", false), NO);
	return 0;
}
