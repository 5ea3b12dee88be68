/*
 * test_launch_limits.c - each rule at its limit and one above, and silence where nothing is proven.
 */
#include "rejection/launch_limits.h"

#include <string.h>

#include "support/check.h"

/* The limits of an H200 and of a kernel with 255 registers that declares a KiB of shared memory. */
static const struct launch_limits limits = {
	.block = {1024, 1024, 64},
	.grid = {2147483647, 65535, 65535},
	.threads = 1024,
	.registers = 65536,
	.shared_optin = 232448,
	.multiprocessors = 132,
	.has_clusters = 1,
	.function_threads = 256,
	.function_registers = 255,
	.function_static = 1024,
	.function_dynamic = 49152,
	.function_any_cluster = 0,
	.resident_blocks = 2,
};
static const struct launch_limits unknown = {
	.block = {-1, -1, -1},
	.grid = {-1, -1, -1},
	.threads = -1,
	.registers = -1,
	.shared_optin = -1,
	.multiprocessors = -1,
	.has_clusters = -1,
	.function_threads = -1,
	.function_registers = -1,
	.function_static = -1,
	.function_dynamic = -1,
	.function_any_cluster = -1,
	.resident_blocks = -1,
};

static char line[1024];

static const char *explain(const struct launch_shape *shape, const struct launch_limits *of,
			   int32_t code)
{
	struct text text = text_in(line, sizeof(line));

	const char *rule = launch_explain(shape, of, code, &text);
	if (rule)
		text_addf(&text, " [%s]", rule);
	return rule ? line : "";
}

static struct launch_shape shape(uint32_t grid, uint32_t block)
{
	return (struct launch_shape){.grid = {grid, 1, 1}, .block = {block, 1, 1}};
}

static void test_registers(void)
{
	struct launch_shape launch = shape(1, 258);
	CHECK_STRING(explain(&launch, &limits, 701),
		     "255 registers x 258 threads = 65,790 > 65,536, the device's: launch at most "
		     "256 threads in a block, or compile with __launch_bounds__(258) "
		     "[launch.registers_exceed_device]");
	CHECK_STRING(explain(&launch, &limits, 1), "");
	launch.block[0] = 256;
	CHECK_STRING(explain(&launch, &limits, 701), "");
	/* Where the product alone would permit it, the driver rounded; the kernel's limit is it. */
	launch.block[0] = 257;
	CHECK(strstr(explain(&launch, &limits, 701), "[launch.block_threads_exceed_function]"));
	CHECK(strstr(explain(&launch, &limits, 1), "[launch.block_threads_exceed_function]"));
}

static void test_shared(void)
{
	struct launch_shape launch = shape(1, 32);
	launch.shared_bytes = 49152;
	CHECK_STRING(explain(&launch, &limits, 1), "");
	launch.shared_bytes = 49153;
	CHECK_STRING(explain(&launch, &limits, 1),
		     "49,153 bytes of dynamic shared memory > 49,152, the kernel's most: use less, "
		     "or allow it by cuFuncSetAttribute(MAX_DYNAMIC_SHARED_SIZE_BYTES); the device "
		     "has 232,448 [launch.dynamic_shared_exceeds_function]");
	launch.shared_bytes = 232448;
	CHECK(strstr(explain(&launch, &limits, 1), "and with the 1,024 that it declares, more than "
						   "the device's 232,448: use less"));
	/* The memory that the kernel declares leaves nothing. */
	struct launch_limits full = limits;
	full.function_dynamic = 0;
	launch.shared_bytes = 1;
	CHECK(strstr(explain(&launch, &full, 1), "1 bytes of dynamic shared memory > 0, "));
}

static void test_grid(void)
{
	struct launch_shape launch = shape(264, 32);
	launch.is_cooperative = true;
	CHECK_STRING(explain(&launch, &limits, 720), "");
	launch.grid[0] = 265;
	CHECK(strstr(explain(&launch, &limits, 720),
		     "265 blocks > 2 resident x 132 multiprocessors = 264"));
	/* More blocks than 64 bits can count. */
	launch = shape(UINT32_MAX, 32);
	launch.grid[1] = launch.grid[2] = UINT32_MAX;
	launch.is_cooperative = true;
	CHECK(strstr(explain(&launch, &limits, 720), "[launch.cooperative_grid_exceeds_device]"));
	CHECK(strstr(explain(&launch, &limits, 1),
		     "the grid's x is 4,294,967,295 > 2,147,483,647"));
}

static void test_clusters(void)
{
	struct launch_shape launch = shape(16, 32);
	struct launch_limits without = limits;
	launch.cluster[0] = launch.cluster[1] = launch.cluster[2] = 1;
	launch.cluster[0] = 8;
	CHECK_STRING(explain(&launch, &limits, 912), "");
	launch.cluster[0] = 16;
	CHECK(strstr(explain(&launch, &limits, 912), "[launch.cluster_exceeds_maximum]"));
	without.function_any_cluster = 1; /* then the most is not known */
	CHECK_STRING(explain(&launch, &without, 912), "");
	without.has_clusters = 0;
	CHECK(strstr(explain(&launch, &without, 1), "[launch.device_has_no_clusters]"));
	launch.cluster[0] = 3;
	CHECK(strstr(explain(&launch, &limits, 912), "[launch.cluster_does_not_divide_grid]"));
}

static void test_block(void)
{
	struct launch_shape launch = shape(1, 1024);
	CHECK_STRING(explain(&launch, &limits, 1), "");
	launch.block[1] = 2;
	CHECK_STRING(explain(&launch, &limits, 1),
		     "a block of (1024,2,1) = 2,048 threads > 1,024, the device's most: use a "
		     "smaller block and more of them [launch.block_threads_exceed_device]");
	launch.block[2] = 0;
	CHECK_STRING(explain(&launch, &limits, 1),
		     "the block's z is 0: it must be 1 at least [launch.block_is_zero]");
}

/* A refusal for another reason, and unknown limits. */
static void test_unproven(void)
{
	const int32_t codes[] = {1, 701, 720, 912, 209, 400};
	struct launch_shape good = shape(1, 32);
	struct launch_shape huge = shape(UINT32_MAX, 4096);
	huge.shared_bytes = UINT32_MAX;
	huge.cluster[0] = huge.cluster[1] = huge.cluster[2] = 1;
	huge.is_cooperative = true;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		CHECK_STRING(explain(&good, &limits, codes[i]), "");
		CHECK_STRING(explain(&huge, &unknown, codes[i]), "");
	}
	CHECK(launch_has_rule(912) && !launch_has_rule(400));
}

int main(void)
{
	test_registers();
	test_shared();
	test_grid();
	test_clusters();
	test_block();
	test_unproven();
	return 0;
}
