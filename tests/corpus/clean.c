/*
 * clean.c - controls: work that succeeds and calls that the driver refuses. None of them is a
 * failure of the GPU, and after each refusal the context still works.
 */
#include "scenarios.h"

/* Work whose result is read back and printed, which shows that the context still works. */
static CUresult work(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	uint32_t word = 0;
	struct launch fill;
	launch_init(&fill, corpus, "fill", NULL, VALUES(data, 128));
	say("cuLaunchKernel", LAUNCH(&fill));
	say("cuMemcpyDtoH", CU(cuMemcpyDtoH_v2)(&word, data, sizeof(word)));
	printf("filled %s\n", word == fill.tag ? "right" : "wrong");
	return word == fill.tag ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

static void launch_add(struct corpus *corpus, CUdeviceptr out, CUdeviceptr left, CUstream stream)
{
	struct launch add;
	launch_init(&add, corpus, "add", stream, VALUES(out, left, left, 128));
	NEED(LAUNCH(&add));
}

/* Two streams that take turns through events; the sum proves that they kept their order. */
static void add_across_streams(struct corpus *corpus, CUdeviceptr data)
{
	CUstream streams[2] = {corpus_stream(corpus, 0), corpus_stream(corpus, 0)};
	CUevent event = corpus_event(corpus);
	for (int i = 0; i < 10; i++) {
		launch_spin(corpus, 100, streams[i % 2]);
		launch_add(corpus, data, data, streams[i % 2]);
		NEED(CU(cuEventRecord)(event, streams[i % 2]));
		NEED(CU(cuStreamWaitEvent)(streams[(i + 1) % 2], event, 0));
	}
	say("cuEventSynchronize", CU(cuEventSynchronize)(event));
	say("cuEventQuery", CU(cuEventQuery)(event));
}

static void add_in_graph(struct corpus *corpus, CUdeviceptr data)
{
	CUstream stream = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	NEED(CU(cuStreamBeginCapture_v2)(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	launch_add(corpus, data, data, stream);
	CUgraph graph = NULL;
	NEED(CU(cuStreamEndCapture)(stream, &graph));
	CUgraphExec executable = NULL;
	NEED(CU(cuGraphInstantiateWithFlags)(&executable, graph, 0));
	for (int i = 0; i < 10; i++)
		NEED(CU(cuGraphLaunch)(executable, stream));
	say("cuStreamSynchronize", CU(cuStreamSynchronize)(stream));
	say_cleanup("cuGraphExecDestroy", CU(cuGraphExecDestroy)(executable));
	say_cleanup("cuGraphDestroy", CU(cuGraphDestroy)(graph));
}

CUresult ok(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	uint32_t word = 0;
	NEED(CU(cuMemsetD32_v2)(data, 3, 128));
	add_across_streams(corpus, data);
	add_in_graph(corpus, data);
	say("cuMemcpyDtoH", CU(cuMemcpyDtoH_v2)(&word, data, sizeof(word)));
	printf("sum %u\n", word);
	return synchronize();
}

CUresult invalid_value(struct corpus *corpus)
{
	CUdeviceptr data = 0;
	say("cuMemAlloc", CU(cuMemAlloc_v2)(&data, 0));
	say("cuMemAlloc", CU(cuMemAlloc_v2)(NULL, CORPUS_BUFFER_BYTES));
	say("cuStreamCreate", CU(cuStreamCreate)(NULL, 0));
	return work(corpus);
}

CUresult out_of_memory(struct corpus *corpus)
{
	CUdeviceptr data = 0;
	say("cuMemAlloc", CU(cuMemAlloc_v2)(&data, (size_t)1 << 46));
	return work(corpus);
}

CUresult too_many_threads(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	struct launch bad;
	launch_init(&bad, corpus, "fill", NULL, VALUES(data, 128));
	bad.block[0] = 2048;
	say("cuLaunchKernel", LAUNCH(&bad));
	return work(corpus);
}

CUresult too_many_registers(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	struct launch bad;
	launch_init(&bad, corpus, "crowded", NULL, VALUES(data));
	bad.block[0] = 1024;
	say("cuLaunchKernel", LAUNCH(&bad));
	return work(corpus);
}

CUresult shared_too_large(struct corpus *corpus)
{
	CUdeviceptr data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	struct launch bad;
	launch_init(&bad, corpus, "fill", NULL, VALUES(data, 128));
	bad.shared_bytes = 16u << 20;
	say("cuLaunchKernel", LAUNCH(&bad));
	return work(corpus);
}

CUresult missing_kernel(struct corpus *corpus)
{
	corpus_kernel(corpus, "fill");
	CUfunction function = NULL;
	say("cuModuleGetFunction",
	    CU(cuModuleGetFunction)(&function, corpus->modules[0].module, "no_such_kernel"));
	return work(corpus);
}

static char pages[2 * 4096] __attribute__((aligned(4096)));

CUresult registered_twice(struct corpus *corpus)
{
	NEED(CU(cuMemHostRegister_v2)(pages, sizeof(pages), 0));
	say("cuMemHostRegister", CU(cuMemHostRegister_v2)(pages, sizeof(pages), 0));
	NEED(CU(cuMemHostUnregister)(pages));
	return work(corpus);
}

CUresult never_registered(struct corpus *corpus)
{
	say("cuMemHostUnregister", CU(cuMemHostUnregister)(pages));
	return work(corpus);
}

static CUresult load_ptx(struct corpus *corpus, const char *text)
{
	CUmodule module = NULL;
	say("cuModuleLoadData", CU(cuModuleLoadData)(&module, text));
	return work(corpus);
}

CUresult ptx_too_new(struct corpus *corpus)
{
	return load_ptx(corpus, ".version 99.0\n.target sm_80\n.address_size 64\n"
				".visible .entry k()\n{\n\tret;\n}\n");
}

CUresult ptx_invalid(struct corpus *corpus)
{
	return load_ptx(corpus, ".version 7.0\n.target sm_80\n.address_size 64\n"
				".visible .enrty k()\n{\n\tret;\n}\n");
}
