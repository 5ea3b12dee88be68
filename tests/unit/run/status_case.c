/*
 * status_case.c - a bundle with two streams, a kernel and a stack, and the analysis of it.
 */
#include "run/status_case.h"

#include "base/time_units.h"
#include "support/check.h"

static struct status_case only;
static char path[] = "./culprit-train-7";

struct status_case *status_case_begin(const char *meta)
{
	struct status_case *c = &only;
	struct bundle_builder *builder = &c->builder;
	memset(c, 0, sizeof(*c));
	builder_begin(builder, 64);
	builder_thread(builder, STATUS_TID, "main");
	c->context = builder_context(builder, 0, "Test GPU");
	c->stream = builder_stream(builder, c->context, STREAM_LEGACY, 0, 0);
	c->other =
		builder_stream(builder, c->context, STREAM_EXPLICIT, STREAM_NON_BLOCKING, 0x5000);
	c->function = builder_function(builder, "_Z4spinPi", 0, NULL);
	uint32_t module = builder_module(builder, "/nowhere/train", 0x1000, 0x2000);
	c->stack = builder_stack(builder, builder_stack(builder, 0, module, 0x22), module, 0x11);
	c->call = builder_string(builder, "cuStreamSynchronize");
	c->bundle.path = path;
	c->bundle.meta = json_loads(meta, 0, NULL);
	CHECK(c->bundle.meta);
	return c;
}

void status_case_view(struct status_case *c)
{
	struct process_status *status = &c->status;
	builder_view(&c->builder, &c->bundle.view);
	status->bundle = &c->bundle;
	status->pid = 7;
	status->is_alive = true;
	status->has_snapshot = true;
	status->now_ns = STATUS_NOW_MS * (uint64_t)NS_PER_MS;
	CHECK_EQUAL(process_status_name(status), 0);
	CHECK(status->has_names);
}

void status_case_end(struct status_case *c)
{
	analysis_close(&c->status.analysis);
	json_decref(c->bundle.meta);
	builder_end(&c->builder);
}

static uint64_t before_now(uint64_t age_ms)
{
	return (STATUS_NOW_MS - age_ms) * (uint64_t)NS_PER_MS;
}

struct stall *status_case_stall(struct status_case *c, uint32_t stream, enum stall_kind kind,
				uint64_t age_ms)
{
	struct stall *stall = &c->status.stalls.rows[c->status.stalls.n++];
	*stall = (struct stall){.stream = stream, .kind = kind, .is_proven = true};
	stall->front = (struct journal_record){.kind = RECORD_SUBMISSION,
					       .work = WORK_KERNEL,
					       .stream = stream,
					       .ordinal = 4,
					       .sequence = 8,
					       .stack = c->stack,
					       .time_ns = before_now(age_ms)};
	stall->front.launch.function = c->function;
	for (int i = 0; i < 3; i++) {
		stall->front.launch.grid[i] = (uint32_t)i + 2;
		stall->front.launch.block[i] = (uint32_t)i + 5;
	}
	return stall;
}

struct waiting_thread *status_case_wait(struct status_case *c, uint64_t age_ms)
{
	struct waiting_thread *wait = &c->status.waits[c->status.n_waits++];
	*wait = (struct waiting_thread){
		.tid = STATUS_TID, .call = c->call, .since_ns = before_now(age_ms)};
	return wait;
}
