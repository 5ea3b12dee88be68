/*
 * fake_driver.c - a libcuda.so.1 that does nothing, in the ways that have broken interposers: it
 * looks up its own functions through dlsym, lacks entry points or has more than cuda.h knows, and
 * answers 4 once the process is ending. simcuda is the driver for everything that needs a GPU.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/driver_calls.h"

#define EXPORT __attribute__((visibility("default")))

static _Atomic unsigned n_calls[N_DRIVER_CALLS];
static _Atomic bool is_ending;

/* Return the number of calls of the entry point CALL. */
EXPORT unsigned fake_count(const char *name);
EXPORT CUresult cuLaunchFuture(void);

static CUresult answer(enum driver_call call)
{
	atomic_fetch_add(&n_calls[call], 1);
	return atomic_load(&is_ending) ? CUDA_ERROR_DEINITIALIZED : CUDA_SUCCESS;
}

#define QUIET(name, params)                                       \
	EXPORT __attribute__((weak)) CUresult CUDAAPI name params \
	{                                                         \
		return answer(CALL_##name);                       \
	}
#define BY_HAND(name, params)
#define BODY_PLAIN        QUIET
#define BODY_HOOK         BY_HAND
#define BODY_LAUNCH       QUIET
#define BODY_GRAPH_LAUNCH QUIET
#define BODY_COPY         QUIET
#define BODY_MEMSET       QUIET
#define BODY_MEMOP        QUIET
#define BODY_HOST_FUNC    QUIET
#define BODY_EVENT_RECORD QUIET
#define BODY_EVENT_WAIT   QUIET
#define BODY_SYNC         QUIET
#define BODY_QUERY        QUIET
#define BODY_ALLOC        QUIET
#define BODY_FREE         QUIET
#define BODY_CREATE       QUIET
#define BODY_CLEANUP      QUIET
#define BODY_CONTEXT      QUIET
#define BODY_CAPTURE      QUIET
#define BODY_GRAPH        QUIET
#define BODY_GRAPH_EVENT  QUIET
#define BODY_MODULE       QUIET
#define BODY_LOOKUP       QUIET
#define BODY_LOG          QUIET
#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, ...) \
	BODY_##role(name, params)
#include "base/driver_calls.def"
#undef DRIVER_CALL

static const struct {
	const char *name;
	int since;
	void *address;
} functions[] = {
#define DRIVER_CALL(name, family, role, cleanup, since, ...) {#name, since, (void *)name},
#include "base/driver_calls.def"
#undef DRIVER_CALL
	{"cuLaunchFuture", 99000, (void *)cuLaunchFuture},
};
enum { N_FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

unsigned fake_count(const char *name)
{
	for (size_t i = 0; i < N_DRIVER_CALLS; i++)
		if (!strcmp(driver_calls[i].name, name))
			return n_calls[i];
	return UINT32_MAX;
}

/* A function that only a newer driver has. */
CUresult cuLaunchFuture(void)
{
	return CUDA_SUCCESS;
}

/*
 * Look up a function as the real driver does, from inside cuInit through dlsym; it must get its own
 * code.
 */
static bool finds_itself(void)
{
	void *self = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	bool is_self = self && dlsym(self, "cuInit") == (void *)cuInit &&
		       dlsym(self, "cuLaunchKernel") == (void *)cuLaunchKernel;

	if (self)
		dlclose(self);
	return is_self;
}

static void end(void)
{
	atomic_store(&is_ending, true);
}

/* Like the real driver, it shuts down in an exit handler that it registers here. */
EXPORT CUresult CUDAAPI cuInit(unsigned int Flags)
{
	if (Flags || atexit(end))
		return CUDA_ERROR_INVALID_VALUE;
	return finds_itself() ? answer(CALL_cuInit) : CUDA_ERROR_UNKNOWN;
}

/* True if ENTRY is the plain NAME, or NAME_v and a number. */
static bool is_version_of(const char *entry, const char *name)
{
	size_t length = strlen(name);

	if (strncmp(entry, name, length) != 0)
		return false;
	return !entry[length] || (!strncmp(entry + length, "_v", 2) &&
				  !entry[length + 2 + strspn(entry + length + 2, "0123456789")]);
}

/* Return the newest variant that VERSION of the API knew, as the real driver chooses. */
static void *find_version(const char *name, int version)
{
	int best = -1;
	void *found = NULL;

	for (size_t i = 0; i < N_FUNCTIONS; i++) {
		if (!is_version_of(functions[i].name, name) || functions[i].since > version ||
		    functions[i].since <= best)
			continue;
		best = functions[i].since;
		found = functions[i].address;
	}
	return found;
}

EXPORT CUresult CUDAAPI cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion,
					 cuuint64_t flags)
{
	void *found = find_version(symbol, cudaVersion);

	(void)flags;
	if (!found)
		return CUDA_ERROR_NOT_FOUND;
	*pfn = found;
	return answer(CALL_cuGetProcAddress);
}

EXPORT CUresult CUDAAPI cuGetProcAddress_v2(const char *symbol, void **pfn, int cudaVersion,
					    cuuint64_t flags,
					    CUdriverProcAddressQueryResult *symbolStatus)
{
	CUresult result = cuGetProcAddress(symbol, pfn, cudaVersion, flags);

	if (symbolStatus)
		*symbolStatus = result == CUDA_SUCCESS ? CU_GET_PROC_ADDRESS_SUCCESS
						       : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	return result;
}

EXPORT CUresult CUDAAPI cuGetErrorString(CUresult error, const char **pStr)
{
	*pStr = error == CUDA_SUCCESS ? "no error" : "some error";
	return CUDA_SUCCESS;
}
