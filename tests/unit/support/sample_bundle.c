/*
 * sample_bundle.c - see sample_bundle.h.
 */
#include "support/sample_bundle.h"

#include "support/python_builder.h"

static uint32_t add_stack(struct bundle_builder *builder)
{
	uint32_t libc = builder_module(builder, "/lib/x86_64-linux-gnu/libc.so.6", 0x1000, 0x2000);
	uint32_t program = builder_module(builder, "/home/user/train", 0x400000, 0x500000);
	uint32_t shim = builder_module(builder, "/usr/lib/libculprit.so", 0x3000, 0x4000);
	uint32_t start = builder_stack(builder, 0, libc, 0x11);
	uint32_t main_frame = builder_stack(builder, start, program, 0x22);
	uint32_t step = builder_stack(builder, main_frame, program, 0x33);

	return builder_stack(builder, step, shim, 0x44);
}

static void add_launches(struct verdict_case *c, uint32_t stream, uint32_t stack,
			 enum record_flags marker)
{
	const uint32_t sizes[] = {8, 8, 8, 4, 24, 8};
	const struct {
		uint64_t pointers[3];
		uint32_t n;
		uint32_t padding;
		uint64_t shape[3];
		uint64_t plain;
	} arguments = {{0x700000000040, 0x700000010010, 0x700000020010}, 4096, 0, {1, 2, 3}, 7};
	uint32_t function = builder_function(&c->builder, "_ZN4math7scatterIfEEvPT_S2_", 6, sizes);

	for (int i = 0; i < 10; i++) {
		struct journal_record *record = builder_launch(
			&c->builder, CASE_TID, stream, function, &arguments, sizeof(arguments));

		record->stack = stack;
		record->flags = (uint16_t)marker;
		record->launch.grid[0] = 16;
		record->launch.block[0] = 128;
		record->launch.shared_bytes = 1024;
	}
}

static void add_ranges(struct verdict_case *c, uint32_t stack)
{
	struct bundle_builder *builder = &c->builder;
	uint32_t free_call = builder_string(builder, "cuMemFree_v2");
	uint32_t freed = 0;

	builder_range(builder, 0x700000000000, 16 << 10, stack);
	freed = builder_range(builder, 0x700000010000, 1000, stack);
	builder_range_row(builder, freed)->state = RANGE_FREED;
	builder_range_row(builder, freed)->freed_call = free_call;
	builder_range_row(builder, freed)->freed_stack = stack;
	builder_range_row(builder, freed)->freed_after = 3;
	builder_range(builder, 0x700000020000, 16, stack);
}

/* Add the refusal of one launch, counted twice. */
static void add_rejection(struct bundle_builder *builder, uint32_t stack)
{
	uint32_t id = 0;
	struct rejection_row *row = builder_rows(builder, JOURNAL_REJECTIONS, 1, &id);

	*row = (struct rejection_row){
		.count = 2,
		.stack = stack,
		.result = 1,
		.call = builder_string(builder, "cuLaunchKernel"),
		.what = builder_string(builder, "launch"),
		.subject = builder_string(builder, "scatter"),
		.why = builder_string(builder, "the grid's x is 0: it must be 1 at least"),
		.rule = builder_string(builder, "launch.grid_is_zero"),
	};
}

/* A store past an allocation, and a misaligned load. The driver read SM states but no MMU list. */
static void add_faults(struct bundle_builder *builder)
{
	uint32_t id = 0;
	struct fault_row *rows = builder_rows(builder, JOURNAL_FAULTS, 4, &id);

	rows[0] = (struct fault_row){
		.kind = FAULT_EVENTS_READ, .device = FAULT_DEVICE_UNKNOWN, .count = 2, .n_lost = 1};
	rows[1] = (struct fault_row){.kind = FAULT_EVENT,
				     .access = FAULT_WRITE,
				     .flags = FAULT_ADDRESS_PAGE,
				     .type = 2,
				     .reason = 1,
				     .address = 0x700000030000,
				     .raw_ns = 77};
	rows[2] = (struct fault_row){.kind = FAULT_STATES_READ, .count = 1, .source = 0x5c000003};
	rows[3] = (struct fault_row){.kind = FAULT_EXCEPTION,
				     .flags = FAULT_ADDRESS_BYTE | FAULT_HAS_PC,
				     .address = 0x700000000041,
				     .pc = 0x7fff00000030,
				     .warp_esr = 0x502000f,
				     .global_esr = 0x20};
}

struct verdict_case *sample_bundle(enum record_flags marker)
{
	struct verdict_case *c = case_begin();
	struct bundle_builder *builder = &c->builder;
	uint32_t legacy = builder_stream(builder, c->context, STREAM_LEGACY, 0, 0);
	uint32_t copies = case_stream(c);
	uint32_t waiting = case_stream(c);
	uint32_t stack = add_stack(builder);
	uint32_t call = builder_string(builder, "cuMemcpyHtoDAsync_v2");
	struct journal_record *copy = NULL;
	struct failure_row *failure = NULL;

	add_ranges(c, stack);
	add_launches(c, legacy, stack, marker);
	copy = builder_submit(builder, CASE_TID, copies, WORK_COPY);
	copy->call = call;
	copy->memory = (struct record_memory){0x700000000000, 0x1234000, 4096};
	builder_sync(builder, copies, 1, "cuStreamSynchronize");
	builder_wait(builder, CASE_TID, waiting, legacy, 10);
	builder_submit(builder, CASE_TID, waiting, WORK_GRAPH)->graph =
		(struct record_graph){.handle = 0x9999, .replay = 3};
	builder_mark(builder, legacy, 6);
	builder_time(builder, 134);
	failure = builder_fail(builder, 700, CASE_TID, "cuCtxSynchronize");
	failure->stack = stack;
	failure->n_cleanups = 31;
	add_rejection(builder, stack);
	add_faults(builder);
	return c;
}

static uint32_t add_frame(struct bundle_builder *builder, uint32_t parent, const char *file,
			  const char *function, uint32_t first_line)
{
	/* Line first_line + 4 from byte 10 on. */
	static const uint8_t lines[] = {10, 4};
	uint32_t code =
		builder_python_code(builder, file, function, first_line, lines, sizeof(lines));

	return builder_python_frame(builder, parent, code, 12);
}

static uint32_t add_python_stack(struct bundle_builder *builder, uint32_t native,
				 const char *generated)
{
	static const char train[] = "/home/user/project/train.py";
	static const char torch[] = "/opt/venv/lib/python3.12/site-packages/torch/nn/module.py";
	uint32_t frame = add_frame(builder, 0, "<frozen runpy>", "_run_code", 1);

	frame = add_frame(builder, frame, train, "<module>", 18);
	frame = add_frame(builder, frame, train, "Net.train_step", 14);
	for (uint32_t i = 0; i < 12; i++)
		frame = add_frame(builder, frame, torch, "Module._call_impl", 1771 + i);
	frame = add_frame(builder, frame, train, "Net.buggy", 10);
	frame = add_frame(builder, frame, torch, "Module._call_impl", 1771);
	frame = add_frame(builder, frame, generated, "call", 0);
	return builder_python_stack(builder, native, frame);
}

struct verdict_case *sample_python_bundle(enum record_flags marker, const char *generated)
{
	struct verdict_case *c = sample_bundle(marker);
	uint32_t native = builder_failure_row(&c->builder)->stack;
	uint32_t stack = add_python_stack(&c->builder, native, generated);

	for (uint64_t sequence = 1; sequence <= 10; sequence++)
		case_find(c, sequence)->stack = stack;
	for (uint32_t range = 1; range <= 3; range++)
		builder_range_row(&c->builder, range)->stack = stack;
	builder_range_row(&c->builder, 2)->freed_stack = stack;
	builder_failure_row(&c->builder)->stack = stack;
	return c;
}
