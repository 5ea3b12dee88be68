/*
 * any_rows.c - rows for readers. Each kind of row is as random as it may be in a real bundle, and a
 * little more.
 */
#include "reading/any_rows.h"

#include <stdlib.h>
#include <string.h>

#include "reading/any_host.h"
#include "support/graph_builder.h"

static uint32_t add_string(struct any_bundle *any, const char *string)
{
	return builder_string(&any->builder, string);
}

/* Let the function have one structure, or very many parameters. */
static void join_parameters(struct any_bundle *any, uint32_t id)
{
	uint32_t n = any_chance(any, 80) ? 1 : 30;
	uint32_t first = 0;
	struct parameter_row *rows = builder_rows(&any->builder, JOURNAL_PARAMETERS, n, &first);
	for (uint32_t i = 0; i < n; i++)
		rows[i] = (struct parameter_row){.offset = 4 * i, .size = n == 1 ? 24 : 4};
	builder_function_row(&any->builder, id)->first_parameter = first;
	builder_function_row(&any->builder, id)->n_parameters = n;
}

static void name_functions(struct any_bundle *any)
{
	static const char *const names[] = {
		"_ZN4math7scatterIfEEvPT_S2_",
		"_Z8bad_loadPKfPfi",
		"triton_poi_fused_add_0",
		"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
		"_Z40ncclDevKernel_AllGather_RING_LL24ncclDevKernelArgsStorageILm4096EE",
		"_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEEEEviT0_T1_",
		"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e_\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e_kernel",
		"a name \xff\x1b"};
	for (uint32_t id = 1; id <= ANY_FUNCTIONS; id++)
		if (any_chance(any, 60))
			builder_function_row(&any->builder, id)->name =
				add_string(any, ANY_OF(any, names));
	if (any_chance(any, 30))
		join_parameters(any, 1 + any_pick(any, ANY_FUNCTIONS));
}

static void change_streams(struct any_bundle *any)
{
	for (uint32_t i = 0; i < any->n_streams; i++) {
		struct stream_row *row = builder_stream_row(&any->builder, any->streams[i].id);
		row->priority = any_chance(any, 30) ? -(int32_t)any_pick(any, 6) : 0;
		row->destroyed_ns = any_chance(any, 10) ? any->builder.time_ns : 0;
		if (any_chance(any, 15)) {
			row->kind = STREAM_PER_THREAD;
			row->tid = ANY_TID;
		}
	}
	for (uint32_t id = 1; id <= any->n_contexts; id++) {
		static const char *const names[] = {"NVIDIA H100 80GB HBM3", "GPU", "\x1b[31m"};
		uint32_t name = add_string(any, ANY_OF(any, names));
		struct context_row *row = builder_context_row(&any->builder, id);
		row->device_name = name;
		row->device = any_chance(any, 80) ? id - 1 : any_pick(any, 3);
		row->destroyed_ns = any_chance(any, 8) ? any->builder.time_ns : 0;
		row->flags |= any_chance(any, 10) ? any_pick(any, 8) : 0;
	}
}

static void fill_range(struct any_bundle *any, uint32_t id)
{
	static const char *const calls[] = {"cuMemAlloc_v2", "cuMemAllocManaged", "cuMemMap",
					    "cuMemFreeHost", "cuMemFreeAsync"};
	uint32_t call = add_string(any, ANY_OF(any, calls));
	uint32_t freed_call = add_string(any, ANY_OF(any, calls));
	struct range_row *row = builder_range_row(&any->builder, id);
	row->call = call;
	row->size = any_chance(any, 15) ? 0x200000 : row->size;
	row->stack = any_stack(any);
	row->freed_stack = row->state == RANGE_FREED ? any_stack(any) : 0;
	row->tid = ANY_TID + any_pick(any, 3);
	row->flags |= any_chance(any, 50) ? (uint16_t)any_pick(any, 1024) : 0;
	row->device = (uint8_t)any_pick(any, 3);
	row->stream = any_chance(any, 20) ? 1 + any_pick(any, any->n_streams) : 0;
	if (id <= ANY_AREAS && !any_chance(any, 10))
		return;
	row->kind = (uint8_t)any_pick(any, N_RANGE_KINDS);
	row->context = any_pick(any, any->n_contexts + 1);
	row->parent = any_chance(any, 20) ? 1 + any_pick(any, id) : 0;
	row->time_ns = 1000 * (uint64_t)any_pick(any, 200);
	if (!any_chance(any, 30))
		return;
	row->state = RANGE_FREED;
	row->freed_call = freed_call;
	row->freed_stack = any_stack(any);
	row->freed_ns = row->time_ns + 1000 * (uint64_t)any_pick(any, 100);
	row->freed_after = any_pick(any, 8);
	row->freed_tid = ANY_TID + any_pick(any, 2);
}

static void add_ranges(struct any_bundle *any)
{
	static const uint64_t sizes[] = {0x200, 1000, 0x3000, 1 << 20, 5000000, (uint64_t)3 << 30};
	uint32_t n = any_chance(any, 96) ? any_pick(any, 30) : 4200;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t start = ANY_MEMORY + ANY_AREAS * ANY_AREA + i * 0x4000 * any_pick(any, 4);
		(void)builder_range(&any->builder, start, ANY_OF(any, sizes), 0);
	}
	for (uint32_t id = 1; id <= ANY_AREAS + n; id++)
		fill_range(any, id);
	uint32_t id = 0;
	static const char *const names[] = {"[heap]", "[stack]", "/usr/lib/libc.so.6", ""};
	for (uint64_t i = 0; i < 3; i++) {
		uint32_t name = add_string(any, ANY_OF(any, names));
		struct host_mapping_row *row =
			builder_rows(&any->builder, JOURNAL_HOST_MAPPINGS, 1, &id);
		*row = (struct host_mapping_row){.start = ANY_HOST + 0x1000 + i * 0x2000,
						 .end = ANY_HOST + 0x2800 + i * 0x2000,
						 .name = name};
	}
}

static void add_rejections(struct any_bundle *any)
{
	static const char *const whats[] = {REJECTED_LAUNCH, REJECTED_IMAGE, REJECTED_HOST_MEMORY,
					    REJECTED_MEMORY};
	static const char *const rules[] = {"launch.grid_is_zero", "image.not_for_device",
					    "launch.block_threads_exceed_device", ""};
	static const char *const whys[] = {
		"the grid's x is 0: it must be 1 at least",
		"the device has 80 GiB\ndevice 0:       80.0 GiB in all, 20.4 GiB free then\nheld "
		"by         2.0 GiB in 1 allocation from "
		"train+0x2b  <- libtorch_cuda.so+0x31, libtorch_cuda.so+0x5a  and train+0x\n"
		"                4.0 KiB in 1 allocation from "
		"libtorch_cuda.so+0x13\n"
		"                1 GiB by train+, +0x, absent.so+0xzz"};
	static const int results[] = {1, 2, 209, 218};
	uint32_t n = any_chance(any, any->has_failure ? 30 : 60) ? 1 + any_pick(any, 3) : 0;
	for (uint32_t i = 0; i < n; i++) {
		struct rejection_row row = {.time_ns = 1000 * (uint64_t)any_pick(any, 200)};
		row.count = 1 + any_pick(any, 3);
		row.stack = any_stack(any);
		row.result = ANY_OF(any, results);
		row.call = ANY_OF(any, any->calls);
		uint32_t what = any_pick(any, 4);
		row.what = add_string(any, whats[what]);
		row.subject = add_string(any, "_Z8bad_loadPKfPfi");
		row.why = add_string(any, any_chance(any, 80) ? whys[what == 3] : "");
		row.rule = any_chance(any, 70) ? add_string(any, ANY_OF(any, rules)) : 0;
		row.mark = any_chance(any, 50) ? any_pick(any, 12)
					       : (uint32_t)any->builder.sequence + 1;
		uint32_t id = 0;
		memcpy(builder_rows(&any->builder, JOURNAL_REJECTIONS, 1, &id), &row, sizeof(row));
	}
}

static void drop_table(struct any_bundle *any, enum journal_file kind)
{
	struct builder_file *file = &any->builder.tables[kind];
	free(file->bytes);
	*file = (struct builder_file){0};
}

static uint32_t count_faults(const struct any_bundle *any)
{
	const struct builder_file *file = &any->builder.tables[JOURNAL_FAULTS];
	size_t size = file->bytes ? file->size - sizeof(struct file_header) : 0;
	return (uint32_t)(size / sizeof(struct fault_row));
}

/* True if times of faults are known, which few bundles have: most of these stay as they are. */
static bool has_times(struct any_bundle *any)
{
	for (uint32_t id = 1; id <= count_faults(any); id++)
		if (builder_fault_row(&any->builder, id)->kind == FAULT_TIMED)
			return true;
	return false;
}

static void change_faults(struct any_bundle *any)
{
	if (any_chance(any, 15)) { /* the driver said nothing of the fault */
		drop_table(any, JOURNAL_FAULTS);
		return;
	}
	static const uint32_t spaces[] = {0x10200e,  0x120000e, 0x220000e,
					  0x320000e, 0xc20000e, 0xc20000b};
	for (uint32_t id = 1; id <= count_faults(any); id++) {
		struct fault_row *row = builder_fault_row(&any->builder, id);
		row->access = (uint8_t)any_pick(any, 5);
		row->type = (uint8_t)any_pick(any, 8);
		row->reason = (uint8_t)any_pick(any, 5);
		if (any_chance(any, 20))
			row->device = any_chance(any, 50) ? 1 : FAULT_DEVICE_UNKNOWN;
		row->sm = any_pick(any, 132);
		row->global_esr = any_chance(any, 30) ? 0x20 : 0;
		row->page_shift = any_chance(any, 20) ? 21 : 0;
		row->n_lost += any_chance(any, 5) ? any_pick(any, 70) : 0;
		row->source = any_chance(any, 50) ? 0x5c000003 : 0;
		if (row->kind == FAULT_EXCEPTION && any_chance(any, 40))
			row->warp_esr = 0x5020000 | any_pick(any, 0x30);
		else if (row->kind == FAULT_EXCEPTION && any_chance(any, 40))
			row->warp_esr = ANY_OF(any, spaces);
	}
}

static void change_graphs(struct any_bundle *any)
{
	const struct builder_file *file = &any->builder.tables[JOURNAL_GRAPH_NODES];
	struct graph_node_row *nodes = (void *)(file->bytes + sizeof(struct file_header));
	size_t n = (file->size - sizeof(struct file_header)) / sizeof(*nodes);
	for (uint32_t id = 1; id <= any->n_graphs; id++)
		builder_graph_row(&any->builder, id)->stack = any_stack(any);
	for (size_t i = 0; i < n; i++) {
		nodes[i].stack = any_stack(any);
		nodes[i].source = (uint8_t)any_pick(any, 3);
		nodes[i].shared_bytes = any_chance(any, 20) ? 1024 : 0;
		nodes[i].block[0] = any_chance(any, 50) ? 256 : nodes[i].block[0];
		nodes[i].flags |= any_chance(any, 10) ? GRAPH_NODE_COPIED : 0;
	}
}

static void add_waits(struct any_bundle *any)
{
	uint32_t id = 0;
	uint32_t n = any_pick(any, 3);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t call = add_string(any, "cuStreamSynchronize");
		struct wait_row *row = builder_rows(&any->builder, JOURNAL_WAITS, 1, &id);
		row->tid = ANY_TID + i;
		row->call = call;
		row->stack = any_stack(any);
		row->stream = any_pick(any, any->n_streams + 1);
		row->ordinal = any_pick(any, 6);
		row->since_ns = 1000 * (uint64_t)any_pick(any, 60);
	}
}

/* The last snapshot: the newest values of channels, kernels and markers. */
static void add_snapshot(struct any_bundle *any)
{
	uint32_t id = 0;
	uint32_t n = 1 + any_pick(any, 6);
	struct reading_row *rows = builder_rows(&any->builder, JOURNAL_SNAPSHOTS, n + 1, &id);
	struct snapshot_row *head = (struct snapshot_row *)(void *)rows;
	*head = (struct snapshot_row){.asked = 1,
				      .served = 1,
				      .n_started = 1,
				      .n_finished = any_chance(any, 95),
				      .n_readings = n,
				      .tid = 77,
				      .time_ns = any->builder.time_ns + 1000};
	for (uint32_t i = 1; i <= n; i++) {
		rows[i].kind = any_pick(any, 5);
		rows[i].id = 1 + any_pick(any, 3);
		rows[i].value = any_pick(any, 12);
		rows[i].gpu_ns = any->builder.time_ns;
	}
}

static void change_failure(struct any_bundle *any)
{
	static const uint32_t flags[] = {FAILURE_LAUNCH_BLOCKING, FAILURE_FOLLOWED,
					 FAILURE_UNSEEN_NEWEST,   FAILURE_UNSEEN_STREAM,
					 FAILURE_COREDUMPS,       FAILURE_BYPASSED};
	static const int32_t codes[] = {702, 999, 709, 214, 1, 46, 713, 720, 12345};
	struct failure_row *row = builder_failure_row(&any->builder);
	row->code = any_chance(any, 80) ? row->code : ANY_OF(any, codes);
	row->time_ns += any_chance(any, 30) ? 1000000 * (uint64_t)any_pick(any, 9000) : 0;
	row->stack = any_stack(any);
	row->stream = any_pick(any, any->n_streams + 1);
	row->n_cleanups = any_chance(any, 30) ? any_pick(any, 40) : 0;
	row->n_sticky = 1 + any_pick(any, 3);
	row->flags |= any_chance(any, 15) ? ANY_OF(any, flags) : 0;
}

/* Change a word of any table. */
static void damage_row(struct any_bundle *any)
{
	struct builder_file *file = &any->builder.tables[any_pick(any, N_JOURNAL_FILES)];
	if (!file->bytes)
		return;
	uint32_t *words = (uint32_t *)(void *)(file->bytes + sizeof(struct file_header));
	size_t n = (file->size - sizeof(struct file_header)) / sizeof(*words);
	const uint32_t values[] = {0, 1, 3, UINT32_MAX, 40, 0x20202020};
	uint32_t at = any_pick(any, (uint32_t)n);
	words[at] = any_chance(any, 40) ? words[at] + 1 : ANY_OF(any, values);
}

static void lose_rows(struct any_bundle *any)
{
	struct builder_file *file = &any->builder.tables[any_pick(any, N_JOURNAL_FILES)];
	if (file->bytes)
		((struct file_header *)(void *)file->bytes)->lost = 1 + any_pick(any, 3);
}

static void add_stack_check(struct any_bundle *any)
{
	uint32_t id = 0;
	struct stack_check_row *row = builder_rows(&any->builder, JOURNAL_STACK_CHECKS, 1, &id);
	*row = (struct stack_check_row){.n_checks = 10, .n_unlike_full = any_pick(any, 3)};
	row->n_unlike_other = any_pick(any, 3);
	row->first_stack = any_stack(any);
}

void any_rows_add(struct any_bundle *any)
{
	static const char *const names[] = {"train", "pt_autograd_0", "\x1b[1m"};
	if (any->has_failure && any_chance(any, 28)) {
		drop_table(any, JOURNAL_FAILURE);
		any->has_failure = false;
	}
	for (uint32_t i = 0; i < 3; i++)
		if (any_chance(any, 80))
			(void)builder_thread(&any->builder, ANY_TID + i, names[i]);
	any_stacks_add(any);
	name_functions(any);
	any_records_add(any);
	change_streams(any);
	add_ranges(any);
	add_rejections(any);
	if (!has_times(any) || any_chance(any, 30))
		change_faults(any);
	change_graphs(any);
	add_waits(any);
	if (any_chance(any, 30))
		add_snapshot(any);
	if (any->has_failure)
		change_failure(any);
	if (any_chance(any, 15))
		add_stack_check(any);
	if (any_chance(any, 15))
		lose_rows(any);
	uint32_t n_damaged = any_chance(any, 20) ? 1 + any_pick(any, 20) : 0;
	for (uint32_t i = 0; i < n_damaged; i++)
		damage_row(any);
}
