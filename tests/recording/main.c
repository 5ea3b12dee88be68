/*
 * main.c - a random program of one thread that makes calls of every kind that culprit records:
 * recording SEED END [calm]. Each run prints the same, and culprit records the same.
 * END: "fail" for a kernel that stores far outside its memory, "leave" for work that is not waited
 * for. A calm program waits before each step, so that the values in its memory are the same, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

enum { N_STEPS = 60 };

static bool is_calm;

static const struct {
	void (*take)(void);
	unsigned weight;
} steps[] = {
	{use_stream, 8},           {use_event, 10},
	{wait_for_work, 4},        {use_module, 5},
	{use_library, 5},          {use_context, 2},
	{use_green_context, 1},    {use_primary_context, 1},
	{use_second_device, 1},    {ask, 3},
	{use_piece, 16},           {use_pool, 2},
	{use_virtual_memory, 3},   {use_array, 3},
	{use_shared_memory, 2},    {use_copy, 10},
	{use_memset, 6},           {misuse_memory, 3},
	{use_launch, 20},          {use_refused_launch, 2},
	{use_large_launch, 2},     {use_old_launch, 1},
	{use_memory_operation, 3}, {use_host_function, 2},
	{use_graph, 12},           {use_exec, 10},
	{use_capture, 6},
};

static void take_step(void)
{
	unsigned total = 0, number, i;

	if (is_calm)
		wait_for_all();
	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		total += steps[i].weight;
	number = draw(total);
	for (i = 0; number >= steps[i].weight; i++)
		number -= steps[i].weight;
	steps[i].take();
}

int main(int argc, char **argv)
{
	CUcontext context = NULL;
	int status = 0;

	if (argc < 3)
		return 2;
	is_calm = argc > 3;
	world_step = take_step;
	dice.state = strtoull(argv[1], NULL, 0);
	SAY(cuInit, 0);
	SAY(cuDevicePrimaryCtxRetain, &context, 0);
	SAY(cuCtxSetCurrent, context);
	world_run(N_STEPS);
	if (!strcmp(argv[2], "fail")) {
		const char *text = "";

		wait_for_all();
		host_load();
		status = host_fail();
		SAY(cuGetErrorString, CUDA_ERROR_ILLEGAL_ADDRESS, &text);
		puts(text);
		world_run(N_STEPS / 4);
	} else if (strcmp(argv[2], "leave") != 0) {
		wait_for_all();
	}
	return status;
}
