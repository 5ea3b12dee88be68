/*
 * coredump_case.c - see coredump_case.h.
 */
#include "support/coredump_case.h"

#include "support/check.h"

struct story story_begin(void)
{
	const uint32_t sizes[] = {8, 4};
	struct story story = {.c = case_begin()};
	story.stream = case_stream(story.c);
	story.other_stream = case_stream(story.c);
	story.scatter = builder_function(&story.c->builder, "scatter", 2, sizes);
	story.gather = builder_function(&story.c->builder, "gather", 2, sizes);
	return story;
}

struct journal_record *story_launch(struct story *story, uint32_t stream, uint32_t function,
				    uint32_t count)
{
	struct arguments arguments = {0x7f0000001000, count};
	return builder_launch(&story->c->builder, CASE_TID, stream, function, &arguments,
			      ARGUMENT_BYTES);
}

struct gpu_fault *story_dump(struct story *story, uint32_t function, uint32_t count)
{
	struct gpu_fault *fault = &story->fault;
	struct gpu_fault_grid *entry = &fault->grids[0];
	story->dumped = (struct arguments){0x7f0000001000, count};
	*fault = (struct gpu_fault){.exceptions = 1u << GPU_EXCEPTION_WARP_ILLEGAL_ADDRESS,
				    .n_grids = 1};
	entry->kernel = function == story->scatter ? "scatter" : "gather";
	entry->grid = (struct gpu_grid){.id = 7,
					.context = 0x1000 + story->c->context,
					.function = 0x2000 + function,
					.grid = {1, 1, 1},
					.block = {1, 1, 1},
					.has_parameters = true};
	entry->grid.parameters.bytes = (const unsigned char *)&story->dumped;
	entry->grid.parameters.size = ARGUMENT_BYTES;
	entry->location =
		(struct gpu_location){.exception = GPU_EXCEPTION_WARP_ILLEGAL_ADDRESS,
				      .code = {.function = entry->kernel,
					       .is_kernel = true,
					       .line = {.directory = "", .file = "a.cu"}}};
	return fault;
}

void story_dump_place(struct story *story, const char *function, bool is_kernel)
{
	story->fault = (struct gpu_fault){
		.exceptions = 1u << GPU_EXCEPTION_WARP_ILLEGAL_ADDRESS,
		.n_locations = 1,
		.locations = {{.exception = GPU_EXCEPTION_WARP_ILLEGAL_ADDRESS,
			       .pc = 0x7000,
			       .code = {.function = function,
					.is_kernel = is_kernel,
					.line = {.directory = "", .file = ""}}}}};
}

void story_judge_code(struct story *story, int32_t code, uint32_t flags)
{
	struct verdict_case *c = story->c;
	if (!c->builder.tables[JOURNAL_FAILURE].bytes)
		builder_fail(&c->builder, code, CASE_TID, "cuCtxSynchronize");
	builder_failure_row(&c->builder)->flags = flags;
	builder_view(&c->builder, &c->view);
	size_t size = attribution_scratch(&c->view);
	void *scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(attribute_with_coredump(&c->view, &story->fault, scratch, size, &c->verdict),
		    0);
	free(scratch);
}

void story_judge(struct story *story, uint32_t flags)
{
	story_judge_code(story, ILLEGAL_ADDRESS, flags);
}

void story_check_narrowed(const struct story *story, uint64_t n, uint64_t first)
{
	CHECK_VERDICT(story->c, VERDICT_NARROWED, first);
	CHECK_EQUAL(story->c->verdict.n_suspects, n);
}
