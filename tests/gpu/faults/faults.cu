/*
 * faults.cu - one fault of each kind on a GPU, alone or beside a busy stream. It prints the truth:
 * "expect kind=event access=write page=0x... kernel=store" and the like. "line" is the kernel that
 * the fault's lines in kernels.cu are marked with; "bytes" is the width of the access. With "pages"
 * and "stride", any of so many pages may be first. "report" begins a pattern for the report's text.
 * usage: faults KIND [busy|graph|resets [N]]
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <dirent.h>

#include "kernels.cu"

static void need(cudaError_t error, const char *what)
{
	if (error) {
		fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
		exit(2);
	}
}
#define NEED(call)   need((call), #call)
#define DRIVER(call) ((decltype(&call))driver_function(#call))

/* Indexes that are far outside the arrays of store_local() and store_shared(). */
#define OUTSIDE_LOCAL  (1 << 28)
#define OUTSIDE_SHARED (1 << 20)

static char *memory, *freed, *host;
static void *element; /* of such an array */
static int *out;
static cudaStream_t stream;

static void expect_page(const char *access, const void *address, const char *kernel)
{
	printf("expect kind=event access=%s page=0x%lx kernel=%s", access,
	       (unsigned long)address & ((1ul << 49) - 1) & ~4095ul, kernel);
	puts(strcmp(kernel, "store_pages") == 0 ? " stride=2097152 pages=16384" : "");
}

/* Expect an exception at a line of this kernel. 0 bytes: the access is not known. */
static void expect_exception(unsigned esr, const char *kernel, const char *access, int bytes,
			     const void *address)
{
	printf("expect kind=exception esr=0x%x kernel=%s line=%s", esr, kernel, kernel);
	if (bytes > 0)
		printf(" access=%s bytes=%d", access, bytes);
	if (address)
		printf(" address=0x%lx", (unsigned long)address);
	puts("");
}

/* Return the address of element `at` of the array, which the kernel wrote in a good launch. */
static void *array_element(long at)
{
	int start;
	NEED(cudaStreamSynchronize(stream));
	NEED(cudaMemcpy(&start, out + 1, sizeof(start), cudaMemcpyDeviceToHost));
	return (void *)(start + 4 * at);
}

static bool is(const char *kind, const char *name)
{
	return strcmp(kind, name) == 0;
}

static void launch_memory(const char *kind)
{
	char *far = memory + (1L << 40);
	if (is(kind, "null"))
		expect_page("write", 0, "store"), store<<<1, 1, 0, stream>>>(0);
	else if (is(kind, "small"))
		expect_page("write", (void *)0x1234, "store"),
			store<<<1, 1, 0, stream>>>((char *)0x1234);
	else if (is(kind, "store"))
		expect_page("write", far + 4100, "store"), store<<<1, 1, 0, stream>>>(far + 4100);
	else if (is(kind, "load"))
		expect_page("read", far + 68, "load"), load<<<1, 1, 0, stream>>>(far + 68, out);
	else if (is(kind, "atomic"))
		expect_page("atomic", far, "add"), add<<<1, 32, 0, stream>>>(far);
	else if (is(kind, "freed"))
		expect_page("write", freed + 49380, "store"),
			store<<<1, 1, 0, stream>>>(freed + 49380);
	else if (is(kind, "host"))
		expect_page("read", host + 64, "load"), load<<<1, 1, 0, stream>>>(host + 64, out);
	else if (is(kind, "code")) /* the jump is relative to the code's address */
		puts("expect kind=event access=read kernel=run_data"),
			run_data<<<1, 1, 0, stream>>>((void (*)())0x12345670);
	else if (is(kind, "many"))
		expect_page("write", far, "store_pages"),
			store_pages<<<64, 256, 0, stream>>>(far, 1L << 21);
}

static void launch_exception(const char *kind)
{
	char *invalid = (char *)0xdeadbeef12345678;
	if (is(kind, "misaligned"))
		expect_exception(0xf, "load", "read", 4, memory + 1),
			load<<<1, 1, 0, stream>>>(memory + 1, out);
	else if (is(kind, "vector"))
		expect_exception(0xf, "load_vector", "read", 16, memory + 8),
			load_vector<<<1, 1, 0, stream>>>(memory + 8, (int4 *)out);
	else if (is(kind, "invalid"))
		expect_exception(0xe, "load", "read", 4, invalid),
			load<<<1, 1, 0, stream>>>(invalid, out);
	else if (is(kind, "local"))
		expect_exception(0xe, "store_local", "write", 4, element),
			store_local<<<1, 1, 0, stream>>>(OUTSIDE_LOCAL, out);
	else if (is(kind, "shared"))
		expect_exception(0xe, "store_shared", "write", 4, element),
			store_shared<<<1, 1, 0, stream>>>(OUTSIDE_SHARED, out);
	else if (is(kind, "inlined")) {
		expect_exception(0xf, "store_inlined", "write", 4, memory + 2);
		puts("report kernels.cu:[0-9]+ poke  <- kernels.cu:[0-9]+ poke_twice  <- "
		     "kernels.cu:[0-9]+, store_inlined \\+ 0x");
		store_inlined<<<1, 1, 0, stream>>>(memory + 2);
	} else if (is(kind, "wide")) {
		expect_exception(0xf, "add_wide", "atomic", 8, memory + 4);
		puts("report misaligned 8-byte atomic");
		add_wide<<<1, 1, 0, stream>>>(memory + 4);
	} else if (is(kind, "stack"))
		expect_exception(0xe, "overflow_stack", "write", 0, 0),
			overflow_stack<<<1, 1, 0, stream>>>(1 << 20, out);
	else if (is(kind, "trap"))
		puts("expect kind=none kernel=stop"), stop<<<1, 1, 0, stream>>>(1);
	else if (is(kind, "assert"))
		puts("expect kind=none kernel=claim"), claim<<<1, 32, 0, stream>>>(5);
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

static void *driver_function(const char *name)
{
	void *function = NULL;
	cudaDriverEntryPointQueryResult result;
	NEED(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &result));
	if (!function)
		need(cudaErrorSymbolNotFound, name);
	return function;
}

/*
 * Return addresses at which memory was until now. They stay reserved: after cudaFree(), the driver
 * may have put other memory there at once.
 */
static char *make_freed(size_t size)
{
	CUdeviceptr start;
	CUmemGenericAllocationHandle handle;
	CUmemAllocationProp properties = {};
	CUmemAccessDesc access = {};
	properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
	properties.location.type = access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	int error = DRIVER(cuMemAddressReserve)(&start, size, 0, 0, 0);
	error = error ? error : DRIVER(cuMemCreate)(&handle, size, &properties, 0);
	error = error ? error : DRIVER(cuMemMap)(start, size, 0, handle, 0);
	error = error ? error : DRIVER(cuMemSetAccess)(start, size, &access, 1);
	error = error ? error : DRIVER(cuMemUnmap)(start, size);
	error = error ? error : DRIVER(cuMemRelease)(handle);
	need((cudaError_t)error, "cuMemMap and others");
	return (char *)start;
}

static void open_memory()
{
	NEED(cudaMalloc(&memory, 1 << 20));
	NEED(cudaMalloc(&out, 4096));
	NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
}

/* Do what the kind needs before the launch that fails. */
static void prepare(const char *kind)
{
	if (is(kind, "freed"))
		freed = make_freed(4 << 20);
	if (is(kind, "local")) {
		store_local<<<1, 1, 0, stream>>>(0, out);
		element = array_element(OUTSIDE_LOCAL);
	} else if (is(kind, "shared")) {
		store_shared<<<1, 1, 0, stream>>>(0, out);
		element = array_element(OUTSIDE_SHARED);
	}
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
	prepare(kind);
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
