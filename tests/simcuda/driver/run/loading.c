/*
 * loading.c - let one thread at a time load code.
 */
#include "run/loading.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "run/queue.h"
#include "settings.h"
#include "sim.h"

static atomic_uint n_coming;           /* threads that are about to load */
static bool is_loading;                /* guarded by sim_lock */
static _Thread_local bool is_its_call; /* this thread is loading */

void loading_await(void)
{
	while ((is_loading || atomic_load(&n_coming)) && !is_its_call)
		sim_await_progress();
}

void loading_come(void)
{
	if (settings.loads_alone)
		atomic_fetch_add(&n_coming, 1);
}

static void arrive(void)
{
	atomic_fetch_sub(&n_coming, 1);
	sim_tell_progress();
}

void loading_begin(CUcontext context)
{
	if (!settings.loads_alone)
		return;
	while (context && is_loading)
		sim_await_progress();
	is_loading |= context != NULL;
	is_its_call = context != NULL;
	arrive();
	if (context)
		(void)queue_wait_context(context);
}

void loading_end(void)
{
	if (!is_its_call)
		return;
	is_loading = is_its_call = false;
	sim_tell_progress();
}
