/*
 * overtaken.c - hosts in which a thread destroys an object that another thread's launch is about to
 * use. The launch is held while culprit reads its arguments, before it reaches the driver: one
 * argument is in an unreadable page, and the signal's handler waits. Without culprit the launch
 * would reach the driver first. Needs culprit, and libtold_yields.so before it.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

/* The objects that a launch needs. One of them is destroyed while the launch is held. */
struct target {
	CUcontext context;
	CUmodule module;
	CUlibrary library;
	CUgreenCtx green;
	CUstream stream;
	CUfunction spin;
	bool is_met; /* has the launching thread used it before? */
};

struct kind {
	const char *name;
	void (*make)(struct target *target);
	CUresult (*end)(const struct target *target);
};

static CUcontext home;
static struct target target;
static unsigned *held_argument; /* alone in its page */
static long page_size;
static sem_t is_held, may_go_on, is_back;
static CUresult launched;
static struct sigaction others;
static sigjmp_buf way_out;
static _Atomic bool is_to_leave;
static pthread_t ender;
static _Atomic unsigned n_waited;

static void wait_for(sem_t *sem)
{
	while (sem_wait(sem))
		;
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
	if (info->si_addr != held_argument) {
		others.sa_sigaction(signal, info, context);
		return;
	}
	sem_post(&is_held);
	if (atomic_load(&is_to_leave))
		siglongjmp(way_out, 1);
	wait_for(&may_go_on);
	(void)mprotect(held_argument, (size_t)page_size, PROT_READ | PROT_WRITE);
}

/* Let the launch continue once it is waited for, so that it is never late. */
static void on_yield(void)
{
	if (!pthread_equal(pthread_self(), ender) || atomic_fetch_add(&n_waited, 1) ||
	    atomic_load(&is_to_leave))
		return;
	sem_post(&may_go_on);
	wait_for(&is_back);
}

static void hold_next(void)
{
	NEED_TRUE(!mprotect(held_argument, (size_t)page_size, PROT_NONE));
}

static CUresult launch(unsigned *microseconds)
{
	unsigned tag = 3;
	void *parameters[] = {&tag, microseconds};

	return cuLaunchKernel(target.spin, 1, 1, 1, 1, 1, 1, 0, target.stream, parameters, NULL);
}

static void *launch_held(void *unused)
{
	unsigned microseconds = 1;

	NEED(cuCtxSetCurrent(target.context));
	if (target.is_met)
		NEED(launch(&microseconds));
	hold_next();
	launched = launch(held_argument);
	sem_post(&is_back);
	return unused;
}

static void load(void)
{
	char path[4096];

	host_kernel_path("spin", path, sizeof(path));
	NEED(cuModuleLoad(&target.module, path));
	NEED(cuModuleGetFunction(&target.spin, target.module, "spin"));
}

static void make_stream(struct target *made)
{
	made->spin = host_kernel("spin");
	NEED(cuStreamCreate(&made->stream, CU_STREAM_NON_BLOCKING));
}

static void make_met_stream(struct target *made)
{
	make_stream(made);
	made->is_met = true;
}

static void make_module(struct target *made)
{
	(void)made;
	load();
}

static void make_library(struct target *made)
{
	char path[4096];

	host_kernel_path("spin", path, sizeof(path));
	NEED(cuLibraryLoadFromFile(&made->library, path, NULL, NULL, 0, NULL, NULL, 0));
	NEED(cuLibraryGetKernel((CUkernel *)&made->spin, made->library, "spin"));
}

static void make_context(struct target *made)
{
	NEED(cuCtxCreate(&made->context, NULL, 0, 0));
	load();
	NEED(cuStreamCreate(&made->stream, CU_STREAM_NON_BLOCKING));
}

static void make_primary(struct target *made)
{
	NEED(cuDevicePrimaryCtxRetain(&made->context, 1));
	NEED(cuCtxSetCurrent(made->context));
	load();
}

static void make_green(struct target *made)
{
	CUdevResource all, share;
	CUdevResourceDesc description;
	unsigned n_groups = 1;

	NEED(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
	NEED(cuDevSmResourceSplitByCount(&share, &n_groups, &all, NULL, 0, 16));
	NEED(cuDevResourceGenerateDesc(&description, &share, 1));
	NEED(cuGreenCtxCreate(&made->green, description, 0, CU_GREEN_CTX_DEFAULT_STREAM));
	NEED(cuCtxFromGreenCtx(&made->context, made->green));
	NEED(cuGreenCtxStreamCreate(&made->stream, made->green, CU_STREAM_NON_BLOCKING, 0));
	made->spin = host_kernel("spin");
}

static CUresult end_stream(const struct target *ended)
{
	return cuStreamDestroy(ended->stream);
}

static CUresult end_module(const struct target *ended)
{
	return cuModuleUnload(ended->module);
}

static CUresult end_library(const struct target *ended)
{
	return cuLibraryUnload(ended->library);
}

static CUresult end_context(const struct target *ended)
{
	return cuCtxDestroy(ended->context);
}

static CUresult end_primary(const struct target *ended)
{
	(void)ended;
	return cuDevicePrimaryCtxRelease(1);
}

static CUresult end_green(const struct target *ended)
{
	return cuGreenCtxDestroy(ended->green);
}

static const struct kind kinds[] = {
	{"stream", make_stream, end_stream},
	{"stream met before", make_met_stream, end_stream},
	{"module", make_module, end_module},
	{"library", make_library, end_library},
	{"context", make_context, end_context},
	{"primary context", make_primary, end_primary},
	{"green context", make_green, end_green},
};

/* Destroy an object while a launch that needs it is held. Print the results of both. */
static void end_beside_launch(const struct kind *kind)
{
	pthread_t thread;
	CUresult ended;

	target = (struct target){.context = home};
	kind->make(&target);
	NEED_TRUE(!pthread_create(&thread, NULL, launch_held, NULL));
	wait_for(&is_held);
	atomic_store(&n_waited, 0);
	ended = kind->end(&target);
	if (!atomic_load(&n_waited))
		sem_post(&may_go_on);
	NEED_TRUE(!pthread_join(thread, NULL));
	if (!atomic_load(&n_waited))
		wait_for(&is_back);
	printf("%s: launch %d, end %d\n", kind->name, launched, ended);
	NEED(cuCtxSetCurrent(home));
}

static void open_all(void)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	void (**tell)(void);

	host_open();
	NEED(cuCtxGetCurrent(&home));
	NEED(host_fill(NULL));
	NEED(cuCtxSynchronize());
	page_size = sysconf(_SC_PAGESIZE);
	held_argument = mmap(NULL, (size_t)page_size, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	NEED_TRUE(held_argument != MAP_FAILED);
	NEED_TRUE(!sem_init(&is_held, 0, 0) && !sem_init(&may_go_on, 0, 0) &&
		  !sem_init(&is_back, 0, 0));
	NEED_TRUE(!sigaction(SIGSEGV, &action, &others));
	ender = pthread_self();
	tell = (void (**)(void))dlsym(RTLD_DEFAULT, "tell_of_yield");
	NEED_TRUE(tell != NULL);
	*tell = on_yield;
}

int ends_beside_launches(void)
{
	open_all();
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		end_beside_launch(&kinds[i]);
	return host_fail();
}

static void *leave_launch(void *unused)
{
	NEED(cuCtxSetCurrent(home));
	hold_next();
	if (!sigsetjmp(way_out, 1))
		(void)launch(held_argument);
	sem_post(&is_back);
	wait_for(&may_go_on);
	return unused;
}

static unsigned waits_of_end(CUstream stream)
{
	atomic_store(&n_waited, 0);
	NEED(cuStreamDestroy(stream));
	return atomic_load(&n_waited);
}

/* Return a stream that was used, and was destroyed with its context. */
static CUstream stream_of_ended_context(void)
{
	CUstream stream;
	CUcontext context;
	CUdeviceptr memory;

	NEED(cuCtxCreate(&context, NULL, 0, 0));
	NEED(cuMemAlloc(&memory, 4096));
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(cuMemsetD32Async(memory, 0, 1024, stream));
	NEED(cuCtxDestroy(context));
	return stream;
}

/* Use destroyed streams, as a delayed thread does. Only the driver handles these calls. */
int late_in_streams(void)
{
	CUstream stream;

	host_open();
	stream = stream_of_ended_context();
	host_use();
	say("cuLaunchKernel", host_fill(stream));
	say("cuStreamQuery", cuStreamQuery(stream));
	for (int i = 0; i < 2; i++) {
		NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
		if (i)
			NEED(host_fill(stream));
		NEED(cuStreamDestroy(stream));
		say("cuLaunchKernel", host_fill(stream));
		say("cuStreamQuery", cuStreamQuery(stream));
	}
	/* Use and destroy a stream in the ordinary way. */
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(host_fill(stream));
	NEED(cuStreamDestroy(stream));
	NEED(cuCtxSynchronize());
	return host_fail();
}

/* Destroy two streams that are unknown to a call that was left before it reached the driver. */
int ends_beside_left(void)
{
	CUstream streams[2];
	pthread_t thread;

	open_all();
	atomic_store(&is_to_leave, true);
	target = (struct target){.context = home, .spin = host_kernel("spin")};
	for (int i = 0; i < 2; i++)
		NEED(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
	NEED_TRUE(!pthread_create(&thread, NULL, leave_launch, NULL));
	wait_for(&is_back);
	printf("waited %d\n", waits_of_end(streams[0]) > 0);
	printf("waited again %d\n", waits_of_end(streams[1]) > 0);
	sem_post(&may_go_on);
	NEED_TRUE(!pthread_join(thread, NULL));
	return host_fail();
}
