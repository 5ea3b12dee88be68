/*
 * test_order.c - a property test of order: random launches, events and waits on streams of every
 * kind. Each launch draws a ticket. With any seed, a launch must have a higher ticket than every
 * launch that it had to wait for.
 */
#include <string.h>

#include "test.h"

enum {
	LEGACY,
	FIRST_BLOCKING,
	FIRST_FREE = 4, /* non-blocking ones */
	N_STREAMS = 7,
	N_EVENTS = 5,
	N_LAUNCHES = 600,
};

/* For each stream, the number of its launches that are known to be earlier. */
struct history {
	int n_done[N_STREAMS];
};

static CUstream streams[N_STREAMS];
static CUevent events[N_EVENTS];
static struct history stream_history[N_STREAMS], event_history[N_EVENTS];
static struct history launch_history[N_LAUNCHES];
static int launch_of[N_STREAMS][N_LAUNCHES + 1]; /* by stream and ordinal on it, from 1 */
static int n_launches;
static unsigned random_state;

static int random_below(int bound)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (int)((random_state >> 8) % (unsigned)bound);
}

static void learn(struct history *history, const struct history *other)
{
	for (int i = 0; i < N_STREAMS; i++)
		if (other->n_done[i] > history->n_done[i])
			history->n_done[i] = other->n_done[i];
}

static int is_blocking(int stream)
{
	return stream < FIRST_FREE;
}

/* Work on the legacy stream follows all blocking streams, and their later work follows it. */
static void learn_implicit_order(int stream)
{
	if (stream == LEGACY)
		for (int other = FIRST_BLOCKING; other < FIRST_FREE; other++)
			learn(&stream_history[LEGACY], &stream_history[other]);
	else if (is_blocking(stream))
		learn(&stream_history[stream], &stream_history[LEGACY]);
}

static void launch(int stream, int *counter, int *tickets)
{
	int *ticket = &tickets[n_launches];
	void *params[] = {&counter, &ticket};
	learn_implicit_order(stream);
	launch_history[n_launches] = stream_history[stream];
	OK(test_launch("draw", streams[stream], params));
	launch_of[stream][++stream_history[stream].n_done[stream]] = n_launches;
	n_launches++;
}

static void record(int stream, int event)
{
	learn_implicit_order(stream);
	event_history[event] = stream_history[stream];
	OK(cuEventRecord(events[event], streams[stream]));
}

static void wait(int stream, int event)
{
	learn_implicit_order(stream);
	learn(&stream_history[stream], &event_history[event]);
	OK(cuStreamWaitEvent(streams[stream], events[event], 0));
}

static void check(int number, const int *tickets)
{
	const struct history *history = &launch_history[number];
	for (int stream = 0; stream < N_STREAMS; stream++) {
		int ordinal = history->n_done[stream];
		/* A stream's launches are ordered, so checking the newest one is sufficient. */
		if (ordinal > 0)
			CHECK(tickets[number] > tickets[launch_of[stream][ordinal]]);
	}
}

static void create(void)
{
	for (int i = FIRST_BLOCKING; i < N_STREAMS; i++)
		OK(cuStreamCreate(&streams[i],
				  is_blocking(i) ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING));
	for (int i = 0; i < N_EVENTS; i++)
		OK(cuEventCreate(&events[i], CU_EVENT_DISABLE_TIMING));
}

static void any_order_that_is_allowed(void)
{
	test_start();
	create();
	random_state = (unsigned)atoi(getenv("SIMCUDA_SEED"));
	int *counter = test_pinned(1);
	int *tickets = test_pinned(N_LAUNCHES);
	while (n_launches < N_LAUNCHES) {
		int stream = random_below(N_STREAMS);
		int choice = random_below(10);
		if (choice < 6)
			launch(stream, counter, tickets);
		else if (choice < 8)
			record(stream, random_below(N_EVENTS));
		else
			wait(stream, random_below(N_EVENTS));
	}
	OK(cuCtxSynchronize());
	for (int i = 0; i < N_LAUNCHES; i++)
		check(i, tickets);
	CHECK_EQUAL(*counter, N_LAUNCHES);
}

static const struct test_case cases[] = {
	{"seed_1", any_order_that_is_allowed, {"SIMCUDA_SEED=1", "SIMCUDA_DELAY_US=20"}},
	{"seed_2", any_order_that_is_allowed, {"SIMCUDA_SEED=2", "SIMCUDA_DELAY_US=50"}},
	{"seed_3", any_order_that_is_allowed, {"SIMCUDA_SEED=3"}},
	{"one_queue", any_order_that_is_allowed, {"SIMCUDA_SEED=4", "SIMCUDA_QUEUES=1"}},
	{"many_queues", any_order_that_is_allowed, {"SIMCUDA_SEED=5", "SIMCUDA_QUEUES=32"}},
};

TEST_MAIN(cases)
