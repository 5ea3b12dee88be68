/*
 * launches.c - ways to launch, what can be asked about kernels, and errors.
 */
#include "samples.h"

int cooperative_launch(struct corpus *corpus)
{
	struct launch fill;
	CUlaunchConfig configuration;
	CUdeviceptr data;

	corpus_open(corpus);
	data = corpus_buffer(corpus, SAMPLE_BYTES);
	launch_init(&fill, corpus, "fill", NULL, VALUES(data, 128));
	say("cuLaunchCooperativeKernel",
	    cuLaunchCooperativeKernel(fill.function, 4, 1, 1, 32, 1, 1, 0, NULL, fill.params));
	configuration = (CUlaunchConfig){.gridDimX = 4,
					 .gridDimY = 1,
					 .gridDimZ = 1,
					 .blockDimX = 32,
					 .blockDimY = 1,
					 .blockDimZ = 1};
	say("cuLaunchKernelEx", cuLaunchKernelEx(&configuration, fill.function, fill.params, NULL));
	configuration.gridDimX = 0;
	say("cuLaunchKernelEx", cuLaunchKernelEx(&configuration, fill.function, fill.params, NULL));
	say("cuLaunchKernel", cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, fill.params, NULL));
	printf("word %s\n", sample_word(data) == fill.tag ? "right" : "wrong");
	corpus_close(corpus);
	return 0;
}

int occupancy(struct corpus *corpus)
{
	static const CUfunction_attribute attributes[] = {
		CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
		CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES};
	CUfunction fill;
	const char *name = NULL;
	size_t offset = 0, size = 0;
	int value = 0;

	corpus_open(corpus);
	fill = corpus_kernel(corpus, "fill");
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		say("cuFuncGetAttribute", cuFuncGetAttribute(&value, attributes[i], fill));
		printf("attribute %zu: %d\n", i, value);
	}
	say("cuFuncGetName", cuFuncGetName(&name, fill));
	for (size_t i = 0; i < 4; i++)
		say("cuFuncGetParamInfo", cuFuncGetParamInfo(fill, i, &offset, &size));
	say("cuFuncSetAttribute",
	    cuFuncSetAttribute(fill, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024));
	for (int block = 32; block <= 1024; block *= 2) {
		say("cuOccupancyMaxActiveBlocksPerMultiprocessor",
		    cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, fill, block, 0));
		printf("%d threads: %d blocks\n", block, value);
	}
	corpus_close(corpus);
	return 0;
}

int libraries(struct corpus *corpus)
{
	struct launch fill;
	char path[PATH_MAX + 16];
	CUlibrary library = NULL;
	CUkernel kernel = NULL;
	CUdeviceptr data;

	corpus_open(corpus);
	data = corpus_buffer(corpus, SAMPLE_BYTES);
	snprintf(path, sizeof(path), "%s/fill.%s", corpus->kernels, corpus->kernel_suffix);
	NEED(cuLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0));
	NEED(cuLibraryGetKernel(&kernel, library, "fill"));
	say("cuLibraryGetKernel", cuLibraryGetKernel(&kernel, library, "fill"));
	launch_init(&fill, corpus, "fill", NULL, VALUES(data, 128));
	say("cuLaunchKernel of a kernel",
	    cuLaunchKernel((CUfunction)kernel, 4, 1, 1, 32, 1, 1, 0, NULL, fill.params, NULL));
	printf("word %s\n", sample_word(data) == fill.tag ? "right" : "wrong");
	say("cuLibraryUnload", cuLibraryUnload(library));
	corpus_close(corpus);
	return 0;
}

static void tell_error(CUresult code)
{
	const char *name = NULL, *text = NULL;
	CUresult named = cuGetErrorName(code, &name), told = cuGetErrorString(code, &text);

	printf("%d: %d %s, %d %s\n", (int)code, (int)named, name ? name : "-", (int)told,
	       text ? text : "-");
}

int errors(struct corpus *corpus)
{
	CUdeviceptr data = 0;
	CUfunction function = NULL;
	CUmodule module = NULL;
	void *address = NULL;

	say("cuCtxSynchronize before cuInit", cuCtxSynchronize());
	corpus_open(corpus);
	for (int code = 0; code < 1000; code++)
		tell_error((CUresult)code);
	say("cuInit", cuInit(1));
	say("cuMemAlloc", cuMemAlloc_v2(&data, SIZE_MAX / 2));
	say("cuMemFree", cuMemFree_v2(0));
	say("cuMemFree", cuMemFree_v2(12345));
	say("cuModuleLoadData", cuModuleLoadData(&module, ""));
	say("cuModuleLoad", cuModuleLoad(&module, "/no/such/file"));
	say("cuModuleGetFunction", cuModuleGetFunction(&function, NULL, "fill"));
	say("cuEventRecord", cuEventRecord(NULL, NULL));
	say("cuEventQuery", cuEventQuery(NULL));
	say("cuGetProcAddress", cuGetProcAddress_v2("cuNoSuchCall", &address, 12000, 0, NULL));
	say("cuGetProcAddress", cuGetProcAddress_v2("cuMemAlloc", &address, 12000, 0, NULL));
	corpus_close(corpus);
	return 0;
}

/* Print the texts that an application puts into its error message. */
int error_text(struct corpus *corpus)
{
	struct launch stray;
	const char *text = NULL;
	CUdeviceptr data;
	CUresult code;

	corpus_open(corpus);
	data = corpus_buffer(corpus, SAMPLE_BYTES);
	launch_init(&stray, corpus, "stray_store", NULL, VALUES(data, FAR_INDEX));
	say("cuLaunchKernel", LAUNCH(&stray));
	code = cuCtxSynchronize();
	say("cuGetErrorString", cuGetErrorString(code, &text));
	printf("%.*s\n", (int)sizeof("an illegal memory access was encountered") - 1, text);
	corpus_close(corpus);
	return code == CUDA_ERROR_ILLEGAL_ADDRESS ? 1 : 2;
}
