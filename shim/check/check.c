/*
 * check.c - load the kernels into each context, and lay out its launches.
 */
#include "check/check.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "check/check_pages.h"
#include "record/driver/driver.h"
#include "record/streams/contexts.h"

enum { MAX_CONTEXTS = 64, MAX_PAUSES = 100, PAUSE_NS = 100000 };

/* Machine code for each architecture, if there was a compiler; and PTX for all of them. */
extern const unsigned char check_image_fatbin[] __attribute__((visibility("hidden")));
extern const uint64_t check_image_fatbin_size __attribute__((visibility("hidden")));
extern const char check_image_ptx[] __attribute__((visibility("hidden")));

struct check_context {
	CUcontext handle; /* NULL: the context was destroyed */
	bool is_refused;
	CUfunction summary, scan;
	struct check_pages pages;
};

/* Guards the array and the pages. Never held while the driver is called. */
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
		result = real.cuModuleGetFunction(&context->summary, module, CHECK_KERNEL_NAME);
	if (result == CUDA_SUCCESS)
		result = real.cuModuleGetFunction(&context->scan, module, CHECK_SCAN_NAME);
	return result;
}

/* Under lock. */
static struct check_context *find(CUcontext handle)
{
	for (size_t i = 0; i < n_contexts; i++)
		if (contexts[i].handle == handle)
			return &contexts[i];
	return NULL;
}

static struct check_context *find_made(CUcontext handle, bool *out_is_full)
{
	pthread_mutex_lock(&lock);
	struct check_context *found = find(handle);
	*out_is_full = n_contexts == MAX_CONTEXTS;
	pthread_mutex_unlock(&lock);
	return found;
}

static struct check_context *add(const struct check_context *made)
{
	pthread_mutex_lock(&lock);
	struct check_context *found = find(made->handle);
	if (!found && n_contexts < MAX_CONTEXTS) {
		found = &contexts[n_contexts++];
		*found = *made;
	}
	pthread_mutex_unlock(&lock);
	return found;
}

static struct check_context *find_or_make(CUcontext handle)
{
	bool is_full = false;
	struct check_context *found = find_made(handle, &is_full);
	if (found || is_full)
		return found;
	struct check_context made = {.handle = handle};
	CUresult result = prepare(&made);
	/* A primary context that is not initialised yet (marker_memory.c): a later call tries
	 * again. */
	if (result == CUDA_ERROR_CONTEXT_IS_DESTROYED)
		return NULL;
	made.is_refused = result != CUDA_SUCCESS;
	return add(&made);
}

struct check_context *check_current_context(void)
{
	CUcontext handle = NULL;
	if (real.cuCtxGetCurrent(&handle) != CUDA_SUCCESS || !handle)
		return NULL;
	const struct context *context = contexts_known(handle);
	if (!context || context->primary)
		return NULL;
	struct check_context *found = find_or_make(handle);
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

CUfunction check_kernel(const struct check_context *context, uint32_t flags)
{
	return flags & CHECK_ODD_ONLY ? context->scan : context->summary;
}

bool check_take_slots(struct check_context *context, size_t n, struct check_slot *out)
{
	struct check_slot page;
	bool is_taken = false;
	bool may_grow = true;
	for (;;) {
		pthread_mutex_lock(&lock);
		is_taken = check_pages_take(&context->pages, n, out);
		may_grow = check_pages_may_grow(&context->pages);
		pthread_mutex_unlock(&lock);
		if (is_taken || !may_grow || !check_pages_make(&page))
			return is_taken;
		pthread_mutex_lock(&lock);
		check_pages_add(&context->pages, &page);
		pthread_mutex_unlock(&lock);
	}
}

uint64_t check_bytes_read(uint64_t bytes, const struct check_mode *mode)
{
	uint32_t n_chunks = (uint32_t)(bytes / CHECK_CHUNK_BYTES);
	if (!(mode->flags & CHECK_ODD_ONLY) || n_chunks <= mode->longest)
		return bytes;
	return (uint64_t)check_n_read(n_chunks, mode->longest) * CHECK_CHUNK_BYTES +
	       bytes % CHECK_CHUNK_BYTES;
}

static uint32_t blocks_of(const struct check_range *range, const struct check_mode *mode)
{
	const uint64_t of_block = (uint64_t)CHECK_THREADS * CHECK_CHUNK_BYTES * CHECK_THREAD_CHUNKS;
	uint64_t n = (check_bytes_read(range->bytes, mode) + of_block - 1) / of_block;
	return n < CHECK_MAX_BLOCKS ? (uint32_t)n : CHECK_MAX_BLOCKS;
}

/* A block takes the last range that starts with it or before it. A range without bytes has no
 * block. */
void check_fill_order(const struct check_slot *slot, const struct check_range *ranges, size_t n,
		      const struct check_mode *mode, struct check_order *out)
{
	*out = (struct check_order){.answer = slot->device_answer,
				    .scratch = slot->device_scratch,
				    .counter = slot->device_scratch,
				    .n_ranges = (uint32_t)n,
				    .flags = mode->flags,
				    .longest = mode->longest};
	for (size_t i = 0; i < n; i++) {
		uint32_t n_blocks = blocks_of(&ranges[i], mode);
		out->ranges[i] = ranges[i];
		out->first_blocks[i] = (uint16_t)out->n_blocks;
		out->n_blocks += n_blocks;
	}
	out->n_blocks += !out->n_blocks; /* a grid has one at least */
}

CUresult check_launch(const struct check_context *context, const struct check_order *order,
		      CUstream stream, __typeof__(&cuLaunchKernel) launch)
{
	struct check_order copy = *order;
	void *parameters[] = {&copy};
	return launch(check_kernel(context, order->flags), order->n_blocks, 1, 1, CHECK_THREADS, 1,
		      1, 0, stream, parameters, NULL);
}

bool check_lock_at_end(pthread_mutex_t *mutex)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	for (int i = 0; i < MAX_PAUSES; i++) {
		if (!pthread_mutex_trylock(mutex))
			return true;
		(void)nanosleep(&pause, NULL);
	}
	return false;
}
