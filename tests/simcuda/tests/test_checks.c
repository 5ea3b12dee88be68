/*
 * test_checks.c - culprit's checking kernels: what they count, and what they keep from run to run.
 * On a GPU the same program is linked with the driver (tests/gpu/checks).
 */
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/check_format.h"
#include "test.h"

static CUfunction summary, scan;
static struct check_answer *answer;
static CUdeviceptr scratch, counter; /* 0: each check counts its runs */
static unsigned n_runs;

static void load(void)
{
	static char ptx[1 << 20];
	CUmodule module = NULL;
	int fd = open(TEST_CHECK_PTX, O_RDONLY);
	CHECK(fd >= 0 && read(fd, ptx, sizeof(ptx) - 1) > 0);
	close(fd);
	test_start();
	OK(cuModuleLoadData(&module, ptx));
	OK(cuModuleGetFunction(&summary, module, CHECK_KERNEL_NAME));
	OK(cuModuleGetFunction(&scan, module, CHECK_SCAN_NAME));
	answer = (struct check_answer *)test_pinned(sizeof(*answer) / sizeof(int));
	OK(cuMemAlloc(&scratch, sizeof(struct check_scratch)));
	OK(cuMemsetD8(scratch, 0, sizeof(struct check_scratch)));
	OK(cuCtxSynchronize());
}

/* Run a kernel with so many blocks for each range. */
static void run_whole(CUfunction kernel, uint32_t flags, const struct check_range *ranges, size_t n,
		      unsigned blocks, uint32_t longest)
{
	struct check_order order = {.answer = (uint64_t)(uintptr_t)answer,
				    .scratch = scratch,
				    .counter = counter ? counter : scratch,
				    .n_ranges = (uint32_t)n,
				    .n_blocks = (uint32_t)n * blocks,
				    .flags = flags,
				    .longest = longest};
	void *params[] = {&order};
	for (uint32_t i = 0; i < n; i++) {
		order.ranges[i] = ranges[i];
		order.first_blocks[i] = (uint16_t)(i * blocks);
		order.ranges[i].place = i;
	}
	OK(cuLaunchKernel(kernel, order.n_blocks, 1, 1, CHECK_THREADS, 1, 1, 0, NULL, params,
			  NULL));
	OK(cuCtxSynchronize());
	CHECK_EQUAL(answer->run, ++n_runs);
}

static void run_with(CUfunction kernel, uint32_t flags, const struct check_range *ranges, size_t n,
		     unsigned blocks)
{
	run_whole(kernel, flags, ranges, n, blocks, UINT32_MAX);
}

static void run(const struct check_range *ranges, size_t n, unsigned blocks)
{
	run_with(summary, CHECK_NAN_IS_ODD, ranges, n, blocks);
}

static struct check_range on_device(const void *bytes, size_t size, size_t shift, uint32_t type)
{
	CUdeviceptr memory = 0;
	OK(cuMemAlloc(&memory, size + shift));
	OK(cuMemcpyHtoD(memory + shift, bytes, size));
	return (struct check_range){memory + shift, size, type, .version = 1};
}

static struct check_result result_of(const void *bytes, size_t size, size_t shift, uint32_t type,
				     unsigned blocks)
{
	struct check_range range = on_device(bytes, size, shift, type);
	run(&range, 1, blocks);
	OK(cuMemFree(range.address - shift));
	return answer->newest[0];
}

static void check_numbers(const struct check_result *result, double min, double max, double sum)
{
	CHECK(result->min == min);
	CHECK(result->max == max);
	CHECK(result->sum == sum);
}

static void types(void)
{
	const double f64[] = {1, -2, NAN, 4, INFINITY};
	const uint16_t bf16[] = {0x3f80, 0xc000, 0x7fc0, 0x4080, 0xff80};
	const uint16_t f16[] = {0x3c00, 0xc000, 0x7e00, 0x4400, 0xfc00};
	const unsigned char e5m2[] = {0x3c, 0xc0, 0x7e, 0x44, 0x7c};
	const unsigned char e4m3[] = {0x38, 0xc0, 0x7f, 0x48};
	const float f32[] = {1, -2, NAN, 4, -INFINITY};
	const struct {
		uint32_t type;
		const void *bytes;
		size_t size;
	} rows[] = {{CHECK_F64, f64, sizeof(f64)},    {CHECK_BF16, bf16, sizeof(bf16)},
		    {CHECK_F16, f16, sizeof(f16)},    {CHECK_E5M2, e5m2, sizeof(e5m2)},
		    {CHECK_E4M3, e4m3, sizeof(e4m3)}, {CHECK_F32, f32, sizeof(f32)}};
	load();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct check_result result =
			result_of(rows[i].bytes, rows[i].size, 0, rows[i].type, 1);
		bool has_infinity = rows[i].type != CHECK_E4M3;
		CHECK_EQUAL(result.n, has_infinity ? 5 : 4);
		CHECK_EQUAL(result.n_nan, 1);
		CHECK_EQUAL(result.first_nan, 2);
		CHECK_EQUAL(result.n_infinite, has_infinity);
		CHECK_EQUAL(result.first_infinite, has_infinity ? 4 : -1);
		check_numbers(&result, -2, 4, 3);
	}
	const int i32[] = {3, -7, 4};
	struct check_result result = result_of(i32, sizeof(i32), 0, CHECK_I32, 1);
	check_numbers(&result, -7, 4, 0);
}

/* Subnormal numbers, and the largest ones. */
static void small_floats(void)
{
	const uint16_t f16[] = {0x0001, 0x7bff, 0x8400};
	const unsigned char e4m3[] = {0x01, 0x7e, 0x88};
	load();
	struct check_result result = result_of(f16, sizeof(f16), 0, CHECK_F16, 1);
	check_numbers(&result, -0x1p-14, 65504, 0x1p-24 + 65504 - 0x1p-14);
	result = result_of(e4m3, sizeof(e4m3), 0, CHECK_E4M3, 1);
	check_numbers(&result, -0x1p-6, 448, 0x1p-9 + 448 - 0x1p-6);
}

/* The same answer for any number of blocks and any address; another one for another order. */
static void checksums(void)
{
	enum { N = 40001 };
	static float values[N];
	load();
	for (int i = 0; i < N; i++)
		values[i] = (float)i;
	values[N - 1] = values[N - 2] = NAN;
	struct check_result one = result_of(values, sizeof(values), 0, CHECK_F32, 1);
	struct check_result many = result_of(values, sizeof(values), 4, CHECK_F32, 8);
	CHECK_EQUAL(one.n_nan, 2);
	CHECK_EQUAL(many.n_nan, 2);
	CHECK_EQUAL(many.first_nan, N - 2);
	CHECK(one.checksum == many.checksum);
	CHECK(one.sum == many.sum && one.max == many.max);
	values[0] = 1;
	values[1] = 0;
	many = result_of(values, sizeof(values), 0, CHECK_F32, 8);
	CHECK(one.checksum != many.checksum);
	struct check_result bytes = result_of(values, sizeof(values), 1, CHECK_U8, 8);
	CHECK(bytes.checksum == many.checksum);
}

static void guesses(void)
{
	float f32[512];
	double f64[512];
	int i32[512];
	uint16_t bf16[512], f16[512];
	load();
	for (int i = 0; i < 512; i++) {
		f32[i] = (float)sin(i);
		f64[i] = sin(i);
		i32[i] = i - 100;
		bf16[i] = (uint16_t)(0x3e80 + i % 256);
		f16[i] = (uint16_t)(0x2c00 + 12 * i);
	}
	const struct {
		uint32_t type;
		const void *bytes;
		size_t size;
	} rows[] = {{CHECK_F32, f32, sizeof(f32)},
		    {CHECK_F64, f64, sizeof(f64)},
		    {CHECK_I32, i32, sizeof(i32)},
		    {CHECK_BF16, bf16, sizeof(bf16)},
		    {CHECK_F16, f16, sizeof(f16)}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct check_result result =
			result_of(rows[i].bytes, rows[i].size, 0, CHECK_GUESS, 2);
		CHECK_EQUAL(result.type, rows[i].type);
		CHECK(result.flags & CHECK_TYPE_WAS_GUESSED);
	}
	/* A NaN of a guessed type counts if arithmetic makes such. */
	const uint32_t odd[] = {0x7fc00000, 0x3f9d2c41, 0xffffffff, 0x7fa51234,
				0x3f8c7a13, 0xffc00000, 0x3e9d2c47, 0x3f9d2c4b,
				0x3f9a2cfb, 0x3f91249b, 0x3f9d2123, 0x3e1d2477,
				0x3d9f2c4b, 0x3f9a21fb, 0x3f93249b, 0x7fb00001};
	struct check_result nan = result_of(odd, sizeof(odd), 0, CHECK_GUESS, 1);
	CHECK_EQUAL(nan.type, CHECK_F32);
	CHECK_EQUAL(nan.n_nan, 3);
	nan = result_of(odd, sizeof(odd), 0, CHECK_F32, 1);
	CHECK_EQUAL(nan.n_nan, 5);
	/* A hint is a better guess for all but integers. */
	struct check_result result = result_of(f32, sizeof(f32), 0, CHECK_BF16 << 8, 1);
	CHECK_EQUAL(result.type, CHECK_BF16);
	CHECK(result.flags & CHECK_TYPE_WAS_GUESSED);
	result = result_of(i32, sizeof(i32), 0, CHECK_BF16 << 8, 1);
	CHECK_EQUAL(result.type, CHECK_I32);
}

/* The first run with a NaN stays; infinities are not odd unless asked for. */
static void keeps_first(void)
{
	const float clean[] = {1, INFINITY};
	const float odd[] = {1, NAN, NAN};
	load();
	const struct check_range ranges[] = {on_device(clean, sizeof(clean), 0, CHECK_F32),
					     on_device(clean, sizeof(clean), 4, CHECK_F32)};
	run(ranges, 2, 1);
	run(ranges, 2, 1);
	CHECK_EQUAL(answer->first_odd[0].run, 0);
	OK(cuMemcpyHtoD(ranges[1].address, odd, sizeof(clean)));
	run(ranges, 2, 1);
	run(ranges, 2, 1);
	CHECK_EQUAL(answer->first_odd[0].run, 0);
	CHECK_EQUAL(answer->first_odd[1].run, 3);
	CHECK_EQUAL(answer->first_odd[1].n_nan, 1);
	CHECK_EQUAL(answer->newest[1].run, 4);
}

/* The same with the kernel that looks for odd values. A new version of a range is kept anew. */
static void scans(void)
{
	enum { N = 5003 };
	static const struct {
		uint32_t type;
		size_t size;
		uint64_t nan, infinity, greatest;
	} rows[] = {{CHECK_F32, 4, 0xff800001, 0x7f800000, 0x7f7fffff},
		    {CHECK_F64, 8, 0x7ff0000000000001, 0xfff0000000000000, 0x7fefffffffffffff},
		    {CHECK_F16, 2, 0x7c01, 0xfc00, 0xfbff},
		    {CHECK_BF16, 2, 0xff81, 0x7f80, 0x7f7f},
		    {CHECK_E4M3, 1, 0x7f, 0, 0xfe},
		    {CHECK_E5M2, 1, 0xfd, 0x7c, 0x7b}};
	static unsigned char bytes[8 * N];
	uint32_t version = 0;
	load();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (int at = 0; at < N; at += at ? N - 1 : 1234)
			for (unsigned shift = 0; shift < 16; shift += 8) {
				size_t size = rows[i].size * N;
				for (size_t k = 0; k < N; k++)
					memcpy(bytes + k * rows[i].size, &rows[i].greatest,
					       rows[i].size);
				struct check_range range =
					on_device(bytes, size, shift, rows[i].type);
				range.version = ++version;
				CUdeviceptr place = range.address + (size_t)at * rows[i].size;
				run_with(scan, CHECK_NAN_IS_ODD, &range, 1, 3);
				CHECK(answer->first_odd[0].version != version);
				CHECK(answer->newest[0].run != n_runs);
				OK(cuMemcpyHtoD(place, &rows[i].infinity, rows[i].size));
				run_with(scan, CHECK_NAN_IS_ODD, &range, 1, 3);
				CHECK(answer->first_odd[0].version != version);
				OK(cuMemcpyHtoD(place, &rows[i].nan, rows[i].size));
				run_with(scan, CHECK_NAN_IS_ODD, &range, 1, 3);
				run_with(scan, CHECK_NAN_IS_ODD, &range, 1, 3);
				CHECK_EQUAL(answer->first_odd[0].version, version);
				CHECK_EQUAL(answer->first_odd[0].run, n_runs - 1);
				CHECK_EQUAL(answer->first_odd[0].n, N);
				CHECK_EQUAL(answer->first_odd[0].n_nan, 1);
				CHECK_EQUAL(answer->first_odd[0].first_nan, at);
				CHECK_EQUAL(answer->newest[0].run, n_runs);
				CHECK_EQUAL(answer->newest[0].version, version);
				OK(cuMemFree(range.address - shift));
			}
}

/* Ranges among others, infinities, and NaN of a guessed type. */
static void scans_ranges(void)
{
	const float clean[] = {1, 2, 3, 4, 5};
	const float infinite[] = {1, 2, 3, INFINITY, 5};
	const uint32_t unusual[] = {0x7fa51234, 0x3f9d2c41, 0x3f9d2c47, 0x3f8c7a13};
	const int integers[] = {-1, 2, 3, 4};
	load();
	const struct check_range ranges[] = {on_device(clean, sizeof(clean), 4, CHECK_F32),
					     on_device(infinite, sizeof(clean), 0, CHECK_F32),
					     on_device(unusual, sizeof(unusual), 0, CHECK_GUESS),
					     on_device(integers, sizeof(integers), 0, CHECK_GUESS),
					     {0}};
	run_with(scan, CHECK_NAN_IS_ODD, ranges, 5, 2);
	for (int i = 0; i < 5; i++)
		CHECK_EQUAL(answer->first_odd[i].run, 0);
	run_with(scan, CHECK_NAN_IS_ODD | CHECK_INFINITY_IS_ODD, ranges, 5, 2);
	for (int i = 0; i < 5; i++)
		CHECK_EQUAL(answer->first_odd[i].run, i == 1 ? 2 : 0);
	CHECK_EQUAL(answer->first_odd[1].first_infinite, 3);
	const uint32_t usual = 0x7fc00000;
	OK(cuMemcpyHtoD(ranges[2].address, &usual, sizeof(usual)));
	run_with(scan, CHECK_NAN_IS_ODD, ranges, 5, 2);
	CHECK_EQUAL(answer->first_odd[2].run, 3);
	CHECK(answer->first_odd[2].flags & CHECK_TYPE_WAS_GUESSED);
}

/* A range of zeros, with one value after another. Types of floats are guessed, too. */
static void scans_values(void)
{
	const struct {
		uint32_t bits;
		bool is_odd;
	} rows[] = {
		{0x7fc00000, true},  {0xffc00000, true},  {0x7fffffff, true},  {0xffffffff, true},
		{0x7fa00000, false}, {0x7f800000, false}, {0xff800000, false}, {0x7bff7bff, false},
	};
	enum { N = 64 };
	uint32_t values[N];
	load();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (int at = 0; at < N; at += N - 1) {
			for (int k = 0; k < N; k++)
				values[k] = 0x3f9df301;
			values[at] = rows[i].bits;
			struct check_range range =
				on_device(values, sizeof(values), 0, CHECK_GUESS);
			range.version = (uint32_t)i * N + (uint32_t)at + 1;
			run_with(scan, CHECK_NAN_IS_ODD, &range, 1, 1);
			CHECK_EQUAL(answer->first_odd[0].version == range.version, rows[i].is_odd);
			OK(cuMemFree(range.address));
		}
}

/* All NaN are counted if the sample has one. Every line is in the sample of some group. */
static void samples(void)
{
	enum {
		LONGEST = 16 * CHECK_LINE_CHUNKS,
		N_LINES = 2 + 12 * CHECK_SAMPLE_LINES, /* two are read before the sample */
		LINE = CHECK_LINE_CHUNKS * CHECK_CHUNK_BYTES / 4,
	};
	const float nan = NAN;
	static float zeros[(size_t)N_LINES * LINE + 3];
	uint32_t seen = 0; /* bits of lines */
	unsigned n_found = 0;
	load();
	struct check_range range = on_device(zeros, sizeof(zeros), 0, CHECK_F32);
	for (unsigned line = 0; line < N_LINES; line++) {
		CUdeviceptr place = range.address + 4 * (line * LINE + line % LINE);
		range.version = line + 1;
		OK(cuMemcpyHtoD(place, &nan, sizeof(nan)));
		run_whole(scan, CHECK_NAN_IS_ODD, &range, 1, 1 + line % 3, LONGEST);
		bool is_found = answer->first_odd[0].version == range.version;
		CHECK(is_found || line >= 2);
		seen |= (uint32_t)is_found << line % CHECK_SAMPLE_LINES;
		n_found += is_found;
		OK(cuMemsetD32(place, 0, 1));
		OK(cuCtxSynchronize());
	}
	CHECK_EQUAL(n_found, 2 + 12);
	CHECK(__builtin_popcount(seen) > 6);
	/* The incomplete chunk at the end is read, and both NaN are counted. */
	OK(cuMemcpyHtoD(range.address + sizeof(zeros) - 4, &nan, sizeof(nan)));
	OK(cuMemcpyHtoD(range.address + 4 * (N_LINES * LINE / 2), &nan, sizeof(nan)));
	range.version++;
	run_whole(scan, CHECK_NAN_IS_ODD, &range, 1, 2, LONGEST);
	CHECK_EQUAL(answer->first_odd[0].n_nan, 2);
}

/* Another check counts the runs. All blocks are odd, and one of them summarises the range. */
static void counts_elsewhere(void)
{
	static uint32_t values[4096];
	load();
	memset(values, 0xff, sizeof(values)); /* NaN */
	struct check_range range = on_device(values, sizeof(values), 0, CHECK_F32);
	OK(cuMemAlloc(&counter, sizeof(struct check_scratch)));
	for (n_runs = 6; n_runs < 8;) {
		CUdeviceptr runs = counter + offsetof(struct check_scratch, runs);
		OK(cuMemcpyHtoD(runs, &n_runs, sizeof(n_runs)));
		run_with(scan, CHECK_NAN_IS_ODD, &range, 1, 4);
		CHECK_EQUAL(answer->newest[0].run, n_runs);
		CHECK_EQUAL(answer->first_odd[0].run, 7);
		CHECK_EQUAL(answer->first_odd[0].n_nan, 4096);
	}
}

static const struct test_case cases[] = {
	{"types", types, {NULL}},
	{"small_floats", small_floats, {NULL}},
	{"checksums", checksums, {NULL}},
	{"guesses", guesses, {NULL}},
	{"keeps_first", keeps_first, {NULL}},
	{"scans", scans, {NULL}},
	{"scans_ranges", scans_ranges, {NULL}},
	{"scans_values", scans_values, {NULL}},
	{"samples", samples, {NULL}},
	{"counts_elsewhere", counts_elsewhere, {NULL}},
};

TEST_MAIN(cases)
