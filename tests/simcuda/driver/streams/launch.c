/*
 * launch.c - check launches and queue them.
 */
#include "streams/launch.h"

#include <string.h>

#include "code/library.h"
#include "code/module.h"
#include "entry.h"
#include "objects.h"
#include "sim.h"
#include "streams/stream.h"
#include "work/work_run.h"

/* Multiprocessors of an H200, and the threads and blocks that fit on each. */
#define MULTIPROCESSORS    ((size_t)132)
#define RESIDENT_THREADS   ((size_t)2048)
#define RESIDENT_BLOCKS    ((size_t)32)
#define MAX_CLUSTER_BLOCKS 8u

static size_t volume(const struct simcuda_dim *dim)
{
	return (size_t)dim->x * dim->y * dim->z;
}

static CUresult check_cluster(const struct launch_request *request)
{
	const struct simcuda_dim *cluster = &request->cluster;
	if (volume(cluster) == 0)
		return CUDA_SUCCESS;
	if (volume(cluster) > MAX_CLUSTER_BLOCKS)
		return CUDA_ERROR_INVALID_CLUSTER_SIZE;
	if (request->grid.x % cluster->x || request->grid.y % cluster->y ||
	    request->grid.z % cluster->z)
		return CUDA_ERROR_INVALID_CLUSTER_SIZE; /* as on an H200, driver 580.159 */
	return CUDA_SUCCESS;
}

static size_t most_cooperative_blocks(size_t threads)
{
	size_t resident = RESIDENT_THREADS / threads;
	return MULTIPROCESSORS * (resident < RESIDENT_BLOCKS ? resident : RESIDENT_BLOCKS);
}

static CUresult check_dimensions(const struct launch_request *request)
{
	const struct simcuda_dim *grid = &request->grid;
	const struct simcuda_dim *block = &request->block;
	if (volume(grid) == 0 || volume(block) == 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (block->x > 1024 || block->y > 1024 || block->z > 64 || volume(block) > 1024)
		return CUDA_ERROR_INVALID_VALUE;
	if (grid->x > 0x7fffffff || grid->y > 65535 || grid->z > 65535)
		return CUDA_ERROR_INVALID_VALUE;
	if (request->is_cooperative && volume(grid) > most_cooperative_blocks(volume(block)))
		return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
	return check_cluster(request);
}

static CUresult check_resources(const struct launch_request *request, CUfunction function)
{
	const int *attributes = function->attributes;
	if (request->shared_bytes >
	    (unsigned)attributes[CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES])
		return CUDA_ERROR_INVALID_VALUE;
	if (volume(&request->block) > (size_t)attributes[CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK])
		return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
	return CUDA_SUCCESS;
}

static void copy_params(const struct simcuda_kernel *kernel, void **params, unsigned char *buffer)
{
	for (size_t i = 0; i < kernel->n_params; i++)
		memcpy(buffer + kernel->offsets[i], params[i], kernel->sizes[i]);
}

static CUresult copy_extra(const struct simcuda_kernel *kernel, void **extra, unsigned char *buffer)
{
	const void *given = NULL;
	size_t size = 0;
	for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
		if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
			given = extra[1];
		else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
			size = *(const size_t *)extra[1];
		else
			return CUDA_ERROR_INVALID_VALUE;
	}
	if (!given || size < kernel->params_size)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(buffer, given, kernel->params_size);
	return CUDA_SUCCESS;
}

static CUresult collect_params(const struct launch_request *request,
			       const struct simcuda_kernel *kernel, unsigned char *buffer)
{
	if (request->params && request->extra)
		return CUDA_ERROR_INVALID_VALUE;
	if (kernel->n_params == 0)
		return CUDA_SUCCESS;
	if (request->extra)
		return copy_extra(kernel, request->extra, buffer);
	if (!request->params)
		return CUDA_ERROR_INVALID_VALUE;
	copy_params(kernel, request->params, buffer);
	return CUDA_SUCCESS;
}

CUresult launch_make_work(const struct launch_request *request, struct work *out_work)
{
	CUfunction function = library_loaded_function(request->function);
	struct work work = {.kind = WORK_KERNEL};
	if (!function)
		return library_refusal_of(request->function);
	CUresult result = check_dimensions(request);
	if (result == CUDA_SUCCESS)
		result = check_resources(request, function);
	if (result != CUDA_SUCCESS)
		return result;
	work.kernel = (struct kernel_work){.function = function,
					   .grid = request->grid,
					   .block = request->block,
					   .shared_bytes = request->shared_bytes,
					   .params = sim_alloc(function->kernel->params_size),
					   .params_size = function->kernel->params_size,
					   .cluster = request->cluster,
					   .is_cooperative = request->is_cooperative,
					   .is_programmatic = request->is_programmatic};
	module_reference(function->module);
	result = collect_params(request, function->kernel, work.kernel.params);
	if (result != CUDA_SUCCESS)
		work_release(&work);
	else
		*out_work = work;
	return result;
}

static CUresult launch(CUstream stream, const struct launch_request *request)
{
	struct work work;
	CUresult result = launch_make_work(request, &work);
	return result == CUDA_SUCCESS ? stream_submit(stream, &work) : result;
}

CUresult sim_cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
			    unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
			    unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
			    void **kernelParams, void **extra)
{
	struct launch_request request = {.function = f,
					 .grid = {gridDimX, gridDimY, gridDimZ},
					 .block = {blockDimX, blockDimY, blockDimZ},
					 .shared_bytes = sharedMemBytes,
					 .params = kernelParams,
					 .extra = extra};
	return launch(hStream, &request);
}

CUresult sim_cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
				       unsigned int gridDimZ, unsigned int blockDimX,
				       unsigned int blockDimY, unsigned int blockDimZ,
				       unsigned int sharedMemBytes, CUstream hStream,
				       void **kernelParams)
{
	struct launch_request request = {.function = f,
					 .grid = {gridDimX, gridDimY, gridDimZ},
					 .block = {blockDimX, blockDimY, blockDimZ},
					 .shared_bytes = sharedMemBytes,
					 .params = kernelParams,
					 .is_cooperative = true};
	return launch(hStream, &request);
}

/* Apply an attribute, or ignore it if it affects neither results nor order here. */
static void apply_attribute(struct launch_request *request, const CUlaunchAttribute *attribute)
{
	const CUlaunchAttributeValue *value = &attribute->value;
	if (attribute->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
		request->is_cooperative = value->cooperative != 0;
	else if (attribute->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
		request->is_programmatic = value->programmaticStreamSerializationAllowed != 0;
	else if (attribute->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
		request->cluster = (struct simcuda_dim){value->clusterDim.x, value->clusterDim.y,
							value->clusterDim.z};
}

CUresult sim_cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **kernelParams,
			      void **extra)
{
	if (!config || (config->numAttrs > 0 && !config->attrs))
		return CUDA_ERROR_INVALID_VALUE;
	struct launch_request request = {
		.function = f,
		.grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
		.block = {config->blockDimX, config->blockDimY, config->blockDimZ},
		.shared_bytes = config->sharedMemBytes,
		.params = kernelParams,
		.extra = extra};
	for (unsigned i = 0; i < config->numAttrs; i++)
		apply_attribute(&request, &config->attrs[i]);
	return launch(config->hStream, &request);
}
