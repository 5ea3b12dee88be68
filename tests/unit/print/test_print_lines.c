/*
 * test_print_lines.c - the lines of --print for the records of a ring, as whole texts.
 */
#include "print/print_case.h"
#include "support/check.h"
#include "support/graph_builder.h"

static void open_range(enum nvtx_scope scope, uint8_t index, const char *name)
{
	struct record_nvtx *range =
		&builder_record(&print_case.builder, PRINT_CASE_TID, RECORD_NVTX)->nvtx;
	*range = (struct record_nvtx){.scope = (uint8_t)scope,
				      .index = index,
				      .n_open = {2, 2},
				      .text_size = (uint8_t)strlen(name),
				      .is_cut = *name == 'c'};
	memcpy(range->text, name, strlen(name));
}

static void test_launches(void)
{
	print_case_begin();
	print_case_launch(print_case.spin);
	print_case_launch(print_case.fill);
	builder_submit(&print_case.builder, PRINT_CASE_TID, print_case.stream, WORK_COPY);
	print_case_launch(print_case.spin)->kind = RECORD_CAPTURED;
	print_case_launch(print_case.spin)->launch.grid[1] = 3;
	builder_record(&print_case.builder, PRINT_CASE_TID, RECORD_REJECTION)->result = 700;
	CHECK_STRING(print_case_print(),
		     "7  #1  spin<<<(1,1,1),(1,1,1)>>>(0x700000000008=#1+8, 64)  "
		     "stream 0x5000  "
		     "train+0x22\n"
		     "7  #2  fill<<<(1,1,1),(1,1,1)>>>()  stream 0x5000  "
		     "train+0x22\n"
		     "7  captured  spin<<<(1,1,1),(1,1,1)>>>(0x700000000008=#1+8, 64)  "
		     "stream "
		     "0x5000  train+0x22\n"
		     "7  #5  spin<<<(1,3,1),(1,1,1)>>>(0x700000000008=#1+8, 64)  "
		     "stream 0x5000  "
		     "train+0x22\n"
		     "7  #5  was refused by the driver: 700\n");
	CHECK_EQUAL(print_case.process->n_seen, 4);
	print_case_end();
}

static void test_ranges(void)
{
	print_case_begin();
	open_range(NVTX_OF_THREAD, 0, "train");
	open_range(NVTX_OF_THREAD, 1, "cut");
	open_range(NVTX_OF_PROCESS, 0, "load\n");
	open_range(NVTX_OF_PROCESS, 1, "epoch");
	print_case_launch(print_case.fill)->flags |= RECORD_IN_RANGES;
	print_case_launch(print_case.fill);
	open_range(NVTX_OF_THREAD, 1, "step");
	print_case_launch(print_case.fill)->flags |= RECORD_IN_RANGES;
	CHECK_STRING(print_case_print(), "7  #1  fill<<<(1,1,1),(1,1,1)>>>()  "
					 "stream 0x5000  train+0x22  [train > "
					 "cut...]  [load?, epoch]\n"
					 "7  #2  fill<<<(1,1,1),(1,1,1)>>>()  "
					 "stream 0x5000  train+0x22\n"
					 "7  #3  fill<<<(1,1,1),(1,1,1)>>>()  "
					 "stream 0x5000  train+0x22  [train > "
					 "step]  [load?, epoch]\n");
	print_case_end();
}

/* Numbers that no process writes stay in bounds. */
static void test_hostile_ranges(void)
{
	print_case_begin();
	open_range(NVTX_OF_THREAD, 0, "x");
	struct record_nvtx *range =
		&builder_record(&print_case.builder, PRINT_CASE_TID, RECORD_NVTX)->nvtx;
	*range = (struct record_nvtx){
		.scope = NVTX_OF_THREAD, .index = 1, .n_open = {255, 0}, .text_size = 255};
	memset(range->text, 'y', sizeof(range->text));
	range = &builder_record(&print_case.builder, PRINT_CASE_TID, RECORD_NVTX)->nvtx;
	*range = (struct record_nvtx){.scope = N_NVTX_SCOPES, .n_open = {255, 0}};
	range = &builder_record(&print_case.builder, PRINT_CASE_TID, RECORD_NVTX)->nvtx;
	*range = (struct record_nvtx){
		.scope = NVTX_OF_THREAD, .index = NVTX_MAX_OPEN, .n_open = {2, 0}};
	print_case_launch(print_case.fill)->flags |= RECORD_IN_RANGES;
	CHECK_STRING(print_case_print(),
		     "7  #1  fill<<<(1,1,1),(1,1,1)>>>()  stream 0x5000  "
		     "train+0x22  [x > "
		     "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy]\n");
	range = &builder_record(&print_case.builder, PRINT_CASE_TID, RECORD_NVTX)->nvtx;
	*range = (struct record_nvtx){.scope = N_NVTX_SCOPES, .n_open = {255, 255}};
	print_case_clear();
	print_case_print();
	CHECK_EQUAL(print_case.ring.n_open[NVTX_OF_THREAD], NVTX_MAX_OPEN);
	CHECK_EQUAL(print_case.ring.n_open[NVTX_OF_PROCESS], NVTX_MAX_OPEN);
	print_case_end();
}

/* With names of kernels, neither others nor graphs are printed, and silently nothing is. */
static void test_choice(void)
{
	static const uint8_t works[] = {WORK_KERNEL};
	regex_t kernels;
	CHECK_EQUAL(regcomp(&kernels, "spin", REG_EXTENDED | REG_NOSUB), 0);
	for (int i = 0; i < 3; i++) {
		print_case_begin();
		uint32_t graph = builder_graph(&print_case.builder, 0x9000, works, 1);
		print_case_launch(print_case.fill);
		builder_launch_graph(&print_case.builder, PRINT_CASE_TID, print_case.stream, graph,
				     0);
		print_case_launch(print_case.spin);
		print_case.choice.kernels = i == 1 ? &kernels : NULL;
		print_case.choice.is_silent = i == 2;
		static const char *const wanted[] = {
			"7  #1  fill<<<(1,1,1),(1,1,1)>>>()  stream 0x5000  "
			"train+0x22\n"
			"7  #2  graph 0x9000, replay 1  stream 0x5000  unknown\n"
			"7  #3  spin<<<(1,1,1),(1,1,1)>>>(0x700000000008=#1+8, 64)  "
			"stream 0x5000  "
			"train+0x22\n",
			"7  #3  spin<<<(1,1,1),(1,1,1)>>>(0x700000000008=#1+8, 64)  "
			"stream 0x5000  "
			"train+0x22\n",
			""};
		CHECK_STRING(print_case_print(), wanted[i]);
		CHECK_EQUAL(print_case.process->n_seen, 3);
		print_case_end();
	}
	regfree(&kernels);
}

/* After lost records, the arguments before them belong to no launch. */
static void test_lost(void)
{
	print_case_begin();
	struct print_entry lost = {.ring = &print_case.ring, .n_lost = 5};
	print_case_launch(print_case.spin);
	struct print_entry entry = {.ring = &print_case.ring};
	builder_view(&print_case.builder, &print_case.process->view);
	CHECK(view_record(&print_case.process->view, 0, 0, &entry.record));
	print_line(&print_case.choice, &entry, &print_case.text);
	CHECK(print_case.ring.arguments.n_bytes > 0);
	print_line(&print_case.choice, &lost, &print_case.text);
	CHECK_EQUAL(print_case.ring.arguments.n_bytes, 0);
	CHECK_STRING(print_case_text(),
		     "7  5 records of a thread were overwritten before they were read\n");
	print_case_end();
}

int main(void)
{
	test_launches();
	test_ranges();
	test_hostile_ranges();
	test_choice();
	test_lost();
	return 0;
}
