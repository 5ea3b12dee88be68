/*
 * faults.cu - one fault of each kind on a GPU, alone or beside a busy stream. It prints what the
 * driver has to say of it: "expect kind=event access=write page=0x..." and the like.
 * "report" begins a pattern for the report's text.
 * usage: faults KIND [busy|graph|resets [N]]
 */
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <dirent.h>

__global__ void spin(long ticks)
{
	long start = clock64();
	while (clock64() - start < ticks)
		;
}
__global__ void store(char *to)
{
	*(volatile int *)to = 1;
}
__global__ void load(const char *from, int *out)
{
	*out = *(volatile const int *)from;
}
__global__ void add(char *to)
{
	atomicAdd((int *)to, 1);
}
__global__ void load_vector(const char *from, int4 *out)
{
	*out = *(const int4 *)from;
}
__global__ void store_local(int at, int *out)
{
	int values[64];
	for (int i = 0; i < 64; i++)
		values[i] = i;
	((volatile int *)values)[at] = 5;
	*out = values[at & 7];
}
__global__ void store_shared(int at, int *out)
{
	__shared__ int values[4];
	((volatile int *)values)[at] = 5;
	__syncthreads();
	*out = values[0];
}
__device__ __forceinline__ void poke(char *to)
{
	*(volatile int *)to = 1;
}
__device__ __forceinline__ void poke_twice(char *to)
{
	poke(to);
	poke(to + 8);
}
__global__ void store_inlined(char *to)
{
	poke_twice(to);
}
__global__ void add_wide(char *to)
{
	atomicAdd((unsigned long long *)to, 1);
}
__device__ __noinline__ int deep(int n, int *out)
{
	volatile int values[40];
	for (int i = 0; i < 40; i++)
		values[i] = n;
	return n <= 0 ? values[3] : deep(n - 1, out) + values[n % 40];
}
__global__ void overflow_stack(int n, int *out)
{
	*out = deep(n, out);
}
__global__ void run_data(void (*code)())
{
	code();
}
__global__ void stop()
{
	asm("trap;");
}
__global__ void claim(int limit)
{
	assert(limit > (int)threadIdx.x);
}
__global__ void store_pages(char *to, long stride)
{
	*(volatile int *)(to + (blockIdx.x * 256L + threadIdx.x) * stride) = 1;
}

static void need(cudaError_t error, const char *what)
{
	if (error) {
		fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
		exit(2);
	}
}
#define NEED(call) need((call), #call)

static char *memory, *freed, *host;
static int *out;
static cudaStream_t stream;

static void expect_page(const char *access, const void *address)
{
	printf("expect kind=event access=%s page=0x%lx\n", access,
	       (unsigned long)address & ((1ul << 49) - 1) & ~4095ul);
}

static void expect_exception(unsigned esr, const void *address)
{
	printf("expect kind=exception esr=0x%x", esr);
	if (address)
		printf(" address=0x%lx", (unsigned long)address);
	puts("");
}

static bool is(const char *kind, const char *name)
{
	return strcmp(kind, name) == 0;
}

static void launch_memory(const char *kind)
{
	char *far = memory + (1L << 40);
	if (is(kind, "null"))
		expect_page("write", 0), store<<<1, 1, 0, stream>>>(0);
	else if (is(kind, "small"))
		expect_page("write", (void *)0x1234), store<<<1, 1, 0, stream>>>((char *)0x1234);
	else if (is(kind, "store"))
		expect_page("write", far + 4100), store<<<1, 1, 0, stream>>>(far + 4100);
	else if (is(kind, "load"))
		expect_page("read", far + 68), load<<<1, 1, 0, stream>>>(far + 68, out);
	else if (is(kind, "atomic"))
		expect_page("atomic", far), add<<<1, 32, 0, stream>>>(far);
	else if (is(kind, "freed")) {
		char *inside = freed + (200L << 20) + 49380; /* the start may be in use again */
		expect_page("write", inside), store<<<1, 1, 0, stream>>>(inside);
	} else if (is(kind, "host"))
		expect_page("read", host + 64), load<<<1, 1, 0, stream>>>(host + 64, out);
	else if (is(kind, "code")) /* the jump is relative to the code's address */
		puts("expect kind=event access=read"),
			run_data<<<1, 1, 0, stream>>>((void (*)())0x12345670);
	else if (is(kind, "many"))
		puts("expect kind=event access=write many"),
			store_pages<<<64, 256, 0, stream>>>(far, 1L << 21);
}

static void launch_exception(const char *kind)
{
	char *invalid = (char *)0xdeadbeef12345678;
	if (is(kind, "misaligned"))
		expect_exception(0xf, memory + 1), load<<<1, 1, 0, stream>>>(memory + 1, out);
	else if (is(kind, "vector"))
		expect_exception(0xf, memory + 8),
			load_vector<<<1, 1, 0, stream>>>(memory + 8, (int4 *)out);
	else if (is(kind, "invalid"))
		expect_exception(0xe, invalid), load<<<1, 1, 0, stream>>>(invalid, out);
	else if (is(kind, "local"))
		expect_exception(0xe, 0), store_local<<<1, 1, 0, stream>>>(1 << 28, out);
	else if (is(kind, "shared"))
		expect_exception(0xe, 0), store_shared<<<1, 1, 0, stream>>>(1 << 20, out);
	else if (is(kind, "inlined")) {
		expect_exception(0xf, memory + 2), store_inlined<<<1, 1, 0, stream>>>(memory + 2);
		puts("report faults.cu:[0-9]+ poke  <- faults.cu:[0-9]+ poke_twice  <- "
		     "faults.cu:[0-9]+, "
		     "store_inlined \\+ 0x");
	} else if (is(kind, "wide")) {
		expect_exception(0xf, memory + 4), add_wide<<<1, 1, 0, stream>>>(memory + 4);
		puts("report misaligned 8-byte atomic");
	} else if (is(kind, "stack"))
		expect_exception(0xe, 0), overflow_stack<<<1, 1, 0, stream>>>(1 << 20, out);
	else if (is(kind, "trap"))
		puts("expect none"), stop<<<1, 1, 0, stream>>>();
	else if (is(kind, "assert"))
		puts("expect none"), claim<<<1, 32, 0, stream>>>(5);
}

static void launch(const char *kind, bool in_graph)
{
	cudaGraph_t graph;
	cudaGraphExec_t ready;
	if (in_graph)
		NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
	load<<<1, 1, 0, stream>>>(memory, out);
	launch_memory(kind);
	launch_exception(kind);
	load<<<1, 1, 0, stream>>>(memory, out);
	if (!in_graph)
		return;
	NEED(cudaStreamEndCapture(stream, &graph));
	NEED(cudaGraphInstantiate(&ready, graph, 0));
	NEED(cudaGraphLaunch(ready, stream));
}

static void open_memory()
{
	NEED(cudaMalloc(&memory, 1 << 20));
	NEED(cudaMalloc(&out, 4096));
	NEED(cudaMalloc(&freed, 256 << 20));
	NEED(cudaFree(freed));
	NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
}

static int count_entries(const char *path)
{
	int n = 0;
	DIR *folder = opendir(path);
	while (folder && readdir(folder))
		n++;
	if (folder)
		closedir(folder);
	return n;
}

/* Print what the process has, to be compared with later. */
static void print_process(int n_resets)
{
	long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	if (!file || fscanf(file, "%*d %ld", &pages) != 1)
		exit(2);
	fclose(file);
	printf("process after %d resets: descriptors %d threads %d pages %ld\n", n_resets,
	       count_entries("/proc/self/fd"), count_entries("/proc/self/task"), pages);
	fflush(stdout);
}

static void reset(int n)
{
	for (int i = 1; i <= n; i++) {
		open_memory();
		store<<<1, 1, 0, stream>>>(memory);
		NEED(cudaDeviceSynchronize());
		NEED(cudaDeviceReset());
		if (i == 10 || i == n)
			print_process(i);
	}
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "", *beside = argc > 2 ? argv[2] : "";
	host = (char *)malloc(1 << 20);
	memset(host, 1, 1 << 20);
	if (is(beside, "resets"))
		reset(argc > 3 ? atoi(argv[3]) : 3);
	open_memory();
	for (int i = 0; i < 10; i++)
		load<<<1, 1, 0, stream>>>(memory, out);
	NEED(cudaDeviceSynchronize());
	if (is(beside, "busy")) {
		cudaStream_t other;
		NEED(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
		spin<<<132, 32, 0, other>>>(300000000);
	}
	launch(kind, is(beside, "graph"));
	fflush(stdout);
	cudaError_t error = cudaStreamSynchronize(stream);
	if (!error)
		error = cudaDeviceSynchronize();
	printf("error %d\n", (int)error);
	return error ? 1 : 0;
}
