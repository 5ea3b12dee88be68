/*
 * goes_on.c - hosts that catch the GPU's error and go on as if nothing had happened, and what they
 * do with SIGABRT. Under --on-failure abort none of them may get so far.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

enum { N_LAUNCHES = 100, N_THREADS = 8 };

static sigjmp_buf before_failure;

/* Output is not buffered, since an abort would lose it. */
static void open_unbuffered(void)
{
	NEED_TRUE(setvbuf(stdout, NULL, _IONBF, 0) == 0);
	host_open();
	host_launch_some(N_LAUNCHES);
}

int goes_on(void)
{
	open_unbuffered();
	(void)host_fail();
	puts("goes on");
	return 0;
}

static void wait_for_failure(unsigned index)
{
	(void)index;
	(void)cuCtxSynchronize();
	puts("goes on");
}

static void *open_gate(void *unused)
{
	host_open_gate();
	return unused;
}

/* All threads wait in the driver when the kernel fails, so all of them get the error. */
int goes_on_in_threads(void)
{
	pthread_t opener;

	open_unbuffered();
	host_close_gate(NULL);
	NEED(host_stray(NULL));
	NEED_TRUE(!pthread_create(&opener, NULL, open_gate, NULL));
	host_threads(N_THREADS, 0, wait_for_failure);
	NEED_TRUE(!pthread_join(opener, NULL));
	return 0;
}

static void write_line(const char *line)
{
	NEED_TRUE(write(STDOUT_FILENO, line, strlen(line)) == (ssize_t)strlen(line));
}

static void handle_and_return(int number)
{
	(void)number;
	write_line("handler\n");
}

/* The failed context answers; a host may want to save what it has. */
static void handle_by_calls(int number)
{
	CUdeviceptr data = 0;

	(void)number;
	write_line("handler\n");
	(void)cuMemAlloc(&data, 1);
	(void)cuCtxSynchronize();
	write_line("handler has made calls\n");
}

static void handle_by_jump(int number)
{
	(void)number;
	write_line("handler\n");
	siglongjmp(before_failure, 1);
}

static void choose_handler(const char *way)
{
	static const struct {
		const char *way;
		void (*handler)(int number);
	} handlers[] = {{"returns", handle_and_return},
			{"calls", handle_by_calls},
			{"jumps", handle_by_jump},
			{"ignored", SIG_IGN}};
	sigset_t abort_only;

	for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++)
		if (!strcmp(way, handlers[i].way))
			NEED_TRUE(signal(SIGABRT, handlers[i].handler) != SIG_ERR);
	NEED_TRUE(!sigemptyset(&abort_only) && !sigaddset(&abort_only, SIGABRT));
	if (!strcmp(way, "blocked"))
		NEED_TRUE(!pthread_sigmask(SIG_BLOCK, &abort_only, NULL));
}

int goes_on_with_handler(void)
{
	const char *way = getenv("ROBUST_HANDLER");

	open_unbuffered();
	choose_handler(way ? way : "");
	if (!sigsetjmp(before_failure, 1))
		(void)host_fail();
	else
		puts("left the handler");
	(void)cuCtxSynchronize();
	puts("goes on");
	return 0;
}
