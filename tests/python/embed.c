/*
 * embed.c - a program that loads Python after it has used the driver for a while and changed its
 * directory. It loads Python privately (RTLD_LOCAL), finalizes it and starts it again. Usage: embed
 * LIBPYTHON. Python's headers are not used, so one binary serves all versions.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/cuda_api.h"
#include "support/check.h"

struct method_definition { /* PyMethodDef */
	const char *name;
	void *(*function)(void *self, void *arguments);
	int flags;
	const char *documentation;
};
enum { METHOD_NO_ARGUMENTS = 4 }; /* METH_NOARGS */

static void *driver, *python;
static CUdeviceptr memory;

/* *function is a function pointer, which ISO C would not let a cast make from dlsym's answer. */
static void look_up(void *library, const char *name, void *function)
{
	void *address = dlsym(library, name);
	CHECK(address != NULL);
	memcpy(function, &address, sizeof(address));
}

static void submit(void)
{
	CUresult (*set_memory)(CUdeviceptr, unsigned char, size_t, CUstream);
	look_up(driver, "cuMemsetD8Async", &set_memory);
	CHECK_EQUAL(set_memory(memory, 0, 16, NULL), CUDA_SUCCESS);
}

static void start_driver(void)
{
	CUresult (*init)(unsigned);
	CUresult (*retain)(CUcontext *, CUdevice);
	CUresult (*set_current)(CUcontext);
	CUresult (*allocate)(CUdeviceptr *, size_t);
	CUcontext context;
	driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
	CHECK(driver != NULL);
	look_up(driver, "cuInit", &init);
	look_up(driver, "cuDevicePrimaryCtxRetain", &retain);
	look_up(driver, "cuCtxSetCurrent", &set_current);
	look_up(driver, "cuMemAlloc_v2", &allocate);
	CHECK_EQUAL(init(0), CUDA_SUCCESS);
	CHECK_EQUAL(retain(&context, 0), CUDA_SUCCESS);
	CHECK_EQUAL(set_current(context), CUDA_SUCCESS);
	CHECK_EQUAL(allocate(&memory, 4096), CUDA_SUCCESS);
	submit();
}

static void *submit_for_python(void *self, void *unused)
{
	void *(*make_number)(long);
	(void)self;
	(void)unused;
	submit();
	look_up(python, "PyLong_FromLong", &make_number);
	return make_number(0);
}

/* Python code calls back into this program, which submits. */
static void run_python(const char *code)
{
	static struct method_definition definition = {"submit", submit_for_python,
						      METHOD_NO_ARGUMENTS, NULL};
	void (*initialize)(int);
	void *(*make_function)(struct method_definition *, void *, void *);
	void *(*add_module)(const char *);
	int (*set_attribute)(void *, const char *, void *);
	int (*run)(const char *, void *);
	int (*finalize)(void);
	look_up(python, "Py_InitializeEx", &initialize);
	look_up(python, "PyCFunction_NewEx", &make_function);
	look_up(python, "PyImport_AddModule", &add_module);
	look_up(python, "PyObject_SetAttrString", &set_attribute);
	look_up(python, "PyRun_SimpleStringFlags", &run);
	look_up(python, "Py_FinalizeEx", &finalize);
	initialize(0);
	void *function = make_function(&definition, NULL, NULL);
	CHECK_EQUAL(set_attribute(add_module("__main__"), "submit", function), 0);
	CHECK_EQUAL(run(code, NULL), 0);
	submit(); /* from no Python code at all */
	CHECK_EQUAL(finalize(), 0);
	submit();
}

int main(int n_arguments, char **arguments)
{
	CHECK_EQUAL(n_arguments, 2);
	start_driver();
	CHECK_EQUAL(chdir("/"), 0);
	python = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
	if (!python)
		return 77;
	run_python("def first_time():\n  return submit()\nfirst_time()\n");
	run_python("def second_time():\n\n  return submit()\nsecond_time()\n");
	return 0;
}
