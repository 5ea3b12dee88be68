/*
 * environment.c - the only reader of CUDA_* variables.
 */
#include "record/driver/environment.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/bundle_names.h"
#include "base/elf_lookup.h"
#include "record/host/proc_status.h"

static bool is_set(const char *name)
{
	const char *value = getenv(name);
	return value && *value;
}

bool environment_is_launch_blocking(void)
{
	const char *blocking = getenv("CUDA_LAUNCH_BLOCKING");
	return blocking && strcmp(blocking, "0") != 0;
}

bool environment_has_one_queue(void)
{
	const char *connections = getenv("CUDA_DEVICE_MAX_CONNECTIONS");
	return connections && strcmp(connections, "1") == 0;
}

/* With culprit's pipe, the other variables only serve its dump of a process that hangs. */
static bool is_pipe_ours(void)
{
	static const char name[] = "/" COREDUMP_PIPE_NAME;
	const char *pipe = getenv("CUDA_COREDUMP_PIPE");
	size_t length = pipe ? strlen(pipe) : 0;
	return length >= sizeof(name) && !strcmp(pipe + length - (sizeof(name) - 1), name);
}

/* Check all but CUDA_COREDUMP_SHOW_PROGRESS, which says nothing about whether and where. */
bool environment_has_coredumps(void)
{
	static const char *const names[] = {
		"CUDA_ENABLE_COREDUMP_ON_EXCEPTION",
		"CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION",
		"CUDA_ENABLE_USER_TRIGGERED_COREDUMP",
		"CUDA_ENABLE_LIGHTWEIGHT_COREDUMP",
		"CUDA_COREDUMP_FILE",
		"CUDA_COREDUMP_PIPE",
		"CUDA_COREDUMP_GENERATION_FLAGS",
	};
	if (is_pipe_ours())
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (is_set(names[i]))
			return true;
	}
	return false;
}

bool environment_forces_ptx(void)
{
	return is_set("CUDA_FORCE_PTX_JIT") || is_set("CUDA_FORCE_JIT");
}

static bool is_loaded(const char *soname)
{
	struct elf_object object;
	return elf_object_find(soname, NULL, &object) == 0;
}

bool environment_has_observer(void)
{
	return is_set("CUDA_INJECTION64_PATH") || is_set("CUDA_LOG_FILE") ||
	       is_loaded("libsanitizer-collection.so") || proc_is_under_cuda_gdb();
}

bool environment_is_under_valgrind(void)
{
	const char *preloaded = getenv("LD_PRELOAD");
	return preloaded && strstr(preloaded, "vgpreload_");
}
