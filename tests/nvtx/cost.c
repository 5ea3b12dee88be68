/*
 * cost.c - print the cost of NVTX and of a launch under the driver and tool that the environment
 * chooses: ns for a push and a pop, and for a launch after them. Usage: nvtx_cost [ROUNDS].
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "copy.h"
#include "host.h"

static unsigned n_rounds = 20000;

static double now_ns(void)
{
	struct timespec now;

	NEED_TRUE(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void push_and_pop(void)
{
	(void)first_copy.push_string("aten::addmm, seq = 1234");
	(void)first_copy.pop(FORM_ASCII, NULL);
}

static void launch(void)
{
	NEED(host_fill(NULL));
}

static void launch_in_range(void)
{
	(void)first_copy.push_string("aten::addmm, seq = 1234");
	NEED(host_fill(NULL));
	(void)first_copy.pop(FORM_ASCII, NULL);
}

static void start_and_end(void)
{
	first_copy.end(FORM_ASCII, NULL, first_copy.start_string("batch 17"));
}

/* Take the best of five: other work of the machine can only add time. */
static void measure(const char *what, void (*body)(void))
{
	double best = 0;

	for (int turn = 0; turn < 5; turn++) {
		double start = now_ns();
		double each;

		for (unsigned i = 0; i < n_rounds; i++)
			body();
		each = (now_ns() - start) / n_rounds;
		NEED(cuCtxSynchronize());
		if (turn == 0 || each < best)
			best = each;
	}
	printf("%-36s %8.1f ns\n", what, best);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		n_rounds = (unsigned)strtoul(argv[1], NULL, 10);
	host_open();
	measure("launch", launch);
	measure("push and pop", push_and_pop);
	measure("start and end", start_and_end);
	measure("push, launch, pop", launch_in_range);
	for (int i = 0; i < 8; i++)
		(void)first_copy.push_string("an outer range");
	measure("push, launch, pop in 8 ranges", launch_in_range);
	measure("launch in 8 ranges", launch);
	return 0;
}
