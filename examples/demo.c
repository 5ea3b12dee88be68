/*
 * demo.c - a program of the kind that culprit is for: it trains a table of numbers, several
 * functions deep, asks the GPU for nothing until the end, and makes one mistake on the way. The
 * failure shows up in read_table(), which is innocent. Plain driver API; nothing here knows of
 * culprit.
 *
 * usage: demo MODULE     MODULE holds the kernels of training.cu
 *        demo --device   prints the name of the GPU; fails where there is none
 */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	STEPS = 60,
	BATCH = 64,
	TABLE_ROWS = 4096,
	FIRST_KEY = 100000,
	BLOCK = 64,
};

/* find_row returns this for an unknown key. */
#define NO_ROW (1ull << 43)

struct training {
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction decay, scatter_add;
	CUstream stream;
	CUdeviceptr table, gradients;
	CUdeviceptr rows; /* BATCH row numbers for each step */
};

static int failed;

static void check(CUresult result, const char *call, const char *function)
{
	const char *text = "unknown error";

	if (result == CUDA_SUCCESS)
		return;
	failed = 1;
	cuGetErrorString(result, &text);
	printf("demo: %s in %s() returned %d:\n  %s\n", call, function, (int)result, text);
}

/* cuFunction, its arguments...; the call's failure is told and remembered. */
#define CHECK(call, ...) check(call(__VA_ARGS__), #call, __func__)

static void open_training(struct training *training, const char *module)
{
	CHECK(cuDevicePrimaryCtxRetain, &training->context, training->device);
	CHECK(cuCtxSetCurrent, training->context);
	CHECK(cuModuleLoad, &training->module, module);
	CHECK(cuModuleGetFunction, &training->decay, training->module, "decay");
	CHECK(cuModuleGetFunction, &training->scatter_add, training->module, "scatter_add");
	CHECK(cuStreamCreate, &training->stream, CU_STREAM_DEFAULT);
	CHECK(cuMemAlloc, &training->table, TABLE_ROWS * sizeof(float));
	CHECK(cuMemAlloc, &training->gradients, BATCH * sizeof(float));
	CHECK(cuMemAlloc, &training->rows, STEPS * BATCH * sizeof(unsigned long long));
	CHECK(cuMemsetD32, training->table, 0, TABLE_ROWS);
	CHECK(cuMemsetD32, training->gradients, 0, BATCH);
}

static unsigned long long find_row(unsigned key)
{
	return key - FIRST_KEY < TABLE_ROWS ? key - FIRST_KEY : NO_ROW;
}

/* The mistake: the data have one key that the table does not know, and nobody asks for NO_ROW. */
static void prepare_batches(struct training *training)
{
	static unsigned long long rows[STEPS][BATCH];

	for (unsigned step = 0; step < STEPS; step++)
		for (unsigned i = 0; i < BATCH; i++)
			rows[step][i] = find_row(FIRST_KEY + (step * BATCH + i * 7) % TABLE_ROWS);
	rows[36][5] = find_row(99999);
	CHECK(cuMemcpyHtoD, training->rows, rows, sizeof(rows));
}

static void decay_table(struct training *training)
{
	unsigned count = TABLE_ROWS;
	float factor = 0.999F;
	void *arguments[] = {&training->table, &count, &factor};

	CHECK(cuLaunchKernel, training->decay, TABLE_ROWS / BLOCK, 1, 1, BLOCK, 1, 1, 0,
	      training->stream, arguments, NULL);
}

static void update_rows(struct training *training, unsigned step)
{
	CUdeviceptr rows = training->rows + step * BATCH * sizeof(unsigned long long);
	unsigned count = BATCH;
	void *arguments[] = {&training->table, &rows, &training->gradients, &count};

	CHECK(cuLaunchKernel, training->scatter_add, BATCH / BLOCK, 1, 1, BLOCK, 1, 1, 0,
	      training->stream, arguments, NULL);
}

static void train(struct training *training)
{
	for (unsigned step = 0; step < STEPS; step++) {
		decay_table(training);
		update_rows(training, step);
	}
	printf("demo: launched %d training steps\n", STEPS);
}

static void read_table(struct training *training)
{
	static float table[TABLE_ROWS];

	CHECK(cuStreamSynchronize, training->stream);
	if (!failed)
		CHECK(cuMemcpyDtoH, table, training->table, sizeof(table));
	if (!failed)
		printf("demo: the first row is %f\n", (double)table[0]);
}

static void close_training(struct training *training)
{
	CHECK(cuMemFree, training->rows);
	CHECK(cuMemFree, training->gradients);
	CHECK(cuMemFree, training->table);
	CHECK(cuStreamDestroy, training->stream);
	CHECK(cuModuleUnload, training->module);
	CHECK(cuDevicePrimaryCtxRelease, training->device);
}

static int find_device(struct training *training)
{
	char name[128] = "";

	CHECK(cuInit, 0);
	if (!failed)
		CHECK(cuDeviceGet, &training->device, 0);
	if (!failed)
		CHECK(cuDeviceGetName, name, sizeof(name), training->device);
	if (!failed)
		printf("demo: on %s\n", name);
	return failed;
}

int main(int argc, char **argv)
{
	struct training training = {0};

	if (argc != 2) {
		fputs("usage: demo MODULE | --device\n", stderr);
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (find_device(&training) || !strcmp(argv[1], "--device"))
		return failed;
	open_training(&training, argv[1]);
	prepare_batches(&training);
	if (!failed)
		train(&training);
	read_table(&training);
	close_training(&training);
	return failed;
}
