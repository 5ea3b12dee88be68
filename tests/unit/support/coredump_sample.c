/*
 * coredump_sample.c - see coredump_sample.h. The numbers are those of the dump.
 */
#include "support/coredump_sample.h"

#include <stddef.h>

#include "support/check.h"

struct load_arguments {
	uint64_t from;
	uint64_t to;
	uint32_t n;
};
enum { LOAD_ARGUMENT_BYTES = offsetof(struct load_arguments, n) + sizeof(uint32_t) };

static void launch_load(struct verdict_case *c, uint32_t stream, uint32_t function, uint32_t n)
{
	const struct load_arguments arguments = {0x7fa934800000, 0x7fa934900000, n};
	struct journal_record *record = builder_launch(&c->builder, CASE_TID, stream, function,
						       &arguments, LOAD_ARGUMENT_BYTES);
	record->launch.grid[0] = 8;
	record->launch.block[0] = 128;
}

static uint32_t add_load_function(struct verdict_case *c)
{
	const uint32_t sizes[] = {8, 8, 4};
	uint32_t id = builder_function(&c->builder, "_Z8bad_loadPKfPfi", 3, sizes);
	unsigned char *rows =
		c->builder.tables[JOURNAL_FUNCTIONS].bytes + sizeof(struct file_header);
	struct function_row *row = (struct function_row *)(void *)rows + (id - 1);
	row->handle = 0x55b8c9dbdd20;
	row->module = 0x55b8c9d98980;
	return id;
}

struct verdict_case *coredump_sample(void)
{
	struct verdict_case *c = case_begin();
	uint32_t load = add_load_function(c);
	builder_context_row(&c->builder, c->context)->handle = 0x55b8c8f6af70;
	uint32_t streams[3];
	for (int i = 0; i < 3; i++)
		streams[i] = case_stream(c);
	case_launch(c, streams[0], 3);
	launch_load(c, streams[1], load, 1000);
	case_launch(c, streams[2], 2);
	launch_load(c, streams[1], load, 100000);
	case_launch(c, streams[1], 1);
	for (int i = 0; i < 3; i++)
		builder_sync(&c->builder, streams[i],
			     builder_stream_row(&c->builder, streams[i])->submitted,
			     "cuCtxSynchronize");
	case_launch(c, streams[0], 2);
	builder_fail(&c->builder, ILLEGAL_ADDRESS, CASE_TID, "cuMemcpyDtoH_v2")->flags =
		FAILURE_COREDUMPS;
	return c;
}
