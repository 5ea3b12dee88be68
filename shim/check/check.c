/*
 * check.c - load the kernel into each context, and lay out its launches.
 */
#include "check/check.h"

#include <pthread.h>
#include <string.h>

#include "check/check_pages.h"
#include "record/driver/driver.h"
#include "record/streams/contexts.h"

enum { MAX_CONTEXTS = 64, CHUNKS_OF_THREAD = 4 };

/* Machine code for each architecture, if there was a compiler; and PTX for all of them. */
extern const unsigned char check_image_fatbin[] __attribute__((visibility("hidden")));
extern const uint64_t check_image_fatbin_size __attribute__((visibility("hidden")));
extern const char check_image_ptx[] __attribute__((visibility("hidden")));

struct check_context {
	CUcontext handle; /* NULL: the context was destroyed */
	bool is_refused;
	CUfunction kernel;
	struct check_pages pages;
};

/* Guards the array and the making. The driver is called under it, with nothing else held. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct check_context contexts[MAX_CONTEXTS];
static size_t n_contexts; /* entries of ended contexts stay: their answers may be read */

static CUresult load_image(CUmodule *out)
{
	CUresult result = CUDA_ERROR_NO_BINARY_FOR_GPU;
	if (check_image_fatbin_size)
		result = real.cuModuleLoadData(out, check_image_fatbin);
	/* A newer GPU has no machine code there, and an older driver may not know its format. */
	return result == CUDA_SUCCESS ? result : real.cuModuleLoadData(out, check_image_ptx);
}

static CUresult prepare(struct check_context *context)
{
	CUmodule module = NULL;
	CUresult result = load_image(&module);
	if (result == CUDA_SUCCESS)
		result = real.cuModuleGetFunction(&context->kernel, module, CHECK_KERNEL_NAME);
	return result;
}

static struct check_context *find(CUcontext handle)
{
	for (size_t i = 0; i < n_contexts; i++)
		if (contexts[i].handle == handle)
			return &contexts[i];
	return NULL;
}

static struct check_context *find_or_make(CUcontext handle)
{
	struct check_context *found = find(handle);
	if (found || n_contexts == MAX_CONTEXTS)
		return found;
	found = &contexts[n_contexts];
	*found = (struct check_context){.handle = handle};
	CUresult result = prepare(found);
	/* A primary context that is not initialised yet (marker_memory.c): a later call tries
	 * again. */
	if (result == CUDA_ERROR_CONTEXT_IS_DESTROYED)
		return NULL;
	found->is_refused = result != CUDA_SUCCESS;
	n_contexts++;
	return found;
}

struct check_context *check_current_context(void)
{
	CUcontext handle = NULL;
	if (real.cuCtxGetCurrent(&handle) != CUDA_SUCCESS || !handle)
		return NULL;
	const struct context *context = contexts_known(handle);
	if (!context || context->primary)
		return NULL;
	pthread_mutex_lock(&lock);
	struct check_context *found = find_or_make(handle);
	pthread_mutex_unlock(&lock);
	return found && !found->is_refused ? found : NULL;
}

void check_forget_context(CUcontext handle)
{
	pthread_mutex_lock(&lock);
	struct check_context *found = find(handle);
	if (found)
		found->handle = NULL;
	pthread_mutex_unlock(&lock);
}

CUfunction check_kernel(const struct check_context *context)
{
	return context->kernel;
}

bool check_take_slots(struct check_context *context, size_t n, struct check_slot *out)
{
	pthread_mutex_lock(&lock);
	bool is_taken = check_pages_take(&context->pages, n, out);
	pthread_mutex_unlock(&lock);
	return is_taken;
}

void check_fill_order(const struct check_slot *slot, const struct check_range *ranges, size_t n,
		      uint32_t flags, struct check_order *out)
{
	*out = (struct check_order){.answer = slot->device_answer,
				    .scratch = slot->device_scratch,
				    .n_ranges = (uint32_t)n,
				    .flags = flags};
	memcpy(out->ranges, ranges, n * sizeof(*ranges));
}

struct check_grid check_grid_of(const struct check_order *order)
{
	const uint64_t of_block = (uint64_t)CHECK_THREADS * CHECK_CHUNK_BYTES * CHUNKS_OF_THREAD;
	uint64_t blocks = 1;
	for (uint32_t i = 0; i < order->n_ranges; i++) {
		uint64_t n = (order->ranges[i].bytes + of_block - 1) / of_block;
		blocks = n > blocks ? n : blocks;
	}
	if (blocks > CHECK_MAX_BLOCKS)
		blocks = CHECK_MAX_BLOCKS;
	return (struct check_grid){(unsigned int)blocks, order->n_ranges};
}

CUresult check_launch(const struct check_context *context, const struct check_order *order,
		      CUstream stream, __typeof__(&cuLaunchKernel) launch)
{
	struct check_grid grid = check_grid_of(order);
	struct check_order copy = *order;
	void *parameters[] = {&copy};
	return launch(context->kernel, grid.x, grid.y, 1, CHECK_THREADS, 1, 1, 0, stream,
		      parameters, NULL);
}
