/*
 * grace_period.c - a thread destroys an object, after threads that are on their way to it.
 *
 * Variants: "arrive", where the other thread calls the driver; "launch" and "return", where it is
 * in the driver with a launch, and is waited for until it is there or back; "start", where it has
 * no word yet; "leave" and "rejoin", where the list of threads changes during the walk.
 */
#include "record/host/grace_period.h"

#include <string.h>

#include "model.h"
#include "record/host/clock.h"

static struct grace_reader readers[3];
static uint32_t words[3];
static uint32_t is_coming; /* atomic: the first thread, which must be waited for */
static uint32_t object;    /* used by threads, destroyed by another */

/* Time stands still, so no wait ends before its reason. Each loop asks for it. */
uint64_t clock_ns(void)
{
	model_spin();
	return 1;
}

static void use(void)
{
	MODEL_CHECK(object == 0);
}

static void announce(void)
{
	__atomic_store_n(&is_coming, 1, __ATOMIC_RELEASE);
}

static void await_coming(void)
{
	while (!__atomic_load_n(&is_coming, __ATOMIC_ACQUIRE))
		model_spin();
}

static void come_and_arrive(void)
{
	grace_come(&words[0]);
	announce();
	use();
	grace_arrive(&words[0]);
}

static void launch(void)
{
	grace_come(&words[0]);
	announce();
	use();
	grace_launch(&words[0]);
	grace_return(&words[0]);
}

static void launch_and_use(void)
{
	grace_come(&words[0]);
	announce();
	grace_launch(&words[0]);
	use();
	grace_return(&words[0]);
}

static void start(void)
{
	grace_start();
	announce();
	grace_join(&readers[0], &words[0]);
	grace_started(&words[0]);
	use();
	grace_arrive(&words[0]);
}

/* A destroying thread before this one may have to wait for it to have a word. */
static void start_unannounced(void)
{
	grace_start();
	grace_join(&readers[1], &words[1]);
	grace_started(NULL);
}

static void destroy_after_arrivals(void)
{
	await_coming();
	grace_wait_arrivals();
	object = 1;
}

static void destroy_after_returns(void)
{
	await_coming();
	grace_wait();
	object = 1;
}

static void join_and_leave(void)
{
	grace_join(&readers[1], &words[1]);
	grace_leave(&readers[1]);
}

static void join(void)
{
	grace_join(&readers[2], &words[2]);
}

static void rejoin(void)
{
	grace_leave(&readers[0]);
	grace_join(&readers[0], &words[0]);
}

static const struct {
	const char *name;
	void (*threads[3])(void);
	bool is_joined; /* the first thread, at the start */
} variants[] = {
	{"arrive", {come_and_arrive, destroy_after_arrivals}, true},
	{"launch", {launch, destroy_after_arrivals}, true},
	{"return", {launch_and_use, destroy_after_returns}, true},
	{"start", {start, destroy_after_arrivals}, false},
	{"two-starts", {start, start_unannounced, destroy_after_arrivals}, false},
	{"leave", {join, join_and_leave, grace_wait}, false},
	{"rejoin", {join, rejoin, grace_wait}, true},
};

void scenario_setup(const char *variant)
{
	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
		if (strcmp(variants[i].name, variant) != 0)
			continue;
		if (variants[i].is_joined)
			grace_join(&readers[0], &words[0]);
		for (size_t j = 0; j < 3; j++)
			if (variants[i].threads[j])
				model_thread(variants[i].threads[j]);
	}
}

void scenario_end(void)
{
	grace_wait();
}
