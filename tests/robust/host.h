/*
 * host.h - the parts that the programs of tests/robust share: a context with three kernels,
 * launches of them, and threads. The programs are hosts that behave oddly and do not know culprit.
 */
#ifndef CULPRIT_ROBUST_HOST_H
#define CULPRIT_ROBUST_HOST_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Initialise the driver, make a context current and load the kernels. Exit with status 2 if the
 * driver refuses. Call this once in a process.
 */
void host_open(void);

/*
 * Load the kernels alone, with the memory they use, in the current context: for a host that creates
 * other contexts first.
 */
void host_load(void);

/* Create a green context with some of the device's processors. */
CUgreenCtx host_make_green(CUcontext *out_context);

/* Make the context current in the calling thread. */
void host_use(void);

/* Make a clean launch, one that stores far outside its array, or one that keeps its stream busy. */
CUresult host_fill(CUstream stream);
CUresult host_stray(CUstream stream);
CUresult host_spin(CUstream stream, unsigned microseconds);

/* Make a clean or a stray store by the same call. */
CUresult host_store(CUstream stream, bool is_far);

/*
 * Make later work in the stream wait for host_open_gate, which opens all closed gates. One thread
 * at a time may call this.
 */
void host_close_gate(CUstream stream);
void host_open_gate(void);

/* Make a clean launch from a frame that is aligned at run time, as vector code's frames are. */
CUresult host_fill_aligned(CUstream stream);

/* Launch n times into the legacy stream and wait for all launches. */
void host_launch_some(unsigned n);

/*
 * Launch the stray store and wait, printing both results. If no other work is unfinished, the
 * verdict is exact. Returns the exit status for main: 1, because the GPU failed.
 */
int host_fail(void);

/*
 * Return the kernel of that file and name, loaded at first use. One thread at a time may call this.
 */
CUfunction host_kernel(const char *name);

/* True if the host runs on a GPU, not on simcuda. */
bool host_is_gpu(void);

/*
 * The path of a kernel, for hosts that load one again: simcuda's, or the GPU's with
 * HOST_KERNELS=gpu in the environment.
 */
void host_kernel_path(const char *kernel, char *out, size_t size);

/*
 * Make a call that must work before a test can mean anything; exit with status 2 if it is refused.
 */
#define NEED(call) need((call), #call)
void need(CUresult code, const char *call);
#define NEED_TRUE(condition) need((condition) ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN, #condition)

/* Prints "CALL CODE" and returns the code. */
CUresult say(const char *call, CUresult code);

/*
 * Run `body` in n threads at once, each with the context current and its own index, on stacks of
 * stack_bytes (0: the default), and wait for all threads.
 */
void host_threads(unsigned n, size_t stack_bytes, void (*body)(unsigned index));

/* Print by how much the resident memory has grown, on stdout if it is too much. */
void say_growth(size_t before);

/* Return the size of this process's resident memory, in bytes. */
size_t host_resident_bytes(void);

#endif
