/*
 * objects.c - keeps the recorder's knowledge of the application's objects up to date.
 */
#include "call/call_parts.h"

#include "call/describe.h"
#include "record/driver/captures.h"
#include "record/driver/driver.h"
#include "record/green_contexts.h"
#include "record/host/grace_period.h"
#include "record/objects/functions.h"
#include "record/objects/images.h"
#include "record/streams/context_making.h"
#include "record/streams/contexts.h"
#include "record/streams/events.h"
#include "record/streams/markers.h"
#include "record/streams/stream_rows.h"
#include "record/streams/streams.h"
#include "record/thread.h"
#include "rejection/rejected_image.h"
#include "rejection/rejected_line.h"

static bool is_stream_creation(const struct call *call)
{
	enum driver_call family = call_family(call);
	return family == CALL_cuStreamCreate || family == CALL_cuStreamCreateWithPriority ||
	       family == CALL_cuGreenCtxStreamCreate;
}

/* Return the new object's context: a green context need not be current to get a stream. */
static struct context *context_of_creation(const struct call *call)
{
	if (call_family(call) != CALL_cuGreenCtxStreamCreate)
		return contexts_current();
	return contexts_known(
		green_contexts_handle(CALL_ARGUMENTS(call, cuGreenCtxStreamCreate)->greenCtx));
}

void object_create_after(struct call *call, CUresult result)
{
	if (call_family(call) == CALL_cuIpcOpenEventHandle)
		events_distrust();
	if (result != CUDA_SUCCESS)
		return;
	/* An event that was destroyed with its context may have had this handle. */
	if (call_family(call) == CALL_cuEventCreate)
		events_forgotten(*CALL_ARGUMENTS(call, cuEventCreate)->phEvent);
	if (is_stream_creation(call))
		streams_created(*CALL_ARGUMENTS(call, cuStreamCreate)->phStream);
	struct context *context = prepare_context(context_of_creation(call));
	memory_pool_after(call);
	if (context && is_stream_creation(call) && markers_are_wanted())
		context_making_grow(context);
}

void object_cleanup_after(struct call *call, CUresult result)
{
	if (call_family(call) == CALL_cuStreamDestroy ||
	    call_family(call) == CALL_cuStreamDestroy_v2)
		streams_destroyed(CALL_ARGUMENTS(call, cuStreamDestroy_v2)->hStream,
				  result == CUDA_SUCCESS);
}

/* As memory_free_before(): a destroyed handle may be reused at once. */
void object_cleanup_before(struct call *call)
{
	grace_arrive(&call->thread->coming);
	switch (call_family(call)) {
	case CALL_cuStreamDestroy:
	case CALL_cuStreamDestroy_v2:
		streams_destroying(CALL_ARGUMENTS(call, cuStreamDestroy_v2)->hStream,
				   call->thread->tid);
		break;
	case CALL_cuEventDestroy:
	case CALL_cuEventDestroy_v2:
		events_forgotten(call_event(call));
		break;
	case CALL_cuGraphExecDestroy:
	case CALL_cuGraphDestroy:
		graph_destroy_before(call);
		grace_wait();
		break;
	default:
		break;
	}
}

/* Discover the stream while the driver can still be asked about it: see streams.c. */
void object_capture_before(struct call *call)
{
	if (driver_calls[call->id].stream_offset == NO_STREAM_ARGUMENT)
		return;
	struct stream *stream = streams_of(&call->thread->streams, describe_stream(call),
					   driver_calls[call->id].is_default_per_thread);
	if (stream && call_family(call) == CALL_cuStreamEndCapture &&
	    captures_stream(stream->handle))
		call->capturing = stream;
}

/*
 * Note the end of a capture. A failed call may end one: it ends an invalidated capture, but not
 * another thread's. A stream may also capture nothing. So the driver is asked before and after.
 */
static void end_capture(const struct call *call)
{
	if (call->capturing && !captures_ask(call->capturing->handle))
		captures_finished();
}

/* Captured graphics work runs later, unseen, as often as the graphics API submits it. */
static void begin_graphics_capture(const struct call *call)
{
	captures_started_graphics(describe_stream(call));
	streams_note_lost();
}

void object_capture_after(struct call *call, CUresult result)
{
	switch (call_family(call)) {
	case CALL_cuStreamBeginCapture:
	case CALL_cuStreamBeginCapture_v2:
	case CALL_cuStreamBeginCaptureToGraph:
	case CALL_cuStreamBeginRecaptureToGraph:
		if (result == CUDA_SUCCESS)
			captures_started();
		break;
	case CALL_cuStreamBeginCaptureToCig:
		if (result == CUDA_SUCCESS)
			begin_graphics_capture(call);
		break;
	case CALL_cuStreamEndCaptureToCig:
		if (result == CUDA_SUCCESS)
			captures_finished_graphics(describe_stream(call));
		break;
	case CALL_cuStreamEndCapture:
		end_capture(call);
		break;
	default:
		if (result == CUDA_SUCCESS)
			graph_instantiated(call);
		break;
	}
}

/* Return the handle, which is the only argument of each call that unloads. */
static const void *unloaded_code(const struct call *call)
{
	return *(const void *const *)call->args;
}

/* As object_cleanup_before(): another thread may get the handles of these functions. */
void object_module_before(struct call *call)
{
	if (!driver_calls[call->id].is_cleanup)
		return;
	grace_arrive(&call->thread->coming);
	functions_ending(unloaded_code(call));
	if (call_family(call) == CALL_cuModuleUnload)
		images_unloaded(unloaded_code(call));
	else
		images_unloaded_library(unloaded_code(call));
	grace_wait();
}

/* Return the new handle. Every call that loads has its address as first argument. */
static const void *loaded_code(const struct call *call)
{
	return **(const void *const *const *)call->args;
}

/* Return the current context. The code that is loaded in a green one may be in its primary. */
static struct image_context context_of_module(void)
{
	const struct context *context = contexts_current();
	const struct context *primary =
		context ? __atomic_load_n(&context->primary, __ATOMIC_RELAXED) : NULL;
	return (struct image_context){.id = context ? context->id : 0,
				      .primary = primary ? primary->id : 0};
}

/* Note the image that the driver has just loaded the code from. */
static void note_image(const struct call *call)
{
	switch (call_family(call)) {
	case CALL_cuModuleLoad:
		images_loaded_file(*CALL_ARGUMENTS(call, cuModuleLoad)->module,
				   CALL_ARGUMENTS(call, cuModuleLoad)->fname, context_of_module());
		break;
	case CALL_cuModuleLoadData:
	case CALL_cuModuleLoadDataEx:
	case CALL_cuModuleLoadFatBinary:
		images_loaded(*CALL_ARGUMENTS(call, cuModuleLoadData)->module,
			      CALL_ARGUMENTS(call, cuModuleLoadData)->image, context_of_module());
		break;
	case CALL_cuLibraryLoadFromFile:
		images_loaded_library();
		images_loaded_file(*CALL_ARGUMENTS(call, cuLibraryLoadFromFile)->library,
				   CALL_ARGUMENTS(call, cuLibraryLoadFromFile)->fileName,
				   (struct image_context){.id = 0});
		break;
	case CALL_cuLibraryLoadData:
		images_loaded_library();
		images_loaded(*CALL_ARGUMENTS(call, cuLibraryLoadData)->library,
			      CALL_ARGUMENTS(call, cuLibraryLoadData)->code,
			      (struct image_context){.id = 0});
		break;
	default: /* a call of a later CUDA that loads code */
		images_loaded_library();
		break;
	}
}

#define OPTIONS(args, n, options, values)                                 \
	(struct image_options)                                            \
	{                                                                 \
		(args)->n, (args)->options, (void *const *)(args)->values \
	}

static void explain_rejected_image(const struct call *call, CUresult result)
{
	const struct rejected_call rejected = rejection_of(call, result);
	if (call_family(call) == CALL_cuModuleLoad) {
		rejected_image_file(&rejected, CALL_ARGUMENTS(call, cuModuleLoad)->fname, NULL);
	} else if (call_family(call) == CALL_cuModuleLoadDataEx) {
		const struct args_cuModuleLoadDataEx *args = call->args;
		const struct image_options options =
			OPTIONS(args, numOptions, options, optionValues);
		rejected_image_data(&rejected, args->image, &options);
	} else if (call_family(call) == CALL_cuModuleLoadData ||
		   call_family(call) == CALL_cuModuleLoadFatBinary) {
		rejected_image_data(&rejected, CALL_ARGUMENTS(call, cuModuleLoadData)->image, NULL);
	} else if (call_family(call) == CALL_cuLibraryLoadData) {
		const struct args_cuLibraryLoadData *args = call->args;
		const struct image_options options =
			OPTIONS(args, numJitOptions, jitOptions, jitOptionsValues);
		rejected_image_data(&rejected, args->code, &options);
	} else if (call_family(call) == CALL_cuLibraryLoadFromFile) {
		const struct args_cuLibraryLoadFromFile *args = call->args;
		const struct image_options options =
			OPTIONS(args, numJitOptions, jitOptions, jitOptionsValues);
		rejected_image_file(&rejected, args->fileName, &options);
	}
}
#undef OPTIONS

void object_module_after(struct call *call, CUresult result)
{
	if (driver_calls[call->id].is_cleanup) {
		/* Launches made meanwhile also used the handles' old meaning. */
		functions_gone(unloaded_code(call));
		return;
	}
	if (result != CUDA_SUCCESS) {
		explain_rejected_image(call, result);
		return;
	}
	functions_loaded(loaded_code(call));
	note_image(call);
	(void)prepare_current_context();
}

/* Return the image that the driver looked into; 0: unknown. */
static uint16_t image_looked_into(const struct call *call)
{
	switch (call_family(call)) {
	case CALL_cuLibraryGetKernel:
		return images_of(CALL_ARGUMENTS(call, cuLibraryGetKernel)->library, NULL);
	case CALL_cuLibraryGetModule:
		return images_of(CALL_ARGUMENTS(call, cuLibraryGetModule)->library, NULL);
	case CALL_cuKernelGetFunction:
		return images_of(NULL, CALL_ARGUMENTS(call, cuKernelGetFunction)->kernel);
	case CALL_cuKernelGetAttribute:
		return images_of(NULL, CALL_ARGUMENTS(call, cuKernelGetAttribute)->kernel);
	case CALL_cuFuncGetAttribute:
		return images_of(NULL, CALL_ARGUMENTS(call, cuFuncGetAttribute)->hfunc);
	default:
		return 0;
	}
}

static void explain_rejected_kernel(const struct call *call, CUresult result)
{
	uint16_t image = image_looked_into(call);
	if (image) {
		const struct rejected_call rejected = rejection_of(call, result);
		rejected_image_known(&rejected, image);
	}
	images_drop(image);
}

static void explain_rejected_lookup(const struct call *call, CUresult result)
{
	if (rejected_image_has_rule(result)) {
		explain_rejected_kernel(call, result);
		return;
	}
	if (call_family(call) != CALL_cuMemHostGetDevicePointer_v2)
		return;
	const struct args_cuMemHostGetDevicePointer_v2 *args = call->args;
	const struct rejected_call rejected = rejection_of(call, result);
	if (args->pdptr)
		rejected_host_pointer(&rejected, (uintptr_t)args->p, args->Flags);
}

/* The driver fills in as many as exist and fit; the rest of the array is unchanged. */
static void follow_kernels(const struct call *call)
{
	const struct args_cuLibraryEnumerateKernels *args = call->args;
	unsigned int n = 0;
	if (!functions_begin_question(args->lib))
		return;
	(void)real.cuLibraryGetKernelCount(&n, args->lib);
	functions_end_question(args->lib);
	for (unsigned int i = 0; i < n && i < args->numKernels; i++) {
		functions_derived(args->kernels[i], args->lib);
		images_derived(args->kernels[i], args->lib);
	}
}

static void follow_functions(const struct call *call)
{
	const struct args_cuModuleEnumerateFunctions *args = call->args;
	unsigned int n = 0;
	if (!functions_begin_question(args->mod))
		return;
	(void)real.cuModuleGetFunctionCount(&n, args->mod);
	functions_end_question(args->mod);
	for (unsigned int i = 0; i < n && i < args->numFunctions; i++)
		functions_derived(args->functions[i], args->mod);
}

void object_lookup_after(struct call *call, CUresult result)
{
	if (result != CUDA_SUCCESS) {
		explain_rejected_lookup(call, result);
		return;
	}
	switch (call_family(call)) {
	case CALL_cuModuleGetFunction:
		functions_named(*CALL_ARGUMENTS(call, cuModuleGetFunction)->hfunc,
				CALL_ARGUMENTS(call, cuModuleGetFunction)->name,
				CALL_ARGUMENTS(call, cuModuleGetFunction)->hmod);
		break;
	case CALL_cuLibraryGetKernel:
		functions_named(*CALL_ARGUMENTS(call, cuLibraryGetKernel)->pKernel,
				CALL_ARGUMENTS(call, cuLibraryGetKernel)->name,
				CALL_ARGUMENTS(call, cuLibraryGetKernel)->library);
		images_derived(*CALL_ARGUMENTS(call, cuLibraryGetKernel)->pKernel,
			       CALL_ARGUMENTS(call, cuLibraryGetKernel)->library);
		break;
	case CALL_cuLibraryGetModule:
		functions_derived(*CALL_ARGUMENTS(call, cuLibraryGetModule)->pMod,
				  CALL_ARGUMENTS(call, cuLibraryGetModule)->library);
		break;
	case CALL_cuKernelGetFunction:
		functions_derived(*CALL_ARGUMENTS(call, cuKernelGetFunction)->pFunc,
				  CALL_ARGUMENTS(call, cuKernelGetFunction)->kernel);
		images_derived(*CALL_ARGUMENTS(call, cuKernelGetFunction)->pFunc,
			       CALL_ARGUMENTS(call, cuKernelGetFunction)->kernel);
		break;
	case CALL_cuKernelGetLibrary:
		functions_derived(CALL_ARGUMENTS(call, cuKernelGetLibrary)->kernel,
				  *CALL_ARGUMENTS(call, cuKernelGetLibrary)->pLib);
		break;
	case CALL_cuLibraryEnumerateKernels:
		follow_kernels(call);
		break;
	case CALL_cuModuleEnumerateFunctions:
		follow_functions(call);
		break;
	default:
		break;
	}
}
