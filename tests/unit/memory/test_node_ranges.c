/*
 * test_node_ranges.c - the ranges of a node: what a check reads, when two lists are the same, and
 * what becomes of freed memory. The arguments and their types are the test's.
 */
#include "graph_checks/node_ranges.h"

#include "inspect/argument_types.h"
#include "record/graphs/graph_walk.h"
#include "record/objects/functions.h"
#include "support/check.h"

static struct argument_range found[CHECK_MAX_RANGES];
static size_t n_found;
static uint64_t freed; /* address */
static const struct function *const kernel = &(struct function){.id = 7};
static int handle, context;

size_t argument_ranges_find(const struct function *function, void *const *parameters,
			    void *const *extra, const struct context *of,
			    struct argument_range *out, size_t max)
{
	CHECK(function == kernel && (const void *)of == &context && max == CHECK_MAX_RANGES);
	CHECK(parameters == (void *const *)1 && extra == (void *const *)2);
	memcpy(out, found, sizeof(found));
	return n_found;
}

CUfunction graph_walk_kernel(const CUDA_KERNEL_NODE_PARAMS *params)
{
	CHECK(params->kernelParams == (void **)1);
	return (CUfunction)(void *)&handle;
}

void argument_types_find(uint32_t function, CUfunction of, struct argument_types *out)
{
	CHECK(function == kernel->id && (void *)of == &handle);
	*out = (struct argument_types){.function = function, .consts = 0x55};
}

uint32_t argument_types_of(const struct argument_types *types, uint32_t parameter, uint32_t offset)
{
	return types->function * 1000 + parameter * 100 + offset;
}

bool argument_types_is_const(const struct argument_types *types, uint32_t parameter,
			     uint32_t offset)
{
	return !offset && types->consts >> parameter & 1;
}

bool argument_ranges_is_live(const struct argument_range *range)
{
	return range->address != freed;
}

/* Four pointers: to const, to a large piece, to const with another one, in a structure. */
static void find(struct node_ranges *out)
{
	n_found = 4;
	for (uint32_t i = 0; i < n_found; i++)
		found[i] = (struct argument_range){
			.address = 0x1000 * (i + 1), .bytes = 16, .number = i + 1, .parameter = i};
	found[1].bytes = (uint64_t)CHECK_MAX_BYTES + 1;
	found[2].is_repeated = true;
	found[3].parameter = 4;
	found[3].offset = 8;
	freed = 0;
	const CUDA_KERNEL_NODE_PARAMS params = {.kernelParams = (void **)1, .extra = (void **)2};
	node_ranges_find(kernel, &params, (const struct context *)(const void *)&context, out);
}

static void test_find(void)
{
	struct node_ranges ranges;
	find(&ranges);
	CHECK_EQUAL(ranges.n, 4);
	CHECK_EQUAL(ranges.consts, 1);
	static const uint32_t types[] = {7000, 7100, 7200, 7408};
	for (uint32_t i = 0; i < 4; i++) {
		CHECK_EQUAL(ranges.types[i], types[i]);
		CHECK_EQUAL(ranges.given[i], found[i].bytes);
		CHECK_EQUAL(ranges.pointers[i].bytes, i == 1 ? CHECK_MAX_BYTES : 16);
	}
	n_found = 0;
	const CUDA_KERNEL_NODE_PARAMS params = {.kernelParams = (void **)1, .extra = (void **)2};
	node_ranges_find(kernel, &params, (const struct context *)(const void *)&context, &ranges);
	CHECK(!ranges.n && !ranges.consts && !ranges.given[0]);
}

/* Each member of the first and of the last range counts; what is after the last one does not. */
static void test_equal(void)
{
	struct node_ranges one, other;
	find(&one);
	for (uint32_t i = 0; i <= 4; i++)
		for (int member = 0; member < 6; member++) {
			find(&other);
			struct argument_range *range = &other.pointers[i];
			other.types[i] += member == 0;
			range->parameter += member == 1;
			range->offset += member == 2;
			range->address += member == 3;
			range->bytes += member == 4;
			range->number += member == 5;
			CHECK(node_ranges_are_equal(&one, &other) == (i == 4));
		}
	find(&other);
	other.consts ^= 2;
	CHECK(!node_ranges_are_equal(&one, &other));
	find(&other);
	other.n--;
	CHECK(!node_ranges_are_equal(&one, &other));
}

static void test_freed(void)
{
	struct node_ranges ranges;
	find(&ranges);
	CHECK(node_ranges_are_live(&ranges));
	node_ranges_drop_freed(&ranges);
	CHECK_EQUAL(ranges.pointers[3].bytes, 16);
	for (uint32_t i = 0; i < 4; i++) {
		find(&ranges);
		freed = ranges.pointers[i].address;
		CHECK(!node_ranges_are_live(&ranges));
		node_ranges_drop_freed(&ranges);
		for (uint32_t j = 0; j < 4; j++)
			CHECK((ranges.pointers[j].bytes == 0) == (i == j) &&
			      (ranges.given[j] == 0) == (i == j));
		CHECK(ranges.n == 4 && node_ranges_are_live(&ranges));
	}
	find(&ranges);
	ranges.pointers[4].address = freed = 0x9000; /* not of the list */
	ranges.pointers[4].bytes = 1;
	CHECK(node_ranges_are_live(&ranges));
	node_ranges_drop_freed(&ranges);
	CHECK_EQUAL(ranges.pointers[4].bytes, 1);
}

int main(void)
{
	test_find();
	test_equal();
	test_freed();
	return 0;
}
