/*
 * sample_mixed.c - see sample_bundle.h.
 */
#include <string.h>

#include "support/graph_builder.h"
#include "support/sample_bundle.h"

static void add_range(struct bundle_builder *builder, enum nvtx_scope scope, const char *text)
{
	struct record_nvtx *range = &builder_record(builder, CASE_TID, RECORD_NVTX)->nvtx;
	*range = (struct record_nvtx){
		.scope = (uint8_t)scope, .n_open = {1, 1}, .text_size = (uint8_t)strlen(text)};
	memcpy(range->text, text, range->text_size);
}

static void add_graph(struct verdict_case *c, uint32_t stack)
{
	static const uint8_t works[] = {WORK_KERNEL, WORK_COPY};
	uint32_t graph = builder_graph(&c->builder, 0x9000, works, 2);
	uint32_t size = sizeof(uint64_t);
	struct graph_node_row *kernel = builder_node_row(&c->builder, graph, 0);
	kernel->function = builder_function(&c->builder, "fill", 1, &size);
	kernel->source = GRAPH_NODE_CAPTURED;
	kernel->stack = stack;
	kernel->argument_bytes = (uint16_t)size;
	(void)builder_launch_graph(&c->builder, CASE_TID, case_stream(c), graph, 0);
}

static void add_stack_check(struct bundle_builder *builder, uint32_t stack)
{
	uint32_t id = 0;
	struct stack_check_row *check = builder_rows(builder, JOURNAL_STACK_CHECKS, 1, &id);
	*check = (struct stack_check_row){.n_checks = 10, .n_unlike_full = 1, .first_stack = stack};
}

struct verdict_case *sample_mixed_bundle(void)
{
	struct verdict_case *c = case_begin();
	struct bundle_builder *builder = &c->builder;
	uint32_t module = builder_module(builder, "/home/user/train", 0x400000, 0x500000);
	uint32_t stack = builder_stack(builder, 0, module, 0x22);
	add_range(builder, NVTX_OF_PROCESS, "load");
	add_range(builder, NVTX_OF_THREAD, "train");
	case_launch_flagged(c, case_stream(c), 1, RECORD_IN_RANGES);
	struct journal_record *copy = builder_submit(builder, CASE_TID, case_stream(c), WORK_COPY);
	copy->memory = (struct record_memory){0x700000000000, 0x1234000, 4096};
	copy->stack = stack;
	add_graph(c, stack);
	add_stack_check(builder, stack);
	struct failure_row *failure = builder_fail(builder, 719, CASE_TID, "cuStreamSynchronize");
	failure->stack = stack;
	failure->stream = copy->stream;
	return c;
}
