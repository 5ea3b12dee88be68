/*
 * test_argument_ranges.c - which pointers among a launch's arguments may be read by a kernel in its
 * context, and up to where. The allocations and contexts are this file's.
 */
#include "check/argument_ranges.h"

#include <stdlib.h>
#include <string.h>

#include "check/live_ranges.h"
#include "record/objects/functions.h"
#include "support/check.h"

enum { N_ARGUMENTS = 2, SIZE = 0x10000, OURS = 3, OTHER = 4, DEVICE = 1 };

#define START UINT64_C(0x700000000000)

static struct range_row row;
static uint64_t arguments[N_ARGUMENTS];
static struct argument_range found[N_ARGUMENTS];

bool live_ranges_find(uint64_t address, struct range_row *out)
{
	*out = row;
	return address >= row.start && address - row.start < row.size;
}

uint32_t contexts_memory_id(const struct context *context)
{
	return context->id;
}

size_t functions_copy_arguments(const struct function *function, void *const *parameters,
				void *const *extra, unsigned char *out, size_t capacity,
				size_t *out_copied)
{
	CHECK(function && !parameters && !extra && capacity >= sizeof(arguments));
	memcpy(out, arguments, sizeof(arguments));
	*out_copied = sizeof(arguments);
	return sizeof(arguments);
}

static size_t find(const struct context *context)
{
	static struct function *function;
	if (!function)
		function =
			calloc(1, sizeof(*function) + N_ARGUMENTS * sizeof(*function->parameters));
	CHECK(function != NULL);
	function->n_parameters = N_ARGUMENTS;
	for (uint32_t i = 0; i < N_ARGUMENTS; i++)
		function->parameters[i] = (struct function_parameter){(uint16_t)(8 * i), 8};
	return argument_ranges_find(function, NULL, NULL, context, found, N_ARGUMENTS);
}

static void make(enum range_kind kind, uint32_t context, uint16_t flags, uint8_t device)
{
	row = (struct range_row){.start = START,
				 .size = SIZE,
				 .number = row.number + 1,
				 .context = context,
				 .flags = flags,
				 .kind = (uint8_t)kind,
				 .device = device};
	memset(arguments, 0, sizeof(arguments));
	arguments[1] = START;
}

static void test_who_can_read(void)
{
	const struct context context = {.id = OURS, .device = DEVICE};
	static const struct {
		enum range_kind kind;
		bool in_ours, in_other;
	} kinds[] = {
		{RANGE_UNKNOWN, false, false}, {RANGE_DEVICE, true, false},
		{RANGE_PITCHED, true, false},  {RANGE_MANAGED, true, true},
		{RANGE_HOST, false, false},    {RANGE_REGISTERED, false, false},
		{RANGE_ORDERED, true, false},  {RANGE_GRAPH, false, false},
		{RANGE_MAPPED, false, false},  {RANGE_IPC, true, false},
		{RANGE_IMPORTED, true, false},
	};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		make(kinds[i].kind, OURS, 0, 0);
		CHECK_EQUAL(find(&context), kinds[i].in_ours);
		make(kinds[i].kind, OTHER, 0, 0);
		CHECK_EQUAL(find(&context), kinds[i].in_other);
		CHECK_EQUAL(find(NULL), 1);
	}
	/* Stream-ordered memory belongs to its device, if that is known. */
	make(RANGE_ORDERED, OTHER, RANGE_DEVICE_KNOWN, DEVICE);
	CHECK_EQUAL(find(&context), 1);
	make(RANGE_ORDERED, OURS, RANGE_DEVICE_KNOWN, DEVICE + 1);
	CHECK_EQUAL(find(&context), 0);
}

static void test_live(void)
{
	make(RANGE_DEVICE, OURS, 0, 0);
	CHECK_EQUAL(find(NULL), 1);
	CHECK_EQUAL(found[0].parameter, 1);
	CHECK_EQUAL(found[0].bytes, SIZE);
	CHECK(argument_ranges_is_live(&found[0]));
	/* Another allocation at the same address, and none. */
	make(RANGE_DEVICE, OURS, 0, 0);
	CHECK(!argument_ranges_is_live(&found[0]));
	row.size = 0;
	CHECK(!argument_ranges_is_live(&found[0]));
}

/* A pointer into the middle of an allocation limits the part that starts below it, until it is
 * freed. */
static void test_parts(void)
{
	make(RANGE_DEVICE, OURS, 0, 0);
	arguments[0] = START + 0x1000;
	CHECK_EQUAL(find(NULL), 2);
	CHECK_EQUAL(found[0].bytes, SIZE - 0x1000);
	CHECK_EQUAL(found[1].bytes, 0x1000);
	make(RANGE_DEVICE, OURS, 0, 0);
	CHECK_EQUAL(find(NULL), 1);
	CHECK_EQUAL(found[0].bytes, SIZE);
	/* Each address is listed once. */
	arguments[0] = START;
	CHECK_EQUAL(find(NULL), 1);
	CHECK(found[0].is_repeated && found[0].parameter == 0);
}

int main(void)
{
	test_who_can_read();
	test_live();
	test_parts();
	return 0;
}
