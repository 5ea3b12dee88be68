/*
 * corpus.c - the objects of a scenario: the context, kernels, buffers, streams and events; made
 * on demand and destroyed in one place, the way programs do it, whether or not the GPU has failed.
 */
#include "corpus.h"
#include <stdlib.h>
#include <string.h>

static void give_up(const char *what, const char *why)
{
	fprintf(stderr, "corpus: %s: %s\n", what, why);
	exit(2);
}

void need(CUresult code, const char *call)
{
	if (code == CUDA_SUCCESS)
		return;
	fprintf(stderr, "corpus: %s returned %d\n", call, (int)code);
	exit(2);
}

CUresult say(const char *call, CUresult code)
{
	printf("%s %d\n", call, (int)code);
	return code;
}

CUresult say_cleanup(const char *call, CUresult code)
{
	printf("cleanup: %s %d\n", call, (int)code);
	return code;
}

CUresult synchronize(void)
{
	return say("cuCtxSynchronize", CU(cuCtxSynchronize)());
}

/* The kernels are in lib/ next to the bin/ of this program, built for one of two machines. */
static void find_kernels(struct corpus *corpus)
{
	const char *slash = strrchr(corpus->program, '/');
	int length = slash ? (int)(slash - corpus->program) : 1;
	char name[128];
	NEED(CU(cuDeviceGetName)(name, sizeof(name), corpus->device));
	bool simulated = strstr(name, "simcuda") != NULL;
	corpus->kernel_suffix = simulated ? "so" : "fatbin";
	if (corpus->kernels[0])
		return;
	snprintf(corpus->kernels, sizeof(corpus->kernels), "%.*s/../lib/%s-kernels", length,
		 slash ? corpus->program : ".", simulated ? "simcuda" : "gpu");
}

void corpus_open(struct corpus *corpus)
{
	NEED(CU(cuInit)(0));
	NEED(CU(cuDeviceGet)(&corpus->device, 0));
	find_kernels(corpus);
	NEED(CU(cuCtxCreate_v2)(&corpus->context, 0, corpus->device));
}

static CUcontext current_context(void)
{
	CUcontext context = NULL;
	NEED(CU(cuCtxGetCurrent)(&context));
	return context;
}

static void load_kernel(struct corpus *corpus, struct corpus_module *module)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s/%s.%s", corpus->kernels, module->kernel,
			      corpus->kernel_suffix);
	if (length < 0 || (size_t)length >= sizeof(path))
		give_up(corpus->kernels, "too long a path");
	NEED(CU(cuModuleLoad)(&module->module, path));
	NEED(CU(cuModuleGetFunction)(&module->function, module->module, module->kernel));
}

CUfunction corpus_kernel(struct corpus *corpus, const char *name)
{
	CUcontext context = current_context();
	struct corpus_module *module = corpus->modules;
	struct corpus_module *end = module + corpus->n_modules;
	for (; module < end; module++)
		if (module->context == context && !strcmp(module->kernel, name))
			return module->function;
	if (corpus->n_modules == CORPUS_MAX_OBJECTS)
		give_up(name, "too many kernels");
	module->kernel = name;
	module->context = context;
	load_kernel(corpus, module);
	corpus->n_modules++;
	return module->function;
}

CUdeviceptr corpus_buffer(struct corpus *corpus, size_t size_bytes)
{
	CUdeviceptr *buffer = &corpus->buffers[corpus->n_buffers];
	if (corpus->n_buffers == CORPUS_MAX_OBJECTS)
		give_up("cuMemAlloc", "too many buffers");
	NEED(CU(cuMemAlloc_v2)(buffer, size_bytes));
	NEED(CU(cuMemsetD32_v2)(*buffer, 0, size_bytes / sizeof(uint32_t)));
	/* Otherwise the memset is one more suspect on a slow machine. */
	NEED(CU(cuCtxSynchronize)());
	corpus->buffer_bytes[corpus->n_buffers++] = size_bytes;
	return *buffer;
}

CUstream corpus_stream(struct corpus *corpus, unsigned flags)
{
	CUstream *stream = &corpus->streams[corpus->n_streams];
	if (corpus->n_streams == CORPUS_MAX_OBJECTS)
		give_up("cuStreamCreate", "too many streams");
	NEED(CU(cuStreamCreate)(stream, flags));
	corpus->n_streams++;
	return *stream;
}

CUevent corpus_event(struct corpus *corpus)
{
	CUevent *event = &corpus->events[corpus->n_events];
	if (corpus->n_events == CORPUS_MAX_OBJECTS)
		give_up("cuEventCreate", "too many events");
	NEED(CU(cuEventCreate)(event, CU_EVENT_DISABLE_TIMING));
	corpus->n_events++;
	return *event;
}

void corpus_close(struct corpus *corpus)
{
	for (size_t i = 0; i < corpus->n_events; i++)
		say_cleanup("cuEventDestroy", CU(cuEventDestroy_v2)(corpus->events[i]));
	for (size_t i = 0; i < corpus->n_streams; i++)
		say_cleanup("cuStreamDestroy", CU(cuStreamDestroy_v2)(corpus->streams[i]));
	for (size_t i = 0; i < corpus->n_buffers; i++)
		say_cleanup("cuMemFree", CU(cuMemFree_v2)(corpus->buffers[i]));
	for (size_t i = 0; i < corpus->n_modules; i++)
		say_cleanup("cuModuleUnload", CU(cuModuleUnload)(corpus->modules[i].module));
	if (corpus->context)
		say_cleanup("cuCtxDestroy", CU(cuCtxDestroy_v2)(corpus->context));
	corpus->n_events = corpus->n_streams = corpus->n_buffers = corpus->n_modules = 0;
	corpus->context = NULL;
}
