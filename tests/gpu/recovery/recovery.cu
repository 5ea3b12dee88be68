/*
 * recovery.cu - one kernel raises an exception, while other streams have work. Prints whether the
 * kernel seems to succeed all the same, and which kernels start after it.
 *
 * usage: recovery ACCESS LATER STREAMS
 *   ACCESS   store, add: the thread exits after it; read: it uses the value; wait: it waits for a
 *            store; trap
 *   LATER    what its stream is given after it: nothing, marker, kernels (with markers)
 *   STREAMS  other streams, of 30 kernels each
 * Exit status: 0 the context failed, 1 anything else, 2 usage.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <cuda.h>
#include <cuda_runtime.h>

enum { MAX_STREAMS = 16, N_KERNELS = 30, N_LATER = 3, KERNEL_NS = 50000, BLOCKS = 66 };
/* Kernels that had started end within this time after the exception. */
static const unsigned long long ENDED_NS = 400000;

struct times {
	unsigned long long start, end;
};

static __device__ unsigned long long gpu_ns()
{
	unsigned long long time;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
	return time;
}

static __device__ void note(volatile unsigned long long *time)
{
	*time = gpu_ns();
}

__global__ void work(times *at, unsigned long long ns)
{
	unsigned long long begin = gpu_ns();
	if (threadIdx.x == 0 && blockIdx.x == 0)
		note(&at->start);
	while (gpu_ns() - begin < ns)
		;
	if (threadIdx.x == 0 && blockIdx.x == 0)
		note(&at->end);
}

/* One thread makes the access, to an odd address. The kernels differ in how that thread then ends.
 */
__global__ void fail_store(times *at, char *odd)
{
	if (threadIdx.x)
		return;
	note(&at->start);
	asm volatile("st.global.u32 [%0], 1;" ::"l"(odd) : "memory");
}

__global__ void fail_add(times *at, char *odd)
{
	if (threadIdx.x)
		return;
	note(&at->start);
	asm volatile("red.global.add.u32 [%0], 1;" ::"l"(odd) : "memory");
}

__global__ void fail_read(times *at, char *odd)
{
	unsigned value;
	if (threadIdx.x)
		return;
	note(&at->start);
	asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(odd) : "memory");
	at->end = value;
}

__global__ void fail_wait(times *at, char *odd)
{
	if (threadIdx.x)
		return;
	note(&at->start);
	asm volatile("st.global.u32 [%0], 1;" ::"l"(odd) : "memory");
	__threadfence_system();
	note(&at->end);
}

__global__ void fail_trap(times *at, char *)
{
	if (threadIdx.x)
		return;
	note(&at->start);
	__trap();
}

struct access {
	const char *name;
	void (*kernel)(times *, char *);
};

static const struct access accesses[] = {
	{"store", fail_store}, {"add", fail_add},   {"read", fail_read},
	{"wait", fail_wait},   {"trap", fail_trap},
};

static void check(cudaError_t error)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "recovery: %s\n", cudaGetErrorString(error));
	exit(1);
}

static double now_ms()
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void add_marker(cudaStream_t stream, unsigned *word)
{
	if (cuStreamWriteValue32((CUstream)stream, (CUdeviceptr)word, 1, 0) != CUDA_SUCCESS)
		check(cudaErrorUnknown);
}

static cudaStream_t make_stream(times *at)
{
	cudaStream_t stream;
	check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	work<<<1, 1, 0, stream>>>(at, 0);
	return stream;
}

static void load(const void *kernel)
{
	cudaFuncAttributes attributes;
	check(cudaFuncGetAttributes(&attributes, kernel));
}

/* Wait until the context fails. Return when the stream had finished, in ms since `start`; -1:
 * never. */
static double wait_for_failure(cudaStream_t stream, double start, cudaError_t *out)
{
	double ended = -1;
	while ((*out = cudaStreamQuery(stream)) == cudaSuccess || *out == cudaErrorNotReady) {
		if (*out == cudaSuccess && ended < 0)
			ended = now_ms() - start;
		if (now_ms() - start > 20000)
			break;
	}
	return ended;
}

/* Count the kernels that started after the GPU had stopped, and the most of one stream. */
static int count_later(const times others[][N_KERNELS], int n_streams, unsigned long long stop,
		       int *most)
{
	int sum = 0;
	*most = 0;
	for (int i = 0; i < n_streams; i++) {
		int n = 0;
		for (int k = 0; k < N_KERNELS; k++)
			n += others[i][k].start > stop + ENDED_NS;
		sum += n;
		*most = n > *most ? n : *most;
	}
	return sum;
}

int main(int argc, char **argv)
{
	const struct access *access = NULL;
	for (const struct access &known : accesses)
		if (argc == 4 && strcmp(argv[1], known.name) == 0)
			access = &known;
	int n_streams = access ? atoi(argv[3]) : -1;
	if (n_streams < 0 || n_streams > MAX_STREAMS) {
		fprintf(stderr, "usage: recovery store|add|read|wait|trap nothing|marker|kernels "
				"STREAMS\n");
		return 2;
	}
	bool has_marker = strcmp(argv[2], "nothing") != 0;
	int n_after = strcmp(argv[2], "kernels") == 0 ? N_LATER : 0;

	static cudaStream_t streams[MAX_STREAMS];
	times(*others)[N_KERNELS];
	times *at; /* of the failing kernel, and of those after it */
	unsigned *words;
	char *memory;
	check(cudaHostAlloc(&others, sizeof(*others) * MAX_STREAMS, cudaHostAllocMapped));
	check(cudaHostAlloc(&at, sizeof(*at) * (1 + N_LATER), cudaHostAllocMapped));
	check(cudaHostAlloc(&words, sizeof(*words) * (1 + N_LATER), cudaHostAllocMapped));
	check(cudaMalloc(&memory, 4096));
	load((const void *)work);
	load((const void *)access->kernel);
	cudaStream_t stream = make_stream(at);
	for (int i = 0; i < n_streams; i++)
		streams[i] = make_stream(at);
	check(cudaDeviceSynchronize());
	memset(others, 0, sizeof(*others) * MAX_STREAMS);
	memset(at, 0, sizeof(*at) * (1 + N_LATER));

	for (int k = 0; k < N_KERNELS; k++)
		for (int i = 0; i < n_streams; i++)
			work<<<BLOCKS, 128, 0, streams[i]>>>(&others[i][k], KERNEL_NS);
	double start = now_ms();
	access->kernel<<<1, 32, 0, stream>>>(at, memory + 1);
	if (has_marker)
		add_marker(stream, &words[0]);
	while (n_after && now_ms() - start < 0.6)
		; /* the kernels come later */
	for (int k = 1; k <= n_after; k++) {
		work<<<1, 32, 0, stream>>>(&at[k], 0);
		add_marker(stream, &words[k]);
	}
	cudaError_t error;
	double ended = wait_for_failure(stream, start, &error);
	if (ended < 0 && has_marker && *(volatile unsigned *)words)
		ended = 0; /* the marker came, but the stream had more work */
	double failed = now_ms() - start;

	int n_ran = 0, most, n_later = count_later(others, n_streams, at->start, &most);
	for (int k = 1; k <= n_after; k++)
		n_ran += at[k].start != 0;
	printf("error=%d failed_ms=%.1f ended_ms=%.1f after=%d elsewhere=%d most=%d\n", error,
	       failed, ended, n_ran, n_later, most);
	return error == cudaSuccess || error == cudaErrorNotReady;
}
