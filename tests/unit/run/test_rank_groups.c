/*
 * test_rank_groups.c - the collectives and waiting threads that are read from a process, as whole
 * tables, and the comparison with a later snapshot of it.
 */
#include "run/status_case.h"
#include "status/ranks.h"
#include "support/check.h"

static const char meta[] = "{\"pid\": 7, \"ranks\": {\"RANK\": \"3\", \"WORLD_SIZE\": \"4\"}}";
static char printed[8192];

/* Print a process: each group's members and the collectives in its window. */
static const char *print_process(const struct rank_process *process)
{
	struct text text = text_in(printed, sizeof(printed));
	text_addf(&text, "%s %" PRId64 " %ld%s; %s\n", process->name, process->rank, process->pid,
		  process->has_failed ? " failed" : "", process->thread_text);
	for (uint32_t g = 0; g < process->n_groups; g++) {
		const struct rank_group *group = &process->groups[g];
		text_addf(&text, "stream %u: newest %" PRIu64 ", front %" PRIu64 "%s\n",
			  group->stream, group->newest, group->front, group->front_text);
		for (uint64_t i = 1; i <= RANKS_WINDOW; i++) {
			const struct rank_collective *place = &group->window[i % RANKS_WINDOW];
			if (place->number)
				text_addf(&text, " %" PRIu64 " %s", place->number, place->kind);
		}
		text_add(&text, "\n");
	}
	return printed;
}

/* The kernels of a process that its rows name. */
struct kernels {
	uint32_t reduce, broadcast, generic, other;
};

static struct kernels add_kernels(struct status_case *c)
{
	struct bundle_builder *builder = &c->builder;
	return (struct kernels){
		.reduce = builder_function(builder, "ncclDevKernel_AllReduce_Sum_f32", 0, NULL),
		.broadcast = builder_function(builder, "_Z20ncclKernel_BroadcastP4args", 0, NULL),
		.generic = builder_function(builder, "ncclDevKernel_Generic", 0, NULL),
		.other = builder_function(builder, "scatter", 0, NULL),
	};
}

static struct journal_record *launch(struct status_case *c, uint32_t stream, uint32_t function)
{
	return builder_launch(&c->builder, STATUS_TID, stream, function, NULL, 0);
}

static void open_range(struct status_case *c, const char *range)
{
	struct journal_record *record = builder_record(&c->builder, STATUS_TID, RECORD_NVTX);
	record->nvtx.scope = NVTX_OF_THREAD;
	record->nvtx.n_open[NVTX_OF_THREAD] = 1;
	record->nvtx.text_size = (uint8_t)strlen(range);
	memcpy(record->nvtx.text, range, strlen(range));
}

static void check(struct status_case *c, const char *wanted)
{
	struct ranks ranks = {NULL, 0};
	CHECK_EQUAL(ranks_add(&ranks, &c->status, false), 0);
	CHECK(ranks.rows[0].text && !ranks.rows[0].object);
	CHECK_STRING(print_process(&ranks.rows[0]), wanted);
	ranks_free(&ranks);
	CHECK(!ranks.rows && !ranks.n);
}

/* Only launches that the driver accepted or may accept count, from the stream's creation on. */
static void test_groups(void)
{
	struct status_case *c = status_case_begin(meta);
	struct kernels kernels = add_kernels(c);
	launch(c, c->other, kernels.reduce);
	launch(c, c->other, kernels.other);
	builder_reject(&c->builder, launch(c, c->other, kernels.broadcast), 700);
	launch(c, c->other, kernels.generic);
	open_range(c, "ncclReduceScatter (x)");
	launch(c, c->other, kernels.generic)->flags |= RECORD_IN_RANGES;
	builder_submit(&c->builder, STATUS_TID, c->other, WORK_COPY);
	builder_pend(&c->builder, launch(c, c->stream, kernels.broadcast));
	status_case_view(c);
	struct stall *stall = status_case_stall(c, c->other, STALL_RUNS, 2000);
	stall->front.launch.function = kernels.reduce;
	stall->front.ordinal = 3;
	status_case_wait(c, 9000)->stack = c->stack;
	check(c, "rank 3 3 7; is in cuStreamSynchronize for 9.0 s, from train+0x11\n"
		 "stream 1: newest 1, front 0\n 1 Broadcast\n"
		 "stream 2: newest 4, front 3 for 2.0 s, from train+0x11\n"
		 " 1 AllReduce_Sum_f32 3 Generic 4 ReduceScatter\n");
	status_case_end(c);
}

/* The stream had work before it was recorded, and the process has failed and exited. */
static void test_late_stream(void)
{
	struct status_case *c = status_case_begin("{\"pid\": 7}");
	struct kernels kernels = add_kernels(c);
	builder_stream_row(&c->builder, c->other)->before = 2;
	for (int i = 0; i < 3; i++)
		launch(c, c->other, kernels.reduce);
	builder_fail(&c->builder, 700, STATUS_TID, "cuCtxSynchronize");
	status_case_view(c);
	c->status.is_alive = false;
	c->status.now_ns = 0;
	status_case_wait(c, 9000);
	check(c, "process 7 -1 7 failed; was in cuStreamSynchronize\n"
		 "stream 2: newest 1, front 0\n 1 AllReduce_Sum_f32\n");
	c->status.n_waits = 0;
	check(c, "process 7 -1 7 failed; was not in a driver call\n"
		 "stream 2: newest 1, front 0\n 1 AllReduce_Sum_f32\n");
	status_case_end(c);
}

/* Only the newest collectives are kept. */
static void test_window(void)
{
	struct status_case *c = status_case_begin(meta);
	struct ranks ranks = {NULL, 0};
	builder_end(&c->builder);
	builder_begin(&c->builder, 128);
	uint32_t context = builder_context(&c->builder, 0, "Test GPU");
	uint32_t stream = builder_stream(&c->builder, context, STREAM_EXPLICIT, 0, 0x5000);
	struct kernels kernels = add_kernels(c);
	for (int i = 0; i < RANKS_WINDOW + 3; i++)
		launch(c, stream, kernels.reduce);
	status_case_view(c);
	CHECK_EQUAL(ranks_add(&ranks, &c->status, true), 0);
	CHECK(!ranks.rows[0].text && ranks.rows[0].object);
	const struct rank_group *group = &ranks.rows[0].groups[0];
	CHECK_EQUAL(group->newest, RANKS_WINDOW + 3);
	for (uint64_t i = 4; i <= RANKS_WINDOW + 3; i++)
		CHECK_EQUAL(group->window[i % RANKS_WINDOW].number, i);
	ranks_free(&ranks);
	status_case_end(c);
}

/* Groups are in the order of their streams, and those without room are left out. */
static void test_many_streams(void)
{
	struct status_case *c = status_case_begin(meta);
	struct ranks ranks = {NULL, 0};
	struct kernels kernels = add_kernels(c);
	uint32_t streams[RANKS_MAX_GROUPS + 1];
	for (uint32_t i = 0; i <= RANKS_MAX_GROUPS; i++)
		streams[i] =
			builder_stream(&c->builder, c->context, STREAM_EXPLICIT, 0, 0x6000 + i);
	/* 16, 0, 15, 1, ..., 8: some are added at the end, and some between others. */
	for (uint32_t i = 0; i <= RANKS_MAX_GROUPS; i++)
		launch(c, streams[i % 2 ? i / 2 : RANKS_MAX_GROUPS - i / 2], kernels.reduce);
	status_case_view(c);
	CHECK_EQUAL(ranks_add(&ranks, &c->status, true), 0);
	CHECK_EQUAL(ranks.rows[0].n_groups, RANKS_MAX_GROUPS);
	for (uint32_t i = 0, at = 0; i < RANKS_MAX_GROUPS; i++, at++) {
		at += at == RANKS_MAX_GROUPS / 2;
		CHECK_EQUAL(ranks.rows[0].groups[i].stream, streams[at]);
		CHECK_EQUAL(ranks.rows[0].groups[i].newest, 1);
	}
	CHECK(ranks_have_groups(&ranks));
	ranks_free(&ranks);
	CHECK(!ranks_have_groups(&ranks));
	status_case_end(c);
}

/* Add the process twice, confirm it by what `change` makes of it, and print both groups' streams.
 */
static const char *confirm(void (*change)(struct status_case *c, struct kernels kernels))
{
	struct status_case *c = status_case_begin(meta);
	struct ranks ranks = {NULL, 0};
	struct kernels kernels = add_kernels(c);
	launch(c, c->stream, kernels.reduce);
	launch(c, c->other, kernels.reduce);
	status_case_view(c);
	struct stall *stall = status_case_stall(c, c->other, STALL_RUNS, 2000);
	stall->front.launch.function = kernels.reduce;
	stall->front.ordinal = 1;
	CHECK_EQUAL(ranks_add(&ranks, &c->status, false), 0);
	change(c, kernels);
	builder_view(&c->builder, &c->bundle.view);
	bool is_found = ranks_confirm(&ranks, &c->status);
	const struct rank_group *groups = ranks.rows[0].groups;
	(void)snprintf(printed, sizeof(printed), "%s %u %u", is_found ? "found" : "not found",
		       groups[0].stream, groups[1].stream);
	ranks_free(&ranks);
	status_case_end(c);
	return printed;
}

static void change_nothing(struct status_case *c, struct kernels kernels)
{
	(void)c;
	(void)kernels;
}

static void launch_more(struct status_case *c, struct kernels kernels)
{
	launch(c, c->stream, kernels.other);
	launch(c, c->stream, kernels.broadcast);
}

static void finish(struct status_case *c, struct kernels kernels)
{
	(void)kernels;
	c->status.stalls.n = 0;
}

static void change_pid(struct status_case *c, struct kernels kernels)
{
	(void)kernels;
	c->status.pid++;
}

static void change_name(struct status_case *c, struct kernels kernels)
{
	(void)kernels;
	CHECK_EQUAL(json_object_del(c->bundle.meta, "ranks"), 0);
}

static void test_confirm(void)
{
	CHECK_STRING(confirm(change_nothing), "found 1 2");
	CHECK_STRING(confirm(launch_more), "found 0 2");
	CHECK_STRING(confirm(finish), "found 1 0");
	CHECK_STRING(confirm(change_pid), "not found 1 2");
	CHECK_STRING(confirm(change_name), "not found 1 2");
}

static void test_sort(void)
{
	struct rank_process rows[] = {{.rank = 2, .pid = 1},
				      {.rank = -1, .pid = 9},
				      {.rank = 0, .pid = 5},
				      {.rank = -1, .pid = 8},
				      {.rank = 0, .pid = 4}};
	struct ranks ranks = {rows, 5};
	static const long wanted[] = {4, 5, 1, 8, 9};
	ranks_sort(&ranks);
	for (int i = 0; i < 5; i++)
		CHECK_EQUAL(rows[i].pid, wanted[i]);
}

int main(void)
{
	test_groups();
	test_late_stream();
	test_window();
	test_many_streams();
	test_confirm();
	test_sort();
	return 0;
}
