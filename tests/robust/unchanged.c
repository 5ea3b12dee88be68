/*
 * unchanged.c - a host that compares its own state around every call: errno, the signal mask, the
 * floating-point environment, the locale, the umask and the working directory.
 */
#include <errno.h>
#include <fenv.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"
#include "scenarios.h"

enum { HOST_ERRNO = 4711, HOST_UMASK = 0137 };

struct state {
	sigset_t mask;
	fenv_t floats;
	locale_t locale;
	char directory[PATH_MAX];
	int cancellation;
};

static void take_state(struct state *out)
{
	memset(out, 0, sizeof(*out));
	NEED_TRUE(pthread_sigmask(SIG_SETMASK, NULL, &out->mask) == 0);
	NEED_TRUE(fegetenv(&out->floats) == 0);
	out->locale = uselocale((locale_t)0);
	NEED_TRUE(getcwd(out->directory, sizeof(out->directory)));
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &out->cancellation);
}

static void prepare(void)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR2);
	sigaddset(&mask, SIGWINCH);
	NEED_TRUE(pthread_sigmask(SIG_SETMASK, &mask, NULL) == 0);
	NEED_TRUE(fesetround(FE_TOWARDZERO) == 0);
	NEED_TRUE(feclearexcept(FE_ALL_EXCEPT) == 0 && feraiseexcept(FE_INEXACT) == 0);
	umask(HOST_UMASK);
}

static struct state before;

static void begin(void)
{
	take_state(&before);
	errno = HOST_ERRNO;
}

/*
 * Print what has changed although no call of the driver should change it. errno may change and is
 * printed as it is.
 */
static void end(const char *call, CUresult result, int error)
{
	struct state after;

	take_state(&after);
	printf("%s: %d, errno %d\n", call, (int)result, error);
	if (memcmp(&after, &before, sizeof(after)) != 0)
		printf("%s has changed the thread's state\n", call);
	if (umask(HOST_UMASK) != HOST_UMASK)
		printf("%s has changed the umask\n", call);
}

#define LOOK_AT(name, arguments)                   \
	do {                                       \
		begin();                           \
		CUresult result_ = name arguments; \
		end(#name, result_, errno);        \
	} while (0)
#define LOOK(name, ...) LOOK_AT(name, (__VA_ARGS__))

static void CUDA_CB do_nothing(void *unused)
{
	(void)unused;
}

static void look_at_memory(void)
{
	char bytes[64] = "";
	CUdeviceptr memory = 0, other = 0;
	void *pinned = NULL;
	size_t free_bytes, total_bytes;

	LOOK(cuMemAlloc, &memory, 4096);
	LOOK(cuMemAlloc, &other, SIZE_MAX / 2);
	LOOK(cuMemcpyHtoD, memory, bytes, sizeof(bytes));
	LOOK(cuMemcpyDtoH, bytes, memory, sizeof(bytes));
	LOOK(cuMemcpyDtoHAsync, bytes, memory, sizeof(bytes), NULL);
	LOOK(cuMemsetD8, memory, 0, 64);
	LOOK(cuMemsetD32Async, memory, 0, 16, NULL);
	LOOK(cuMemGetInfo, &free_bytes, &total_bytes);
	LOOK(cuMemHostAlloc, &pinned, 4096, 0);
	LOOK(cuMemFreeHost, pinned);
	LOOK(cuMemFree, memory);
	LOOK(cuMemFree, 0);
	LOOK(cuMemFree, 12345);
}

static void look_at_streams(void)
{
	CUstream stream = NULL;
	CUevent event = NULL;

	LOOK(cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
	LOOK(cuEventCreate, &event, CU_EVENT_DISABLE_TIMING);
	LOOK(host_fill, stream);
	LOOK(host_fill, CU_STREAM_PER_THREAD);
	LOOK(cuEventRecord, event, stream);
	LOOK(cuStreamWaitEvent, CU_STREAM_PER_THREAD, event, 0);
	LOOK(cuEventSynchronize, event);
	LOOK(cuEventQuery, event);
	LOOK(cuLaunchHostFunc, stream, do_nothing, NULL);
	LOOK(cuStreamSynchronize, stream);
	LOOK(cuStreamQuery, stream);
	LOOK(cuStreamSynchronize, (CUstream)0x12340);
	LOOK(cuEventDestroy, event);
	LOOK(cuStreamDestroy, stream);
}

static void look_at_modules(void)
{
	char path[2 * PATH_MAX];
	CUmodule module = NULL;
	CUfunction function = NULL;
	void *address = NULL;

	host_kernel_path("spin", path, sizeof(path));
	LOOK(cuModuleLoad, &module, path);
	LOOK(cuModuleGetFunction, &function, module, "spin");
	LOOK(cuModuleGetFunction, &function, module, "no such kernel");
	LOOK(cuModuleUnload, module);
	LOOK(cuModuleLoad, &module, "/no/such/file");
	LOOK(cuGetProcAddress, "cuLaunchKernel", &address, 12000, 0, NULL);
	LOOK(cuGetProcAddress, "cuNoSuchCall", &address, 12000, 0, NULL);
}

static void look_at_contexts(void)
{
	CUcontext context = NULL, popped = NULL;

	LOOK(cuCtxCreate, &context, NULL, 0, 0);
	LOOK_AT(cuCtxSynchronize, ());
	LOOK(cuCtxPopCurrent, &popped);
	LOOK(cuCtxDestroy, context);
	LOOK(cuDevicePrimaryCtxRetain, &context, 0);
	LOOK(cuDevicePrimaryCtxRelease, 0);
}

static void look_at_all(void)
{
	look_at_memory();
	look_at_streams();
	look_at_modules();
	look_at_contexts();
}

static void look_in_thread(unsigned index)
{
	(void)index;
	prepare();
	look_at_all();
}

int state_unchanged(void)
{
	locale_t locale = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);

	NEED_TRUE(locale && uselocale(locale));
	prepare();
	LOOK(cuInit, 0);
	host_open();
	for (int i = 0; i < 3; i++)
		look_at_all();
	host_threads(1, 0, look_in_thread);
	LOOK(host_stray, NULL);
	LOOK_AT(cuCtxSynchronize, ());
	look_at_all();
	return 1;
}
