/*
 * objects_code.c - what the calls that load, unload and search code make the recorder do, and
 * in which order: all of it is compared.
 */
#include "call/call_parts.h"

#include "call/objects_code.h"
#include "record/driver/driver.h"
#include "record/objects/functions.h"
#include "record/objects/images.h"
#include "rejection/rejected_image.h"
#include "support/check.h"

enum { MODULE = 0x10, LIBRARY = 0x20, KERNEL = 0x30, FUNCTION = 0x40, N_FOUND = 2 };
#define REFUSED CUDA_ERROR_INVALID_VALUE
#define RULED   CUDA_ERROR_NO_BINARY_FOR_GPU /* an image explains it */

struct driver real;
struct thread objects_thread = {.tid = 7};
struct context objects_context = {.handle = HANDLE(CUcontext, 1), .id = 5};
bool has_objects_context = true;

static struct context primary = {.id = 4};
static bool may_ask = true;

void grace_wait(void)
{
	CHECK_EQUAL(objects_thread.coming, GRACE_ELSEWHERE);
	trace_add("wait\n");
}

struct context *contexts_current(void)
{
	return has_objects_context ? &objects_context : NULL;
}

void functions_ending(const void *code)
{
	CHECK_EQUAL(objects_thread.coming, GRACE_ELSEWHERE);
	trace_add("ending %x\n", number(code));
}

void functions_gone(const void *code)
{
	trace_add("gone %x\n", number(code));
}

void functions_loaded(const void *code)
{
	trace_add("loaded %x\n", number(code));
}

void functions_named(const void *handle, const char *name, const void *from)
{
	trace_add("%x is %s of %x\n", number(handle), name, number(from));
}

void functions_derived(const void *handle, const void *from)
{
	trace_add("%x from %x\n", number(handle), number(from));
}

bool functions_begin_question(const void *handle)
{
	trace_add("begin %x\n", number(handle));
	return may_ask;
}

void functions_end_question(const void *handle)
{
	trace_add("end %x\n", number(handle));
}

void images_loaded(const void *handle, const void *image, struct image_context context)
{
	trace_add("image %s of %x in %u %u\n", (const char *)image, number(handle), context.id,
		  context.primary);
}

void images_loaded_file(const void *handle, const char *path, struct image_context context)
{
	trace_add("file %s of %x in %u %u\n", path, number(handle), context.id, context.primary);
}

void images_loaded_library(void)
{
	trace_add("library\n");
}

void images_derived(const void *handle, const void *from)
{
	trace_add("image of %x is that of %x\n", number(handle), number(from));
}

void images_unloaded(const void *handle)
{
	trace_add("unload %x\n", number(handle));
}

void images_unloaded_library(const void *handle)
{
	trace_add("unload library %x\n", number(handle));
}

void images_drop(uint16_t id)
{
	trace_add("drop %u\n", id);
}

/* Nothing is known of handles above 0x100. */
uint16_t images_of(const void *module, const void *function)
{
	trace_add("image of %x %x\n", number(module), number(function));
	return number(module) > 0x100 || number(function) > 0x100 ? 0 : 9;
}

struct context *prepare_current_context(void)
{
	trace_add("prepare\n");
	return NULL;
}

struct rejected_call rejection_of(const struct call *call, CUresult result)
{
	CHECK(call->thread == &objects_thread);
	return (struct rejected_call){.id = call->id, .result = result, .stack = 6};
}

bool rejected_image_has_rule(CUresult result)
{
	return result == RULED;
}

static void rejected(const char *what, const struct rejected_call *call)
{
	CHECK_EQUAL(call->stack, 6);
	trace_add("%s rejects %s: %d", driver_calls[call->id].name, what, (int)call->result);
}

static void add_options(const struct image_options *options)
{
	if (options)
		trace_add(" with %u %d %x\n", options->n, (int)*options->options,
			  number(*options->values));
	else
		trace_add("\n");
}

void rejected_image_data(const struct rejected_call *call, const void *image,
			 const struct image_options *options)
{
	rejected(image, call);
	add_options(options);
}

void rejected_image_file(const struct rejected_call *call, const char *path,
			 const struct image_options *options)
{
	rejected(path, call);
	add_options(options);
}

void rejected_image_known(const struct rejected_call *call, uint16_t id)
{
	rejected("an image", call);
	trace_add(" %u\n", id);
}

void rejected_host_pointer(const struct rejected_call *call, uint64_t address, unsigned flags)
{
	rejected("an address", call);
	trace_add(" %" PRIx64 " %u\n", address, flags);
}

static CUresult CUDAAPI count_kernels(unsigned int *count, CUlibrary library)
{
	trace_add("count %x\n", number(library));
	*count = N_FOUND;
	return CUDA_SUCCESS;
}

static CUresult CUDAAPI count_functions(unsigned int *count, CUmodule module)
{
	trace_add("count %x\n", number(module));
	*count = N_FOUND;
	return CUDA_SUCCESS;
}

static void run_module(enum driver_call id, const void *args, CUresult result)
{
	struct call call = {.id = id, .args = args, .thread = &objects_thread};
	objects_thread.coming = GRACE_COMING;
	object_module_before(&call);
	CHECK_EQUAL(objects_thread.coming,
		    driver_calls[id].is_cleanup ? GRACE_ELSEWHERE : GRACE_COMING);
	trace_add("--\n");
	object_module_after(&call, result);
}

static void run_lookup(enum driver_call id, const void *args, CUresult result)
{
	struct call call = {.id = id, .args = args, .thread = &objects_thread};
	object_lookup_after(&call, result);
}

#define ARGS(name, ...)             \
	&(const struct args_##name) \
	{                           \
		__VA_ARGS__         \
	}
#define RUN(result, name, ...)  run_module(CALL_##name, ARGS(name, __VA_ARGS__), result)
#define LOOK(result, name, ...) run_lookup(CALL_##name, ARGS(name, __VA_ARGS__), result)

static void test_unloads(void)
{
	RUN(CUDA_SUCCESS, cuModuleUnload, .hmod = HANDLE(CUmodule, MODULE));
	CHECK_TRACE("ending 10\nunload 10\nwait\n--\ngone 10\n");
	RUN(REFUSED, cuLibraryUnload, .library = HANDLE(CUlibrary, LIBRARY));
	CHECK_TRACE("ending 20\nunload library 20\nwait\n--\ngone 20\n");
}

static CUjit_option option = CU_JIT_LTO;
static void *value = HANDLE(void *, 0x77);

static void test_modules(void)
{
	CUmodule module = HANDLE(CUmodule, MODULE);
	RUN(CUDA_SUCCESS, cuModuleLoad, .module = &module, .fname = "a.cubin");
	CHECK_TRACE("--\nloaded 10\nfile a.cubin of 10 in 5 0\nprepare\n");
	objects_context.primary = &primary;
	RUN(CUDA_SUCCESS, cuModuleLoadData, .module = &module, .image = "data");
	CHECK_TRACE("--\nloaded 10\nimage data of 10 in 5 4\nprepare\n");
	has_objects_context = false;
	RUN(CUDA_SUCCESS, cuModuleLoadDataEx, .module = &module, .image = "data");
	CHECK_TRACE("--\nloaded 10\nimage data of 10 in 0 0\nprepare\n");
	has_objects_context = true;
	RUN(CUDA_SUCCESS, cuModuleLoadFatBinary, .module = &module, .fatCubin = "fat");
	CHECK_TRACE("--\nloaded 10\nimage fat of 10 in 5 4\nprepare\n");
	RUN(REFUSED, cuModuleLoad, .module = &module, .fname = "a.cubin");
	CHECK_TRACE("--\ncuModuleLoad rejects a.cubin: 1\n");
	RUN(REFUSED, cuModuleLoadData, .module = &module, .image = "data");
	CHECK_TRACE("--\ncuModuleLoadData rejects data: 1\n");
	RUN(RULED, cuModuleLoadFatBinary, .module = &module, .fatCubin = "fat");
	CHECK_TRACE("--\ncuModuleLoadFatBinary rejects fat: 209\n");
	RUN(REFUSED, cuModuleLoadDataEx, .module = &module, .image = "data", .numOptions = 1,
	    .options = &option, .optionValues = &value);
	CHECK_TRACE("--\ncuModuleLoadDataEx rejects data: 1 with 1 20 77\n");
}

static void test_libraries(void)
{
	CUlibrary library = HANDLE(CUlibrary, LIBRARY);
	RUN(CUDA_SUCCESS, cuLibraryLoadData, .library = &library, .code = "data");
	CHECK_TRACE("--\nloaded 20\nlibrary\nimage data of 20 in 0 0\nprepare\n");
	RUN(CUDA_SUCCESS, cuLibraryLoadFromFile, .library = &library, .fileName = "a.cubin");
	CHECK_TRACE("--\nloaded 20\nlibrary\nfile a.cubin of 20 in 0 0\nprepare\n");
	RUN(REFUSED, cuLibraryLoadData, .library = &library, .code = "data", .numJitOptions = 2,
	    .jitOptions = &option, .jitOptionsValues = &value);
	CHECK_TRACE("--\ncuLibraryLoadData rejects data: 1 with 2 20 77\n");
	RUN(REFUSED, cuLibraryLoadFromFile, .library = &library, .fileName = "a.cubin",
	    .numJitOptions = 3, .jitOptions = &option, .jitOptionsValues = &value);
	CHECK_TRACE("--\ncuLibraryLoadFromFile rejects a.cubin: 1 with 3 20 77\n");
}

static void test_lookups(void)
{
	CUfunction function = HANDLE(CUfunction, FUNCTION);
	CUkernel kernel = HANDLE(CUkernel, KERNEL);
	CUmodule module = HANDLE(CUmodule, MODULE);
	CUlibrary library = HANDLE(CUlibrary, LIBRARY);
	LOOK(CUDA_SUCCESS, cuModuleGetFunction, .hfunc = &function, .name = "f", .hmod = module);
	CHECK_TRACE("40 is f of 10\n");
	LOOK(CUDA_SUCCESS, cuLibraryGetKernel, .pKernel = &kernel, .name = "k", .library = library);
	CHECK_TRACE("30 is k of 20\nimage of 30 is that of 20\n");
	LOOK(CUDA_SUCCESS, cuLibraryGetModule, .pMod = &module, .library = library);
	CHECK_TRACE("10 from 20\n");
	LOOK(CUDA_SUCCESS, cuKernelGetFunction, .pFunc = &function, .kernel = kernel);
	CHECK_TRACE("40 from 30\nimage of 40 is that of 30\n");
	LOOK(CUDA_SUCCESS, cuKernelGetLibrary, .pLib = &library, .kernel = kernel);
	CHECK_TRACE("30 from 20\n");
	LOOK(CUDA_SUCCESS, cuMemHostGetDevicePointer_v2, .p = NULL);
	CHECK_TRACE("");
}

/* The driver may know more or fewer kernels than the program has room for. */
static void test_enumerations(void)
{
	CUkernel kernels[] = {HANDLE(CUkernel, 0x31), HANDLE(CUkernel, 0x32), HANDLE(CUkernel, 3)};
	CUfunction functions[] = {HANDLE(CUfunction, 0x41), HANDLE(CUfunction, 0x42), NULL};
	CUlibrary library = HANDLE(CUlibrary, LIBRARY);
	CUmodule module = HANDLE(CUmodule, MODULE);
	for (unsigned room = 0; room <= 3; room++) {
		LOOK(CUDA_SUCCESS, cuLibraryEnumerateKernels, .kernels = kernels,
		     .numKernels = room, .lib = library);
		LOOK(CUDA_SUCCESS, cuModuleEnumerateFunctions, .functions = functions,
		     .numFunctions = room, .mod = module);
	}
#define KERNELS   "begin 20\ncount 20\nend 20\n"
#define FUNCTIONS "begin 10\ncount 10\nend 10\n"
#define KERNEL_1  "31 from 20\nimage of 31 is that of 20\n"
#define KERNEL_2  "32 from 20\nimage of 32 is that of 20\n"
#define BOTH      KERNELS KERNEL_1 KERNEL_2 FUNCTIONS "41 from 10\n42 from 10\n"
	CHECK_TRACE(KERNELS FUNCTIONS KERNELS KERNEL_1 FUNCTIONS "41 from 10\n" BOTH BOTH);
	may_ask = false;
	LOOK(CUDA_SUCCESS, cuLibraryEnumerateKernels, .kernels = kernels, .numKernels = 3,
	     .lib = library);
	LOOK(CUDA_SUCCESS, cuModuleEnumerateFunctions, .functions = functions, .numFunctions = 3,
	     .mod = module);
	CHECK_TRACE("begin 20\nbegin 10\n");
}

static void test_rejected_lookups(void)
{
	CUkernel kernel = HANDLE(CUkernel, KERNEL);
	CUlibrary library = HANDLE(CUlibrary, LIBRARY);
	CUfunction function = HANDLE(CUfunction, FUNCTION);
	LOOK(REFUSED, cuLibraryGetKernel, .library = library);
	CHECK_TRACE("");
	LOOK(RULED, cuLibraryGetKernel, .library = library);
	CHECK_TRACE("image of 20 0\ncuLibraryGetKernel rejects an image: 209 9\ndrop 9\n");
	LOOK(RULED, cuLibraryGetModule, .library = library);
	CHECK_TRACE("image of 20 0\ncuLibraryGetModule rejects an image: 209 9\ndrop 9\n");
	LOOK(RULED, cuKernelGetFunction, .kernel = kernel);
	CHECK_TRACE("image of 0 30\ncuKernelGetFunction rejects an image: 209 9\ndrop 9\n");
	LOOK(RULED, cuKernelGetAttribute, .kernel = kernel);
	CHECK_TRACE("image of 0 30\ncuKernelGetAttribute rejects an image: 209 9\ndrop 9\n");
	LOOK(RULED, cuFuncGetAttribute, .hfunc = function);
	CHECK_TRACE("image of 0 40\ncuFuncGetAttribute rejects an image: 209 9\ndrop 9\n");
	LOOK(RULED, cuFuncGetAttribute, .hfunc = HANDLE(CUfunction, 0x101));
	CHECK_TRACE("image of 0 101\ndrop 0\n");
	LOOK(RULED, cuModuleGetFunction, .name = "f");
	CHECK_TRACE("drop 0\n");
	CUdeviceptr found = 0;
	LOOK(REFUSED, cuMemHostGetDevicePointer_v2, .pdptr = &found, .p = (void *)0x99, .Flags = 3);
	CHECK_TRACE("cuMemHostGetDevicePointer_v2 rejects an address: 1 99 3\n");
	LOOK(REFUSED, cuMemHostGetDevicePointer_v2, .p = (void *)0x99);
	CHECK_TRACE("");
}

void test_objects_code(void)
{
	real.cuLibraryGetKernelCount = count_kernels;
	real.cuModuleGetFunctionCount = count_functions;
	test_unloads();
	test_modules();
	test_libraries();
	test_lookups();
	test_enumerations();
	test_rejected_lookups();
}
