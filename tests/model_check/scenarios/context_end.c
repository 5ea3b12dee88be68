/*
 * context_end.c - a thread uses a context, or reads its progress counters, while another one
 * destroys it, and finds that it stays after all.
 *
 * Variants: "use"; "read"; "ready", where the counters are found meanwhile.
 */
#include <string.h>

#include "model.h"
#include "record/host/clock.h"
#include "record/progress/progress_channels.h"
#include "record/streams/contexts.h"

static struct context context;
static uint32_t object; /* of the driver's: used by one thread, changed by the other */

/* Time stands still, so no wait ends before its reason. Each loop asks for it. */
uint64_t clock_ns(void)
{
	model_spin();
	return 1;
}

static void use(void)
{
	if (!contexts_hold(&context))
		return;
	MODEL_CHECK(object < 2);
	contexts_let_go(&context);
}

static void end(void)
{
	contexts_ending(&context);
	object = 1;
	contexts_go_on(&context);
}

static void read_counters(void)
{
	if (!progress_channels_begin_reading(&context.progress))
		return;
	MODEL_CHECK(object < 2);
	progress_channels_end_reading(&context.progress);
}

static void end_channels(void)
{
	progress_channels_ending(&context.progress);
	object = 1;
	progress_channels_go_on(&context.progress);
}

/* As progress_channels_prepare() does. */
static void make_ready(void)
{
	object = 1;
	__atomic_store_n(&context.progress.state, PROGRESS_READY, __ATOMIC_RELEASE);
}

void scenario_setup(const char *variant)
{
	bool is_use = strcmp(variant, "use") == 0;
	if (strcmp(variant, "ready") == 0) {
		model_thread(read_counters);
		model_thread(make_ready);
		return;
	}
	context.progress.state = PROGRESS_READY;
	model_thread(is_use ? use : read_counters);
	model_thread(is_use ? end : end_channels);
}

void scenario_end(void)
{
	MODEL_CHECK(object == 1);
}
