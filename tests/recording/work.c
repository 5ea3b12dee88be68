/* work.c - launches in each way, those that are refused, operations on stream memory, host
 * functions. */
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "world.h"

struct arguments {
	unsigned tag, count;
	uint64_t long_count;
	CUdeviceptr memory, left, right;
	void *pointers[5];
};

/* The arguments of the kernels are alike at their start: add and use_after_free have others later.
 */
static void make_arguments(CUfunction function, struct arguments *out)
{
	const char *name = "fill";

	*out = (struct arguments){.tag = 1 + draw(1000), .count = 32, .long_count = 32};
	out->memory = any_memory();
	out->left = out->right = any_memory();
	out->pointers[0] = &out->tag;
	out->pointers[1] = &out->memory;
	out->pointers[2] = &out->count;
	for (unsigned i = 0; i < N_MODULES; i++)
		if (function && world.functions[i] == function)
			name = world.names[i];
	if (!strcmp(name, "use_after_free"))
		out->pointers[2] = &out->long_count;
	if (!strcmp(name, "add"))
		memcpy(&out->pointers[2], (void *[]){&out->left, &out->right, &out->count},
		       3 * sizeof(void *));
}

static void launch(CUlaunchConfig *config, CUfunction function)
{
	struct arguments arguments;
	CUlaunchAttribute attributes[4];

	memset(attributes, 0, sizeof(attributes));
	config->attrs = attributes;
	make_arguments(function, &arguments);
	if (draw(3) == 0) {
		attributes[config->numAttrs].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
		attributes[config->numAttrs++].value.clusterDim.x = 1 + draw(3);
		attributes[config->numAttrs - 1].value.clusterDim.y = 1;
		attributes[config->numAttrs - 1].value.clusterDim.z = 1;
	}
	if (draw(4) == 0) {
		attributes[config->numAttrs].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
		attributes[config->numAttrs++].value.cooperative = 1;
	}
	if (draw(4) == 0) {
		attributes[config->numAttrs].id =
			CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
		attributes[config->numAttrs++].value.programmaticStreamSerializationAllowed = 1;
	}
	if (draw(4) == 0) {
		attributes[config->numAttrs].id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
		attributes[config->numAttrs++].value.priority = -(int)draw(3);
	}
	SAY(cuLaunchKernelEx, config, function, arguments.pointers, NULL);
}

static void launch_packed(CUfunction function, CUstream stream)
{
	struct arguments arguments;
	unsigned char packed[40] = {0};
	size_t size = sizeof(packed);
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
			 CU_LAUNCH_PARAM_END};

	make_arguments(function, &arguments);
	memcpy(packed, &arguments.tag, 4);
	memcpy(packed + 8, &arguments.memory, 8);
	if (arguments.pointers[2] == &arguments.left) {
		memcpy(packed + 16, &arguments.left, 8);
		memcpy(packed + 24, &arguments.right, 8);
		memcpy(packed + 32, &arguments.count, 4);
	} else {
		memcpy(packed + 16, &arguments.long_count, 8);
	}
	SAY(cuLaunchKernel, function, 1, 1, 1, 32, 1, 1, 0, stream, NULL, extra);
}

void use_launch(void)
{
	CUfunction function = any_function();
	CUstream stream = any_stream();
	unsigned n = draw(32);
	CUlaunchConfig config = {.gridDimX = 1,
				 .gridDimY = 1,
				 .gridDimZ = 1,
				 .blockDimX = n + 1,
				 .blockDimY = 1,
				 .blockDimZ = 1,
				 .sharedMemBytes = n % 4 ? 0 : n * 32,
				 .hStream = stream};
	struct arguments arguments;

	switch (draw(6)) {
	case 0:
		launch(&config, function);
		break;
	case 1:
		launch_packed(function, stream);
		break;
	case 2:
		make_arguments(function, &arguments);
		SAY(cuLaunchCooperativeKernel, function, 1, 1, 1, 32, 1, 1, 0, stream,
		    arguments.pointers);
		break;
	default:
		make_arguments(function, &arguments);
		SAY(cuLaunchKernel, function, 1, 1 + n % 2, 1, config.blockDimX, 1, 1,
		    config.sharedMemBytes, stream, arguments.pointers, NULL);
	}
}

/* Arguments that need several rows, or more than are kept in a ring. */
void use_large_launch(void)
{
	static const char *const names[] = {"structure_216", "structure_1000", "structure_4000"};
	static uint64_t words[4000 / sizeof(uint64_t)];
	CUstream stream = any_stream();
	unsigned tag = draw(1000);
	void *pointers[] = {&tag, words};
	CUfunction function = NULL;
	char path[PATH_MAX];
	CUmodule module = NULL;

	words[2] = words[60] = any_memory();
	host_kernel_path("structures", path, sizeof(path));
	if (SAY(cuModuleLoad, &module, path) ||
	    SAY(cuModuleGetFunction, &function, module, names[draw(3)]))
		return;
	for (unsigned n = 1 + draw(4); n > 0; n--)
		SAY(cuLaunchKernel, function, 1, 1, 1, 8, 1, 1, 0, stream, pointers, NULL);
	wait_for_all();
	if (draw(2))
		SAY(cuModuleUnload, module);
}

/* Several dimensions, or none, are beyond what the device, the kernel or the launch allows. */
void use_refused_launch(void)
{
	static const unsigned sizes[] = {0, 1, 9, 32, 64, 1024, 1025, 5000, 65536};
	CUfunction function = any_function();
	CUstream stream = any_stream();
	unsigned size[6];

	for (unsigned i = 0; i < 6; i++)
		size[i] = draw(2) ? 1 : sizes[draw(sizeof(sizes) / sizeof(sizes[0]))];

	CUlaunchConfig config = {.gridDimX = size[0],
				 .gridDimY = size[1],
				 .gridDimZ = size[2],
				 .blockDimX = size[3],
				 .blockDimY = size[4],
				 .blockDimZ = size[5],
				 .sharedMemBytes = draw(4) * 100000,
				 .hStream = stream};

	/* Only what is refused: a large grid takes time. */
	if (size[0] * size[1] * size[2] * size[3] * size[4] * size[5] > 0 &&
	    size[3] * size[4] * size[5] <= 1024 && config.sharedMemBytes < 200000)
		config.sharedMemBytes = 300000;
	launch(&config, draw(8) ? function : NULL);
	SAY(cuLaunchKernel, function, 0, 1, 1, 32, 1, 1, 0, stream, NULL, NULL);
}

/* The handle of a library's kernel will not do here. */
void use_old_launch(void)
{
	CUfunction function = fill_kernel();
	CUdeviceptr memory = any_memory();
	unsigned count = 32;

	SAY(cuFuncSetBlockShape, function, 32, 1, 1);
	SAY(cuFuncSetSharedSize, function, 64);
	SAY(cuParamSeti, function, 0, draw(1000));
	SAY(cuParamSetv, function, 8, &memory, sizeof(memory));
	SAY(cuParamSetv, function, 16, &count, sizeof(count));
	SAY(cuParamSetSize, function, 20);
	if (draw(2))
		SAY(cuLaunchGrid, function, 1, 1);
	else
		SAY(cuLaunchGridAsync, function, 1, 1, any_stream());
}

void use_memory_operation(void)
{
	CUdeviceptr memory = any_memory();
	CUstream stream = any_stream();
	CUstreamBatchMemOpParams batch[2];

	memset(batch, 0, sizeof(batch));
	for (unsigned i = 0; i < 2; i++) {
		batch[i].operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
		batch[i].writeValue.address = memory + 4 * i;
		batch[i].writeValue.value = i;
	}
	switch (draw(4)) {
	case 0:
		SAY(cuStreamBatchMemOp, stream, 2, batch, 0);
		break;
	case 1:
		SAY(cuStreamWriteValue64, stream, memory, 7, 0);
		break;
	case 2:
		SAY(cuMemPrefetchAsync, memory, 64,
		    (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_DEVICE}, 0, stream);
		break;
	default:
		wait_for_all(); /* for what other streams write there */
		SAY(cuStreamWriteValue32, stream, memory, 5, 0);
		SAY(cuStreamWaitValue32, stream, memory, 5, CU_STREAM_WAIT_VALUE_EQ);
		SAY(cuStreamSynchronize, stream);
	}
}

static void CUDA_CB on_host(void *unused)
{
	(void)unused;
}

static void CUDA_CB on_stream(CUstream stream, CUresult status, void *unused)
{
	(void)stream;
	(void)status;
	(void)unused;
}

void use_host_function(void)
{
	if (draw(2))
		SAY(cuLaunchHostFunc, any_stream(), on_host, NULL);
	else
		SAY(cuStreamAddCallback, any_stream(), on_stream, NULL, 0);
}
