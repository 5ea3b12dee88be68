/*
 * test_memory.c - unit tests of memory: explaining an address, its holders, blocks and allocators.
 */
#include <stdlib.h>

#include "memory/memory_blocks.h"
#include "memory/memory_find.h"
#include "memory/memory_holders.h"
#include "memory/memory_host.h"
#include "memory/memory_labels.h"
#include "memory/memory_owner.h"
#include "memory/memory_pointer.h"
#include "support/bundle_builder.h"
#include "support/check.h"

static void test_find(void)
{
	struct bundle_builder builder;
	builder_begin(&builder, 16);
	builder_range(&builder, 0x100000, 0x1000, 0);
	builder_range(&builder, 0x200000, 0x1000, 0);
	uint32_t freed = builder_range(&builder, 0x180000, 0x1000, 0);
	builder_range_row(&builder, freed)->state = RANGE_FREED;
	uint32_t handle = builder_range(&builder, 0x150000, 0x1000, 0);
	builder_range_row(&builder, handle)->kind = RANGE_ARRAY;
	struct bundle_view view;
	builder_view(&builder, &view);

	struct memory_answer answer;
	memory_find(&view, 0x100fff, NULL, &answer);
	CHECK(answer.relation == MEMORY_INSIDE && answer.distance == 0xfff && !answer.was_freed);
	memory_find(&view, 0x101000, NULL, &answer);
	CHECK(answer.relation == MEMORY_AFTER && answer.distance == 0 && answer.range.number == 1);
	memory_find(&view, 0x1ffff0, NULL, &answer);
	CHECK(answer.relation == MEMORY_BEFORE && answer.distance == 16);
	memory_find(&view, 0x180010, NULL, &answer);
	CHECK(answer.relation == MEMORY_FREED && answer.distance == 16);
	/* An array has a handle, not an address. */
	memory_find(&view, 0x150010, NULL, &answer);
	CHECK(answer.relation == MEMORY_AFTER && answer.range.number == 1);
	memory_find(&view, 0x201000 + MEMORY_NEAR, NULL, &answer);
	CHECK_EQUAL(answer.relation, MEMORY_NOWHERE);
	memory_find(&view, UINT64_MAX, NULL, &answer);
	CHECK_EQUAL(answer.relation, MEMORY_NOWHERE);
	builder_end(&builder);
}

/* Seven stacks hold memory; the five largest are listed. */
static void test_holders(void)
{
	struct bundle_builder builder;
	builder_begin(&builder, 16);
	for (uint32_t stack = 1; stack <= 7; stack++) {
		builder_range(&builder, stack << 20, stack * 1000, stack);
		builder_range(&builder, (stack << 20) + 4096, 1, stack);
	}
	builder_range_row(&builder, builder_range(&builder, 1 << 30, 1 << 20, 9))->kind =
		RANGE_HOST;
	struct bundle_view view;
	builder_view(&builder, &view);
	void *scratch = calloc(1, memory_holders_scratch(&view));
	CHECK(scratch != NULL);
	struct memory_held held;
	memory_holders_find(&view, 0, 0, scratch, &held);
	CHECK(held.bytes == 28007 && held.n == 14 && held.n_stacks == 7 && held.n_holders == 5);
	for (uint32_t i = 0; i < held.n_holders; i++)
		CHECK(held.holders[i].stack == 7 - i && held.holders[i].n == 2);
	free(scratch);
	builder_end(&builder);
}

/* Memory of another device is not counted; memory whose device is not known is. */
static void test_devices(void)
{
	struct bundle_builder builder;
	builder_begin(&builder, 16);
	uint32_t first = builder_context(&builder, 0, "device");
	uint32_t second = builder_context(&builder, 1, "device");
	builder_range_row(&builder, builder_range(&builder, 1 << 20, 1, 1))->context = first;
	builder_range_row(&builder, builder_range(&builder, 2 << 20, 20, 2))->context = second;
	builder_range(&builder, 3 << 20, 300, 3);
	struct range_row *row =
		builder_range_row(&builder, builder_range(&builder, 4 << 20, 4000, 4));
	row->device = 1;
	row->flags |= RANGE_DEVICE_KNOWN;
	struct bundle_view view;
	builder_view(&builder, &view);
	static const struct {
		int device;
		uint64_t bytes, n;
	} held_by[] = {{0, 301, 2}, {1, 4320, 3}, {2, 300, 1}};
	for (size_t i = 0; i < sizeof(held_by) / sizeof(held_by[0]); i++) {
		void *scratch = calloc(1, memory_holders_scratch(&view));
		CHECK(scratch != NULL);
		struct memory_held held;
		memory_holders_find(&view, held_by[i].device, 0, scratch, &held);
		CHECK_EQUAL(held.bytes, held_by[i].bytes);
		CHECK_EQUAL(held.n, held_by[i].n);
		CHECK_EQUAL(held.n_stacks, held_by[i].n);
		free(scratch);
	}
	builder_end(&builder);
}

/*
 * Two allocations share a page of 4096 bytes, one spans three pages, one ends at a page's end. The
 * array has no address.
 */
static void test_pages(void)
{
	struct bundle_builder builder;
	builder_begin(&builder, 16);
	for (uint64_t i = 0; i < 2; i++)
		builder_range_row(&builder, builder_range(&builder, 0x10000 + i * 0x100, 100, 1))
			->kind = RANGE_DEVICE;
	builder_range_row(&builder, builder_range(&builder, 0x10f00, 0x1200, 1))->kind =
		RANGE_PITCHED;
	builder_range_row(&builder, builder_range(&builder, 0x20000, 0x1000, 1))->kind =
		RANGE_DEVICE;
	builder_range_row(&builder, builder_range(&builder, 0x5000, 0x1000, 1))->kind = RANGE_ARRAY;
	struct bundle_view view;
	builder_view(&builder, &view);
	void *scratch = calloc(1, memory_holders_scratch(&view));
	CHECK(scratch != NULL);
	struct memory_held held;
	memory_holders_find(&view, 0, 0x1000, scratch, &held);
	CHECK_EQUAL(held.page_bytes, 4 * 0x1000);
	CHECK_EQUAL(held.in_pages, 200 + 0x1200 + 0x1000);
	CHECK(held.n == 5 && !held.has_pools);
	free(scratch);
	builder_end(&builder);
}

/* A page and a stack each: with so many, several of them have the same slot in their table. */
static void test_many(void)
{
	struct bundle_builder builder;
	builder_begin(&builder, 16);
	for (uint32_t i = 1; i <= 100; i++)
		builder_range_row(&builder, builder_range(&builder, i * i << 12, 0x1000, i * i))
			->kind = RANGE_DEVICE;
	struct bundle_view view;
	builder_view(&builder, &view);
	void *scratch = calloc(1, memory_holders_scratch(&view));
	CHECK(scratch != NULL);
	struct memory_held held;
	memory_holders_find(&view, 0, 0x1000, scratch, &held);
	CHECK(held.n == 100 && held.n_stacks == 100);
	CHECK_EQUAL(held.page_bytes, 100 * 0x1000);
	CHECK_EQUAL(held.in_pages, 100 * 0x1000);
	free(scratch);
	builder_end(&builder);
}

/* The index finds the same as a walk over all rows, for memory that overlaps in every way. */
static void test_index(void)
{
	static const uint8_t kinds[] = {RANGE_DEVICE, RANGE_RESERVED, RANGE_ARRAY, RANGE_HOST};
	uint64_t chance = 1;
	void *scratch = NULL;
	for (uint64_t n = 0; n < 300; n = 2 * n + 1) {
		struct bundle_builder builder;
		builder_begin(&builder, 16);
		for (uint64_t i = 0; i < n; i++) {
			uint64_t size = 1ull << (chance >> 40 & 15);
			chance = chance * 6364136223846793005u + 1;
			struct range_row *row = builder_range_row(
				&builder,
				builder_range(&builder, chance >> 45 << 4, i % 7 ? size : 0, 0));
			row->kind = kinds[chance >> 30 & 3];
			row->state = chance >> 29 & 1 ? RANGE_LIVE : RANGE_FREED;
		}
		if (n > 3)
			builder_range_row(&builder, 3)->size = UINT64_MAX;
		struct bundle_view view;
		builder_view(&builder, &view);
		scratch = calloc(1, memory_index_scratch(&view));
		CHECK(scratch != NULL);
		struct memory_index index;
		memory_index_make(&view, scratch, &index);
		for (uint64_t address = 0; address < 1 << 24; address += 1 + (chance >> 50)) {
			struct range_row walked = {0};
			struct range_row found = {0};
			uint64_t distances[2] = {0, 0};
			chance = chance * 6364136223846793005u + 1;
			view.memory_index = NULL;
			enum place place =
				memory_find_place(&view, address, NULL, &walked, &distances[0]);
			view.memory_index = &index;
			CHECK(memory_find_place(&view, address, NULL, &found, &distances[1]) ==
			      place);
			CHECK(place == PLACE_NONE ||
			      (walked.number == found.number && distances[0] == distances[1]));
		}
		builder_end(&builder);
		free(scratch);
	}
}

static void test_allocators(void)
{
	static const struct {
		const char *path;
		enum memory_allocator allocator;
	} cases[] = {
		{"/venv/torch/lib/libc10_cuda.so", MEMORY_BY_PYTORCH},
		{"/opt/lib/librmm.so", MEMORY_BY_RMM},
		{"/venv/cupy/cuda/memory.cpython-312-x86_64-linux-gnu.so", MEMORY_BY_CUPY},
		{"/home/me/memory.so", MEMORY_BY_PROGRAM},
		{"/venv/torch/lib/libtorch_cuda.so", MEMORY_BY_PROGRAM},
	};
	struct bundle_view view;
	struct bundle_builder builder;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		builder_begin(&builder, 16);
		uint32_t outer = builder_module(&builder, cases[i].path, 0x1000, 0x2000);
		uint32_t inner =
			builder_module(&builder, "/usr/lib/libcudart.so.12", 0x3000, 0x4000);
		uint32_t stack = builder_stack(&builder, 0, outer, 0x10);
		stack = builder_stack(&builder, stack, inner, 0x20);
		builder_view(&builder, &view);
		CHECK_EQUAL(memory_allocator_of(&view, stack), cases[i].allocator);
		CHECK_EQUAL(memory_allocator_of(&view, 0), MEMORY_BY_PROGRAM);
		builder_end(&builder);
	}
}

/* A pointer is explained only if its device lacks access, and it is in a mapping and not small. */
static void test_host(void)
{
	char words[256];
	struct text text = text_in(words, sizeof(words));
	struct bundle_builder builder;
	builder_begin(&builder, 16);
	uint32_t context = builder_context(&builder, 3, "device");
	uint32_t name = builder_string(&builder, "/opt/lib/libmodel.so");
	uint32_t id = 0;
	struct host_mapping_row *rows = builder_rows(&builder, JOURNAL_HOST_MAPPINGS, 3, &id);
	rows[0] = (struct host_mapping_row){.start = 0x1000, .end = 0x2000};
	rows[1] = (struct host_mapping_row){.start = 0x7f0000000000, .end = 0x7f0000001000};
	rows[2] = (struct host_mapping_row){
		.start = 0x7f0000002000, .end = 0x7f0000003000, .name = name};
	struct bundle_view view;
	builder_view(&builder, &view);
	CHECK(!memory_add_host(&view, view_context(&view, context), 0x7f0000000010, &text));
	builder_context_row(&builder, context)->flags = CONTEXT_LACKS_HOST_MEMORY;
	CHECK(!memory_add_host(&view, NULL, 0x7f0000000010, &text));
	CHECK(!memory_add_host(&view, view_context(&view, context), 0x1010, &text));
	CHECK(!memory_add_host(&view, view_context(&view, context), 0x7f0000001000, &text));
	CHECK_STRING(words, "");
	CHECK(memory_add_host(&view, view_context(&view, context), 0x7f0000000fff, &text));
	CHECK_STRING(words,
		     " = the program's own memory, not registered: device 3 cannot access it");
	text = text_in(words, sizeof(words));
	CHECK(memory_add_host(&view, view_context(&view, context), 0x7f0000002000, &text));
	CHECK_STRING(words, " = the program's own memory (libmodel.so), not registered: device 3 "
			    "cannot access it");
	builder_context_row(&builder, context)->flags = CONTEXT_USES_HOST_TABLES;
	CHECK(!memory_add_host(&view, view_context(&view, context), 0x7f0000002000, &text));
	CHECK(!memory_is_unmapped(&view, view_context(&view, context), 0x7f0000002000));
	CHECK(memory_is_unmapped(&view, view_context(&view, context), 0x7f0000001000));
	CHECK(!memory_is_unmapped(&view, NULL, 0x7f0000001000));
	builder_context_row(&builder, context)->flags = CONTEXT_LACKS_HOST_MEMORY;
	view.tables[JOURNAL_RANGES].lost = 1; /* one of them may be registered memory */
	CHECK(!memory_add_host(&view, view_context(&view, context), 0x7f0000002000, &text));
	builder_end(&builder);
}

static void test_sizes(void)
{
	char size[MEMORY_SIZE_TEXT];
	CHECK_STRING(memory_size_text(0, size), "0 B");
	CHECK_STRING(memory_size_text(1023, size), "1023 B");
	CHECK_STRING(memory_size_text(1536, size), "1.5 KiB");
	CHECK_STRING(memory_size_text((uint64_t)20 << 30, size), "20.0 GiB");
	CHECK_STRING(memory_size_text(UINT64_MAX, size), "16.0 EiB");
}

/* A block belongs to an allocation that holds all of it; a block that wraps belongs to none. */
static void test_blocks(void)
{
	static struct memory_blocks blocks = {
		.n = 3,
		.rows = {{.start = 0x1000, .size = 0x1000}, /* the whole piece */
			 {.start = 0x2000, .size = 0x1001}, /* one byte more than its piece */
			 {.start = UINT64_MAX - 15,
			  .size = 15,
			  .state = MEMORY_BLOCK_FREE,
			  .freed = {1, {{"a.py", "f", 7}}}}}};
	struct range_row piece = {.start = 0x1000, .size = 0x1000};
	char line[256];
	struct text text = text_in(line, sizeof(line));
	CHECK(memory_block_at(NULL, 0x1000, &piece) == NULL);
	CHECK(memory_block_at(&blocks, 0xfff, &piece) == NULL);
	CHECK(memory_block_at(&blocks, 0x1000, &piece) == &blocks.rows[0]);
	CHECK(memory_block_at(&blocks, 0x1fff, &piece) == &blocks.rows[0]);
	CHECK(memory_block_at(&blocks, 0x2000, &piece) == NULL);
	piece = (struct range_row){.start = 0x1001, .size = 0xfff};
	CHECK(memory_block_at(&blocks, 0x1800, &piece) == NULL);
	piece = (struct range_row){.start = 0x2000, .size = 0x1000};
	CHECK(memory_block_at(&blocks, 0x2000, &piece) == NULL);
	piece = (struct range_row){.start = UINT64_MAX - 15, .size = 15};
	CHECK(memory_block_at(&blocks, UINT64_MAX - 1, &piece) == &blocks.rows[2]);
	CHECK(memory_block_at(&blocks, UINT64_MAX, &piece) == NULL);
	memory_block_add(&blocks.rows[2], UINT64_MAX - 1, NULL, &text);
	CHECK_STRING(line,
		     "PyTorch's block of 15 B + 14, free when it was asked, freed at a.py:7 f; "
		     "torch.cuda.memory._record_memory_history() tells who allocated it");
}

int main(void)
{
	test_find();
	test_holders();
	test_devices();
	test_pages();
	test_many();
	test_index();
	test_blocks();
	test_allocators();
	test_host();
	test_sizes();
	return 0;
}
