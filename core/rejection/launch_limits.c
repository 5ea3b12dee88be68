/*
 * launch_limits.c - the rules. Each is a function that appends its finding, or nothing.
 */
#include "rejection/launch_limits.h"

#include <inttypes.h>
#include <stddef.h>

enum { PORTABLE_CLUSTER = 8 }; /* CUDA's programming guide: a size that all devices support */

struct launch {
	const struct launch_shape *shape;
	const struct launch_limits *limits;
};

static uint64_t volume(const uint32_t dimensions[3])
{
	return (uint64_t)dimensions[0] * dimensions[1] * dimensions[2];
}

/* True if the volume exceeds the limit. A grid's volume may not fit in 64 bits. */
static bool is_more_than(const uint32_t dimensions[3], uint64_t limit)
{
	uint64_t area = (uint64_t)dimensions[0] * dimensions[1];
	return area > limit || (dimensions[2] > 0 && area > limit / dimensions[2]);
}

static bool exceeds(uint64_t value, int64_t limit)
{
	return limit >= 0 && value > (uint64_t)limit;
}

/* Append "65,536". */
static void add_number(uint64_t number, struct text *out)
{
	uint64_t unit = 1;
	while (number / unit >= 1000)
		unit *= 1000;
	text_addf(out, "%" PRIu64, number / unit);
	for (unit /= 1000; unit > 0; unit /= 1000)
		text_addf(out, ",%03" PRIu64, number / unit % 1000);
}

/* Append "a block of (32,8,1) = 256 threads". */
static void add_block(const struct launch *launch, struct text *out)
{
	const uint32_t *block = launch->shape->block;
	text_addf(out, "a block of (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ") = ", block[0], block[1],
		  block[2]);
	add_number(volume(block), out);
	text_add(out, " threads");
}

static bool find_zero(const uint32_t dimensions[3], const char *what, struct text *out)
{
	for (int i = 0; i < 3; i++) {
		if (dimensions[i] != 0)
			continue;
		text_addf(out, "the %s's %c is 0: it must be 1 at least", what, "xyz"[i]);
		return true;
	}
	return false;
}

static bool find_grid_zero(const struct launch *launch, struct text *out)
{
	return find_zero(launch->shape->grid, "grid", out);
}

static bool find_block_zero(const struct launch *launch, struct text *out)
{
	return find_zero(launch->shape->block, "block", out);
}

static bool find_cluster_divides(const struct launch *launch, struct text *out)
{
	const struct launch_shape *shape = launch->shape;
	for (int i = 0; i < 3 && volume(shape->cluster) > 0; i++) {
		if (shape->grid[i] % shape->cluster[i] == 0)
			continue;
		text_addf(out,
			  "the grid's %c is %" PRIu32 ", no multiple of the cluster's %" PRIu32
			  ": make it one",
			  "xyz"[i], shape -> grid[i], shape -> cluster[i]);
		return true;
	}
	return false;
}

static bool find_dimension(const uint32_t dimensions[3], const int64_t limits[3], const char *what,
			   struct text *out)
{
	for (int i = 0; i < 3; i++) {
		if (!exceeds(dimensions[i], limits[i]))
			continue;
		text_addf(out, "the %s's %c is ", what, "xyz"[i]);
		add_number(dimensions[i], out);
		text_add(out, " > ");
		add_number((uint64_t)limits[i], out);
		text_add(out, ", the device's most: make it smaller, or use another dimension");
		return true;
	}
	return false;
}

static bool find_block_dim(const struct launch *launch, struct text *out)
{
	return find_dimension(launch->shape->block, launch->limits->block, "block", out);
}

static bool find_grid_dim(const struct launch *launch, struct text *out)
{
	return find_dimension(launch->shape->grid, launch->limits->grid, "grid", out);
}

static bool find_block_threads(const struct launch *launch, struct text *out)
{
	if (launch->limits->threads < 0 ||
	    !is_more_than(launch->shape->block, (uint64_t)launch->limits->threads))
		return false;
	add_block(launch, out);
	text_add(out, " > ");
	add_number((uint64_t)launch->limits->threads, out);
	text_add(out, ", the device's most: use a smaller block and more of them");
	return true;
}

static bool find_no_clusters(const struct launch *launch, struct text *out)
{
	if (launch->limits->has_clusters != 0 || volume(launch->shape->cluster) <= 1)
		return false;
	text_add(out, "a cluster is asked for, and the device has none (it needs compute "
		      "capability 9.0): launch without");
	return true;
}

/* The block exceeds the kernel's own limit, which the driver checks; its registers say why. */
static bool find_registers(const struct launch *launch, struct text *out)
{
	const struct launch_limits *limits = launch->limits;
	uint64_t threads = volume(launch->shape->block);
	if (!exceeds(threads, limits->function_threads) || limits->function_registers <= 0 ||
	    !exceeds(threads * (uint64_t)limits->function_registers, limits->registers))
		return false;
	text_addf(out, "%" PRId64 " registers x ", limits->function_registers);
	add_number(threads, out);
	text_add(out, " threads = ");
	add_number(threads * (uint64_t)limits->function_registers, out);
	text_add(out, " > ");
	add_number((uint64_t)limits->registers, out);
	text_add(out, ", the device's: launch at most ");
	add_number((uint64_t)limits->function_threads, out);
	text_add(out, " threads in a block, or compile with __launch_bounds__(");
	text_addf(out, "%" PRIu64 ")", threads);
	return true;
}

static bool find_function_threads(const struct launch *launch, struct text *out)
{
	const struct launch_limits *limits = launch->limits;
	if (!exceeds(volume(launch->shape->block), limits->function_threads))
		return false;
	add_block(launch, out);
	text_add(out, " > ");
	add_number((uint64_t)limits->function_threads, out);
	text_addf(out,
		  ", the kernel's most, by its launch bounds or registers: use a smaller block, or "
		  "compile with __launch_bounds__(%" PRIu64 ")",
		  volume(launch->shape->block));
	return true;
}

/* For kernels with enough registers; without, the result is 701 (H200, driver 580.159). */
static bool find_bounds(const struct launch *launch, struct text *out)
{
	const struct launch_limits *limits = launch->limits;
	uint64_t threads = volume(launch->shape->block);
	return limits->function_registers > 0 && limits->registers > 0 &&
	       !exceeds(threads * (uint64_t)limits->function_registers, limits->registers) &&
	       find_function_threads(launch, out);
}

static bool find_shared(const struct launch *launch, struct text *out)
{
	const struct launch_limits *limits = launch->limits;
	uint64_t wanted = launch->shape->shared_bytes;
	uint64_t declared = limits->function_static > 0 ? (uint64_t)limits->function_static : 0;
	if (!exceeds(wanted, limits->function_dynamic))
		return false;
	add_number(wanted, out);
	text_add(out, " bytes of dynamic shared memory > ");
	add_number((uint64_t)limits->function_dynamic, out);
	text_add(out, ", the kernel's most");
	if (limits->shared_optin < 0) {
		text_add(out, ": use less");
	} else if (exceeds(wanted + declared, limits->shared_optin)) {
		if (declared > 0) {
			text_add(out, ", and with the ");
			add_number(declared, out);
			text_add(out, " that it declares");
		}
		text_add(out, ", more than the device's ");
		add_number((uint64_t)limits->shared_optin, out);
		text_add(out, ": use less");
	} else {
		text_add(out, ": use less, or allow it by cuFuncSetAttribute(MAX_DYNAMIC_SHARED_"
			      "SIZE_BYTES); the device has ");
		add_number((uint64_t)limits->shared_optin, out);
	}
	return true;
}

static bool find_cooperative(const struct launch *launch, struct text *out)
{
	const struct launch_limits *limits = launch->limits;
	if (!launch->shape->is_cooperative || limits->resident_blocks < 0 ||
	    limits->multiprocessors < 0)
		return false;
	uint64_t limit = (uint64_t)limits->resident_blocks * (uint64_t)limits->multiprocessors;
	if (!is_more_than(launch->shape->grid, limit))
		return false;
	text_add(out, "a cooperative grid of ");
	add_number(volume(launch->shape->grid), out);
	text_addf(out, " blocks > %" PRId64 " resident x %" PRId64 " multiprocessors = ",
		  limits->resident_blocks, limits->multiprocessors);
	add_number(limit, out);
	text_add(out, ": launch fewer blocks, or of fewer threads, registers or shared memory");
	return true;
}

static bool find_cluster_size(const struct launch *launch, struct text *out)
{
	if (launch->limits->function_any_cluster != 0 ||
	    !is_more_than(launch->shape->cluster, PORTABLE_CLUSTER))
		return false;
	text_add(out, "a cluster of ");
	add_number(volume(launch->shape->cluster), out);
	text_addf(out,
		  " blocks > %d: make it smaller, or allow it by cuFuncSetAttribute(NON_PORTABLE_"
		  "CLUSTER_SIZE_ALLOWED)",
		  PORTABLE_CLUSTER);
	return true;
}

static const struct {
	int32_t code;
	const char *id;
	bool (*find)(const struct launch *launch, struct text *out);
} rules[] = {
	{1, "launch.grid_is_zero", find_grid_zero},
	{1, "launch.block_is_zero", find_block_zero},
	{1, "launch.block_exceeds_device", find_block_dim},
	{1, "launch.block_threads_exceed_device", find_block_threads},
	{1, "launch.grid_exceeds_device", find_grid_dim},
	{1, "launch.device_has_no_clusters", find_no_clusters},
	{701, "launch.registers_exceed_device", find_registers},
	{701, "launch.block_threads_exceed_function", find_function_threads},
	{1, "launch.block_threads_exceed_function", find_bounds},
	{1, "launch.dynamic_shared_exceeds_function", find_shared},
	{720, "launch.cooperative_grid_exceeds_device", find_cooperative},
	{912, "launch.cluster_exceeds_maximum", find_cluster_size},
	{912, "launch.cluster_does_not_divide_grid", find_cluster_divides},
};

const char *launch_explain(const struct launch_shape *shape, const struct launch_limits *limits,
			   int32_t code, struct text *out)
{
	const struct launch launch = {shape, limits};
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (rules[i].code == code && rules[i].find(&launch, out))
			return rules[i].id;
	}
	return NULL;
}

bool launch_has_rule(int32_t code)
{
	bool has_one = false;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		has_one = has_one || rules[i].code == code;
	return has_one;
}
