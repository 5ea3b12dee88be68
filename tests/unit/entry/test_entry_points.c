/*
 * test_entry_points.c - each wrapper passes every argument and the result through unchanged, runs
 * the pipeline as its role says, and hands over the arguments as the table describes them.
 *
 * A function does not care what its arguments mean here, so all are called alike: with more
 * integers, floating-point numbers and stack words than any of them takes. The right outcome is
 * found by calling the stand-in for the driver's function directly, with the same words.
 */
#include <assert.h>
#include <stdint.h>

#include "call/call.h"
#include "call/call_scope.h"
#include "call/lifecycle.h"
#include "culprit.h"
#include "entry/entry.h"
#include "entry/process.h"
#include "entry/raw_call.h"
#include "entry/symbol_lookup.h"
#include "failure/error_string.h"
#include "failure/event_check.h"
#include "failure/failure.h"
#include "record/driver/driver.h"
#include "support/check.h"

enum { MAX_ARGS_BYTES = 512 };

/* The arguments as the driver saw them, in the layout of args_<name>. */
static struct {
	unsigned n_calls;
	enum driver_call id;
	CUresult result; /* the result to return */
	unsigned char args[MAX_ARGS_BYTES];
} driver_side;

/* The pipeline's calls as it saw them, and the results that it is to return. */
static struct {
	bool is_open;         /* call_enter returns */
	bool is_doubting;     /* call_is_doubted returns */
	CUresult replacement; /* call_leave and call_scope_failed return */
	unsigned n_entered, n_left, n_failed, n_ready, n_strings;
	enum driver_call id;
	CUresult result;
	unsigned char args[MAX_ARGS_BYTES];
} pipeline;

static size_t args_size(enum driver_call id)
{
	static const size_t sizes[] = {
#define DRIVER_CALL(name, ...) [CALL_##name] = sizeof(struct args_##name),
#include "base/driver_calls.def"
#undef DRIVER_CALL
	};
	return sizes[id];
}

static CUresult record(enum driver_call id, const void *args, size_t size)
{
	driver_side.n_calls++;
	driver_side.id = id;
	memcpy(driver_side.args, args, size);
	return driver_side.result;
}

#define UNPACK(...) __VA_ARGS__
#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, args, ...) \
	static CUresult stand_in_##name params                                                     \
	{                                                                                          \
		struct args_##name got = {UNPACK args};                                            \
		static_assert(sizeof(got) <= MAX_ARGS_BYTES, #name);                               \
		return record(CALL_##name, &got, sizeof(got));                                     \
	}
#include "base/driver_calls.def"
#undef DRIVER_CALL

bool call_enter(struct call *call, enum driver_call id, const void *args, void *frame)
{
	CHECK(frame != NULL);
	*call = (struct call){.id = id};
	pipeline.n_entered++;
	memcpy(pipeline.args, args, args_size(id));
	return pipeline.is_open;
}

CUresult call_leave(struct call *call, CUresult result)
{
	pipeline.n_left++;
	pipeline.id = call->id;
	pipeline.result = result;
	return pipeline.replacement;
}

bool launch_enter(struct call *call, enum driver_call id, const void *args, void *frame)
	__attribute__((alias("call_enter")));
CUresult launch_leave(struct call *call, CUresult result) __attribute__((alias("call_leave")));

bool coredumps_watched = true; /* so that each success is checked */

bool call_is_doubted(enum driver_call id)
{
	(void)id;
	return pipeline.is_doubting;
}

CUresult call_scope_failed(enum driver_call id, CUresult result, void *frame)
{
	CHECK(frame != NULL);
	pipeline.n_failed++;
	pipeline.id = id;
	pipeline.result = result;
	return pipeline.replacement;
}

void error_string_annotate(CUresult error, const char **text)
{
	CHECK_EQUAL(error, CUDA_ERROR_ILLEGAL_ADDRESS);
	*text = "longer text";
	pipeline.n_strings++;
}

CUresult event_check_error(CUresult *out_result, CUevent event, unsigned int flags)
{
	CHECK_EQUAL((uintptr_t)event, 0x1234);
	CHECK_EQUAL(flags, 5);
	*out_result = CUDA_ERROR_NOT_READY;
	return CUDA_ERROR_INVALID_HANDLE;
}

CUresult failure_reported(const char **out_headline, const char **out_directory)
{
	*out_headline = "headline";
	*out_directory = "bundle";
	return CUDA_ERROR_ILLEGAL_ADDRESS;
}

bool lifecycle_disabled(void)
{
	return false;
}

void process_driver_ready(void)
{
	pipeline.n_ready++;
}

bool symbol_is_ours(const void *address)
{
	return address == (const void *)(uintptr_t)symbol_is_ours;
}

static void install_stand_ins(void)
{
#define DRIVER_CALL(name, ...) __atomic_store_n(&real.name, stand_in_##name, __ATOMIC_RELAXED);
#include "base/driver_calls.def"
#undef DRIVER_CALL
}

static const void *const stand_ins[] = {
#define DRIVER_CALL(name, ...) [CALL_##name] = (const void *)stand_in_##name,
#include "base/driver_calls.def"
#undef DRIVER_CALL
};

/* The bytes of args_<name> that are arguments: those that follow the words. */
static void find_argument_bytes(enum driver_call id, bool *out_is_argument)
{
	struct raw_words zeros = raw_call_words(0, 0);
	struct raw_words ones = raw_call_words(0xff, 0);
	raw_call(stand_ins[id], &zeros);
	unsigned char with_zeros[MAX_ARGS_BYTES];
	memcpy(with_zeros, driver_side.args, MAX_ARGS_BYTES);
	raw_call(stand_ins[id], &ones);
	for (size_t i = 0; i < args_size(id); i++)
		out_is_argument[i] = driver_side.args[i] != with_zeros[i];
}

static void check_args(enum driver_call id, const unsigned char *got, const unsigned char *wanted)
{
	size_t n_bytes = 0;
	unsigned char kept[MAX_ARGS_BYTES];
	memcpy(kept, got, sizeof(kept));
	bool is_argument[MAX_ARGS_BYTES];
	find_argument_bytes(id, is_argument);
	for (size_t i = 0; i < args_size(id); i++) {
		n_bytes += is_argument[i];
		if (!is_argument[i] || kept[i] == wanted[i])
			continue;
		fprintf(stderr, "%s: byte %zu of its arguments is wrong\n", driver_calls[id].name,
			i);
		exit(1);
	}
	/* A call without arguments has a structure of one byte. */
	CHECK((n_bytes > 0) == (args_size(id) > 1));
}

/* Make one call of the wrapper; *wanted is what the driver should see. */
static CUresult call_wrapper(enum driver_call id, CUresult result, unsigned char *wanted)
{
	struct raw_words words = raw_call_words(17, 29);
	memset(&driver_side, 0, sizeof(driver_side));
	raw_call(stand_ins[id], &words);
	memcpy(wanted, driver_side.args, MAX_ARGS_BYTES);
	driver_side.n_calls = 0;
	driver_side.result = result;
	pipeline.n_entered = pipeline.n_left = pipeline.n_failed = 0;
	CUresult returned = raw_call(entry_points[id], &words);
	CHECK_EQUAL(driver_side.n_calls, 1);
	CHECK_EQUAL(driver_side.id, id);
	return returned;
}

static void test_plain(enum driver_call id)
{
	pipeline.replacement = CUDA_ERROR_INVALID_VALUE;
	unsigned char wanted[MAX_ARGS_BYTES];
	CHECK_EQUAL(call_wrapper(id, CUDA_SUCCESS, wanted), CUDA_SUCCESS);
	CHECK_EQUAL(pipeline.n_failed + pipeline.n_entered, 0);
	check_args(id, driver_side.args, wanted);
}

static void test_plain_failure(enum driver_call id)
{
	pipeline.replacement = CUDA_ERROR_INVALID_VALUE;
	unsigned char wanted[MAX_ARGS_BYTES];
	CHECK_EQUAL(call_wrapper(id, CUDA_ERROR_ILLEGAL_ADDRESS, wanted), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQUAL(pipeline.n_failed, 1);
	CHECK_EQUAL(pipeline.n_entered, 0);
	CHECK_EQUAL(pipeline.id, id);
	CHECK_EQUAL(pipeline.result, CUDA_ERROR_ILLEGAL_ADDRESS);
	check_args(id, driver_side.args, wanted);
}

/* A success that hides a failure is handled like an error. */
static void test_plain_doubted(enum driver_call id)
{
	pipeline.replacement = CUDA_ERROR_ASSERT;
	pipeline.is_doubting = true;
	unsigned char wanted[MAX_ARGS_BYTES];
	CHECK_EQUAL(call_wrapper(id, CUDA_SUCCESS, wanted), CUDA_ERROR_ASSERT);
	pipeline.is_doubting = false;
	CHECK_EQUAL(pipeline.n_failed, 1);
	CHECK_EQUAL(pipeline.result, CUDA_SUCCESS);
}

static void test_recorded(enum driver_call id)
{
	pipeline.is_open = true;
	pipeline.replacement = CUDA_ERROR_INVALID_VALUE;
	unsigned char wanted[MAX_ARGS_BYTES];
	CHECK_EQUAL(call_wrapper(id, CUDA_ERROR_NOT_READY, wanted), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQUAL(pipeline.n_entered, 1);
	CHECK_EQUAL(pipeline.n_left, 1);
	CHECK_EQUAL(pipeline.id, id);
	CHECK_EQUAL(pipeline.result, CUDA_ERROR_NOT_READY);
	check_args(id, driver_side.args, wanted);
	check_args(id, pipeline.args, wanted);
}

/*
 * The pipeline does not want the call: the driver's own answer is returned, and nothing else
 * happens.
 */
static void test_passed_through(enum driver_call id)
{
	pipeline.is_open = false;
	pipeline.replacement = CUDA_ERROR_INVALID_VALUE;
	unsigned char wanted[MAX_ARGS_BYTES];
	CHECK_EQUAL(call_wrapper(id, CUDA_ERROR_NOT_READY, wanted), CUDA_ERROR_NOT_READY);
	CHECK_EQUAL(pipeline.n_entered, 1);
	CHECK_EQUAL(pipeline.n_left, 0);
	check_args(id, driver_side.args, wanted);
}

static void test_each(void)
{
	for (enum driver_call id = 0; id < N_DRIVER_CALLS; id++) {
		enum call_role role = driver_calls[id].role;
		if (role == ROLE_PLAIN) {
			test_plain(id);
			test_plain_doubted(id);
		}
		if (role == ROLE_PLAIN || role == ROLE_HOOK) {
			test_plain_failure(id);
			continue;
		}
		test_recorded(id);
		test_passed_through(id);
	}
}

static void test_init(void)
{
	driver_side.result = CUDA_SUCCESS;
	pipeline.n_ready = 0;
	CHECK_EQUAL(cuInit(0), CUDA_SUCCESS);
	CHECK_EQUAL(pipeline.n_ready, 1);
	driver_side.result = CUDA_ERROR_NO_DEVICE;
	CHECK_EQUAL(cuInit(0), pipeline.replacement);
	CHECK_EQUAL(pipeline.n_ready, 1);
}

static void test_error_string(void)
{
	const char *text = "text";
	driver_side.result = CUDA_SUCCESS;
	CHECK_EQUAL(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text), CUDA_SUCCESS);
	CHECK_STRING(text, "longer text");
	driver_side.result = CUDA_ERROR_INVALID_VALUE;
	cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text);
	CHECK_EQUAL(pipeline.n_strings, 1);
}

/* The stand-in leaves the address as it is: not the driver's, not ours, then ours. */
static void test_unknown_address(void)
{
	void *address = NULL;
	driver_side.result = CUDA_SUCCESS;
	CHECK_EQUAL(cuGetProcAddress("cuNone", &address, 13000, 0), CUDA_SUCCESS);
	CHECK_EQUAL(cuGetProcAddress("cuNone", NULL, 13000, 0), CUDA_SUCCESS);
	CHECK_EQUAL(driver_unknown_calls(), 0);
	address = &driver_side;
	CHECK_EQUAL(cuGetProcAddress_v2("cuMemFuture", &address, 13000, 0, NULL), CUDA_SUCCESS);
	CHECK(address == &driver_side);
	CHECK_EQUAL(driver_unknown_calls(), 1);
	CHECK(!driver_unknown_launch());
	address = (void *)(uintptr_t)symbol_is_ours;
	CHECK_EQUAL(cuGetProcAddress_v2("cuLaunchNew", &address, 13000, 0, NULL), CUDA_SUCCESS);
	CHECK_EQUAL(driver_unknown_calls(), 1);
}

static void test_extension(void)
{
	CUresult result = CUDA_SUCCESS;
	CHECK_EQUAL(cuEventCheckError(&result, (CUevent)0x1234, 5), CUDA_ERROR_INVALID_HANDLE);
	CHECK_EQUAL(result, CUDA_ERROR_NOT_READY);
}

int main(void)
{
	install_stand_ins();
	test_each();
	test_init();
	test_error_string();
	test_unknown_address();
	test_extension();
	return 0;
}
