/*
 * process.c - how processes start and exit around CUDA: calls too early and too late, exits in the
 * middle of work, fork and exec.
 */
#include "scenarios.h"
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

CUresult not_initialized(struct corpus *corpus)
{
	(void)corpus;
	CUdevice device = 0;
	say("cuDeviceGet", CU(cuDeviceGet)(&device, 0));
	CUdeviceptr data = 0;
	say("cuMemAlloc", CU(cuMemAlloc_v2)(&data, CORPUS_BUFFER_BYTES));
	say("cuCtxSynchronize", CU(cuCtxSynchronize)());
	return CUDA_SUCCESS;
}

/* Launch a kernel so long that this process exits before the kernel finishes. */
CUresult busy_at_exit(struct corpus *corpus)
{
	say("cuLaunchKernel", launch_spin(corpus, 300000, NULL));
	fflush(stdout);
	_exit(0);
}

static CUdeviceptr leftover;

static void free_leftover(void)
{
	say("cuMemFree", CU(cuMemFree_v2)(leftover));
}

/*
 * This handler is registered before the driver's, so it runs after it: exit handlers run in
 * reverse.
 */
CUresult free_at_exit(struct corpus *corpus)
{
	if (atexit(free_leftover))
		need(CUDA_ERROR_UNKNOWN, "atexit");
	corpus_open(corpus);
	NEED(CU(cuMemAlloc_v2)(&leftover, CORPUS_BUFFER_BYTES));
	corpus->context = NULL; /* left to the driver, like the memory */
	return synchronize();
}

/* Run one scenario's work in a child and print how the child ended. */
static void run_child(struct corpus *corpus, CUresult (*run)(struct corpus *corpus))
{
	int status = 0;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		corpus_open(corpus);
		exit(run(corpus) ? 1 : 0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		need(CUDA_ERROR_UNKNOWN, "fork");
	printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

CUresult fork_before_init(struct corpus *corpus)
{
	run_child(corpus, ok);
	corpus_open(corpus);
	return ok(corpus);
}

CUresult fault_in_child(struct corpus *corpus)
{
	run_child(corpus, stray_store);
	corpus_open(corpus);
	return ok(corpus);
}

CUresult exec_self(struct corpus *corpus)
{
	corpus_open(corpus);
	ok(corpus);
	fflush(stdout);
	execl(corpus->program, "corpus", "--kernels", corpus->kernels, "ok", (char *)NULL);
	perror("execl");
	return CUDA_ERROR_UNKNOWN;
}
