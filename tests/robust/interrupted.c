/*
 * interrupted.c - a host whose signal handler makes calls of its own, on a stack of its own: what
 * no program should do, and some profilers and watchdogs do.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "host.h"
#include "scenarios.h"

static volatile sig_atomic_t n_signals;

static void launch_in_handler(int number)
{
	(void)number;
	n_signals++;
	(void)host_fill(NULL);
	(void)cuStreamQuery(NULL);
}

/* The signals come from failing_calls.c, at calls that culprit makes. */
int interrupted(void)
{
	const struct sigaction action = {.sa_handler = launch_in_handler, .sa_flags = SA_ONSTACK};
	const stack_t stack = {.ss_sp = malloc(64 * 1024), .ss_size = 64 * 1024};

	NEED_TRUE(stack.ss_sp && sigaltstack(&stack, NULL) == 0);
	NEED_TRUE(sigaction(SIGUSR1, &action, NULL) == 0);
	host_open();
	host_launch_some(3000);
	fprintf(stderr, "%d signals\n", (int)n_signals);
	return host_fail();
}
