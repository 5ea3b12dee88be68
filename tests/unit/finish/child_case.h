/*
 * child_case.h - the system calls that start a command and wait for it. Each is traced, and signals
 * come as the test says. Time passes only while a signal is waited for.
 */
#ifndef CULPRIT_TESTS_CHILD_CASE_H
#define CULPRIT_TESTS_CHILD_CASE_H

#include <setjmp.h>
#include <stddef.h>
#include <sys/types.h>

enum { CHILD = 77, EVENTS = 9, READ_END = 3, WRITE_END = 4, MS_PER_SECOND = 1000 };

/* The result of waiting for a signal: the signal, or an error. */
struct child_step {
	int signal_number;
	int error;
	int code;     /* si_code; after process 66, process 1 waits for this one */
	int after_ms; /* that pass first; all of its time passes in a timeout */
	pid_t ended;  /* the result of waitpid() after it */
	int ended_error;
};

struct child_case {
	struct child_step steps[12];
	size_t n_steps;
	size_t at; /* the next step */
	long long now_ms;
	pid_t own_pid;
	pid_t forked;
	int pipe_error;
	int exec_result; /* read from the child */
	int read_errors;
	unsigned pending; /* events of the watch */
};

extern struct child_case child_case;
extern jmp_buf child_exited; /* _exit() jumps there */

#endif
