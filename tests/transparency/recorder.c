/*
 * recorder.c - an exported function for every driver call, and the entry points through which a
 * program finds them. Each function calls culprit's wrapper if culprit is preloaded too, otherwise
 * the driver. Calls that the driver and culprit make themselves are not recorded.
 */
#include "recorder.h"

#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "base/driver_calls.h"
#include "base/elf_lookup.h"
#include "recorder_line.h"

#define EXPORT __attribute__((visibility("default")))

/* Written by find_next under the lock, read once is_found says so. */
static struct {
#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, ...) \
	CUresult(CUDAAPI *name) params;
#include "base/driver_calls.def"
#undef DRIVER_CALL
} next;
static _Atomic bool is_found;

/* The same addresses by number, to find the call of an address. */
static const void *next_addresses[N_DRIVER_CALLS];

/*
 * Find the next definition. A program that opens the driver itself does not have it among the
 * libraries that it started with.
 */
static const void *find_behind(const char *name, const struct elf_object *driver)
{
	const void *address = elf_next_startup_symbol(name, _DYNAMIC);

	return address || !driver ? address : elf_object_symbol(driver, name);
}

static void fill(const struct elf_object *driver)
{
	const void *address;

#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, ...) \
	address = find_behind(#name, driver);                                                \
	next.name = (CUresult(CUDAAPI *) params)(uintptr_t)address;                          \
	next_addresses[CALL_##name] = address;
#include "base/driver_calls.def"
#undef DRIVER_CALL
}

/* True if the next definitions are known, which needs the driver to be loaded. */
static bool find_next(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct elf_object driver;
	bool has_driver;

	if (is_found)
		return true;
	pthread_mutex_lock(&lock);
	has_driver = elf_object_find("libcuda.so.1", _DYNAMIC, &driver) == 0;
	if (!is_found && (has_driver || elf_next_startup_symbol("cuInit", _DYNAMIC))) {
		fill(has_driver ? &driver : NULL);
		is_found = true;
	}
	pthread_mutex_unlock(&lock);
	return is_found;
}

/*
 * True if the call's outputs are the same in each run and do not depend on what else the GPU holds.
 */
static bool has_stable_outs(enum driver_call call)
{
	return call != CALL_cuMemGetInfo && call != CALL_cuMemGetInfo_v2 &&
	       call != CALL_cuDeviceGetLuid;
}

/* _Generic selects by type, and an enumeration has the type unsigned int here. */
#define KIND(argument) \
	_Generic((argument),             \
		int *: OUT_INT,          \
		unsigned int *: OUT_UNSIGNED, \
		size_t *: OUT_SIZE,      \
		char *: OUT_TEXT,        \
		const char **: OUT_TEXT_POINTER, \
		CUcontext *: OUT_HANDLE, \
		CUstream *: OUT_HANDLE,  \
		CUevent *: OUT_HANDLE,   \
		CUmodule *: OUT_HANDLE,  \
		CUfunction *: OUT_HANDLE, \
		CUgraph *: OUT_HANDLE,   \
		CUgraphExec *: OUT_HANDLE, \
		default: OUT_NONE)

#define OUT(argument) line_add_out(&line_, KIND(argument), (const void *)&(argument));

/* OUTS(a, b, c) is OUT(a) OUT(b) OUT(c), for up to 16 arguments: no call has more. */
#define OUTS_0()
#define OUTS_1(a)       OUT(a)
#define OUTS_2(a, ...)  OUT(a) OUTS_1(__VA_ARGS__)
#define OUTS_3(a, ...)  OUT(a) OUTS_2(__VA_ARGS__)
#define OUTS_4(a, ...)  OUT(a) OUTS_3(__VA_ARGS__)
#define OUTS_5(a, ...)  OUT(a) OUTS_4(__VA_ARGS__)
#define OUTS_6(a, ...)  OUT(a) OUTS_5(__VA_ARGS__)
#define OUTS_7(a, ...)  OUT(a) OUTS_6(__VA_ARGS__)
#define OUTS_8(a, ...)  OUT(a) OUTS_7(__VA_ARGS__)
#define OUTS_9(a, ...)  OUT(a) OUTS_8(__VA_ARGS__)
#define OUTS_10(a, ...) OUT(a) OUTS_9(__VA_ARGS__)
#define OUTS_11(a, ...) OUT(a) OUTS_10(__VA_ARGS__)
#define OUTS_12(a, ...) OUT(a) OUTS_11(__VA_ARGS__)
#define OUTS_13(a, ...) OUT(a) OUTS_12(__VA_ARGS__)
#define OUTS_14(a, ...) OUT(a) OUTS_13(__VA_ARGS__)
#define OUTS_15(a, ...) OUT(a) OUTS_14(__VA_ARGS__)
#define OUTS_16(a, ...) OUT(a) OUTS_15(__VA_ARGS__)
#define CHOOSE(_0, _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, chosen, \
	       ...)                                                                               \
	chosen
#define OUTS(...)                                                                                \
	CHOOSE(_0, ##__VA_ARGS__, OUTS_16, OUTS_15, OUTS_14, OUTS_13, OUTS_12, OUTS_11, OUTS_10, \
	       OUTS_9, OUTS_8, OUTS_7, OUTS_6, OUTS_5, OUTS_4, OUTS_3, OUTS_2, OUTS_1, OUTS_0)   \
	(__VA_ARGS__)

/* cuGetProcAddress returns further functions; their calls are recorded as well. */
static void look_at_answer(struct line *line, enum driver_call call, const void *arguments)
{
	const struct args_cuGetProcAddress *looked_up = arguments; /* v2 has one argument more */
	const char *name = NULL;
	const void *wrapper;

	if ((call != CALL_cuGetProcAddress && call != CALL_cuGetProcAddress_v2) || !looked_up->pfn)
		return;
	wrapper = recorder_wrapper(*looked_up->pfn, &name);
	if (wrapper)
		*looked_up->pfn = (void *)(uintptr_t)wrapper;
	line_add(line, " %s -> %s", looked_up->symbol,
		 name ? name : (*looked_up->pfn ? "another address" : "NULL"));
}

#define UNPACK(...) __VA_ARGS__

#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, args, ...) \
	EXPORT CUresult CUDAAPI name params                                                        \
	{                                                                                          \
		struct args_##name arguments_ = {UNPACK args};                                     \
		struct line line_;                                                                 \
		CUresult result_;                                                                  \
		if (!find_next() || !next.name)                                                    \
			return CUDA_ERROR_NOT_SUPPORTED;                                           \
		result_ = next.name args;                                                          \
		line_begin(&line_);                                                                \
		line_add(&line_, " %s %d", #name, (int)result_);                                   \
		if (result_ == CUDA_SUCCESS && has_stable_outs(CALL_##name)) {                     \
			OUTS args                                                                  \
		}                                                                                  \
		if (result_ == CUDA_SUCCESS)                                                       \
			look_at_answer(&line_, CALL_##name, &arguments_);                          \
		line_write(&line_);                                                                \
		return result_;                                                                    \
	}
#include "base/driver_calls.def"
#undef DRIVER_CALL

static const void *const wrappers[N_DRIVER_CALLS] = {
#define DRIVER_CALL(name, ...) [CALL_##name] = (const void *)name,
#include "base/driver_calls.def"
#undef DRIVER_CALL
};

const void *recorder_wrapper(const void *address, const char **out_name)
{
	if (!address || !find_next())
		return NULL;
	for (size_t i = 0; i < N_DRIVER_CALLS; i++)
		if (next_addresses[i] == address) {
			*out_name = driver_calls[i].name;
			return wrappers[i];
		}
	return NULL;
}
