/*
 * probe.c - the probe process: load the driver as programs do, find the file behind each entry
 * path, submit a piece of work, and print the findings as JSON.
 */
#include "doctor/probe.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cuda_api.h"
#include "command/exit_status.h"

/* The entry path of linked programs. Weak, so that this executable starts without a driver. */
#pragma weak cuDriverGetVersion

enum { NOT_REACHED = -1, DEVICE_NAME_SIZE = 256, PROBED_VERSION = 12000 };

/* The driver calls that the probe makes; NULL if the driver lacks one. */
struct driver {
	void *library;
	CUresult (*init)(unsigned);
	CUresult (*get_version)(int *);
	CUresult (*get_count)(int *);
	CUresult (*get_device)(CUdevice *, int);
	CUresult (*get_name)(char *, int, CUdevice);
	CUresult (*retain)(CUcontext *, CUdevice);
	CUresult (*set_current)(CUcontext);
	CUresult (*allocate)(CUdeviceptr *, size_t);
	CUresult (*set_memory)(CUdeviceptr, unsigned char, size_t, CUstream);
	CUresult (*synchronize)(void);
	CUresult (*release)(CUdeviceptr);
	CUresult (*get_proc)(const char *, void **, int, cuuint64_t);
	CUresult (*get_proc_v2)(const char *, void **, int, cuuint64_t,
				CUdriverProcAddressQueryResult *);
};

/* *function is a function pointer: ISO C does not allow a cast from dlsym's result to one. */
static void look_up(void *library, const char *name, void *function)
{
	*(void **)function = dlsym(library, name);
}

static void look_up_all(struct driver *driver)
{
	look_up(driver->library, "cuInit", &driver->init);
	look_up(driver->library, "cuDriverGetVersion", &driver->get_version);
	look_up(driver->library, "cuDeviceGetCount", &driver->get_count);
	look_up(driver->library, "cuDeviceGet", &driver->get_device);
	look_up(driver->library, "cuDeviceGetName", &driver->get_name);
	look_up(driver->library, "cuDevicePrimaryCtxRetain", &driver->retain);
	look_up(driver->library, "cuCtxSetCurrent", &driver->set_current);
	look_up(driver->library, "cuMemAlloc_v2", &driver->allocate);
	look_up(driver->library, PROBE_SUBMISSION, &driver->set_memory);
	look_up(driver->library, "cuCtxSynchronize", &driver->synchronize);
	look_up(driver->library, "cuMemFree_v2", &driver->release);
	look_up(driver->library, "cuGetProcAddress", &driver->get_proc);
	look_up(driver->library, "cuGetProcAddress_v2", &driver->get_proc_v2);
}

/* Return the file that contains an address, or null. */
static json_t *file_of(void *address)
{
	Dl_info info;
	if (!address || !dladdr(address, &info) || !info.dli_fname)
		return json_null();
	return json_string(info.dli_fname);
}

static json_t *probe_hooks(const struct driver *driver)
{
	CUresult (*linked)(int *) = cuDriverGetVersion;
	void *by_name = driver->library ? dlsym(driver->library, "cuLaunchKernel") : NULL;
	void *by_driver = NULL;
	if (driver->get_proc_v2)
		driver->get_proc_v2("cuLaunchKernel", &by_driver, PROBED_VERSION, 0, NULL);
	else if (driver->get_proc)
		driver->get_proc("cuLaunchKernel", &by_driver, PROBED_VERSION, 0);
	return json_pack("{s:o, s:o, s:o}", "linked", file_of(*(void **)&linked), "dlsym",
			 file_of(by_name), "cuGetProcAddress", file_of(by_driver));
}

static json_t *probe_device(const struct driver *driver, int ordinal)
{
	char name[DEVICE_NAME_SIZE] = "";
	CUdevice device = 0;
	if (driver->get_device(&device, ordinal) != CUDA_SUCCESS)
		return json_null();
	driver->get_name(name, sizeof(name), device);
	return json_string(name);
}

static json_t *probe_devices(const struct driver *driver)
{
	json_t *devices = json_array();
	int n = 0;
	if (driver->get_count(&n) == CUDA_SUCCESS)
		for (int ordinal = 0; ordinal < n; ordinal++)
			json_array_append_new(devices, probe_device(driver, ordinal));
	return devices;
}

/* Run memsets on device 0 and wait for each. Return the result of the first call that failed. */
static int probe_work(const struct driver *driver)
{
	enum { ROUNDS = 8 }; /* enough to verify the driver's progress counters */
	CUcontext context = NULL;
	CUdevice device = 0;
	int result = (int)driver->get_device(&device, 0);
	if (!result)
		result = (int)driver->retain(&context, device);
	if (!result)
		result = (int)driver->set_current(context);
	CUdeviceptr memory = 0;
	if (!result)
		result = (int)driver->allocate(&memory, sizeof(int));
	if (result)
		return result;
	for (int round = 0; round < ROUNDS && !result; round++) {
		result = (int)driver->set_memory(memory, 0, sizeof(int), NULL);
		if (!result)
			result = (int)driver->synchronize();
	}
	driver->release(memory);
	return result;
}

/* A driver that lacks one of these calls is too old for culprit. */
static bool is_complete(const struct driver *driver)
{
	return driver->init && driver->get_version && driver->get_count && driver->get_device &&
	       driver->get_name && driver->retain && driver->set_current && driver->allocate &&
	       driver->set_memory && driver->synchronize && driver->release;
}

/* Return the driver's path, or NULL. Under culprit, a call's address would give libculprit.so. */
static const char *driver_path(const struct driver *driver)
{
	struct link_map *map = NULL;
	if (!driver->library || dlinfo(driver->library, RTLD_DI_LINKMAP, &map))
		return NULL;
	return map->l_name;
}

static json_t *probe_driver(const struct driver *driver, const char *error, int init, int version)
{
	return json_pack("{s:s?, s:s?, s:i, s:i}", "path", driver_path(driver), "error", error,
			 "init", init, "version", version);
}

/* Load the driver and look up its calls. Return NULL, or a description of the problem. */
static const char *load_driver(struct driver *driver)
{
	driver->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!driver->library) {
		const char *error = dlerror();
		return error ? error : "libcuda.so.1: cannot be loaded";
	}
	look_up_all(driver);
	return is_complete(driver) ? NULL : "libcuda.so.1 lacks entry points that every driver has";
}

/* Return the CUDA runtime that the loader finds, or null. This works without a driver. */
static json_t *probe_runtime(void)
{
	static const char *const names[] = {"libcudart.so.13", "libcudart.so.12"};
	int (*get_version)(int *) = NULL;
	void *library = NULL;
	int version = 0;
	for (size_t i = 0; !library && i < sizeof(names) / sizeof(*names); i++)
		library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
	if (library)
		look_up(library, "cudaRuntimeGetVersion", &get_version);
	if (!get_version || get_version(&version))
		return json_null();
	return json_pack("{s:o, s:i}", "path", file_of(*(void **)&get_version), "version", version);
}

static json_t *probe_all(struct driver *driver)
{
	const char *reason = load_driver(driver);
	/* The next call of the loader overwrites its text. */
	char *error = reason ? strdup(reason) : NULL;
	json_t *devices = NULL;
	int init = NOT_REACHED;
	int work = NOT_REACHED;
	int version = 0;
	if (!reason) {
		init = (int)driver->init(0);
		driver->get_version(&version);
	}
	if (!init) {
		devices = probe_devices(driver);
		work = json_array_size(devices) ? probe_work(driver) : NOT_REACHED;
	}
	json_t *findings = json_pack("{s:o, s:o, s:o, s:o, s:i}", "driver",
				     probe_driver(driver, error, init, version), "devices",
				     devices ? devices : json_array(), "doors", probe_hooks(driver),
				     "runtime", probe_runtime(), "work", work);
	free(error);
	return findings;
}

int probe_main(void)
{
	struct driver driver = {0};
	json_t *findings = probe_all(&driver);
	int result = findings ? json_dumpf(findings, stdout, JSON_COMPACT) : -1;
	json_decref(findings);
	return result ? EXIT_STATUS_SYSTEM : EXIT_STATUS_OK;
}
