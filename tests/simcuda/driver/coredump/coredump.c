/*
 * coredump.c - settings of core dumps, by call and by environment, and writing dumps.
 * coredump_image.c makes their contents.
 */
#include "coredump/coredump.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "coredump/coredump_image.h"
#include "coredump/event_thread.h"
#include "coredump/faulted.h"
#include "entry.h"
#include "settings.h"
#include "sim.h"
#include "work/operation.h"
#include "work/work.h"

enum { MAX_NAME = 1024 }; /* of a file or pipe, with the NUL (cuda.h) */

/* The process's settings; settings of single contexts are not simulated. */
static struct {
	bool is_read; /* from the environment */
	bool is_on;
	unsigned flags;
	char file[MAX_NAME];
} state;

static bool has_started; /* the single dump of the process was started */

static bool is_set(const char *name, const char *value)
{
	const char *text = getenv(name);
	return text && strstr(text, value);
}

/* Replace %p in the pattern by the pid. */
static void write_name(const char *pattern, char out[MAX_NAME])
{
	const char *directive = strstr(pattern, "%p");
	if (directive)
		(void)snprintf(out, MAX_NAME, "%.*s%d%s", (int)(directive - pattern), pattern,
			       (int)getpid(), directive + 2);
	else
		(void)snprintf(out, MAX_NAME, "%s", pattern);
}

static void read_environment(void)
{
	const char *file = getenv("CUDA_COREDUMP_FILE");
	if (state.is_read)
		return;
	state.is_read = true;
	state.is_on = is_set("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "1");
	state.flags =
		is_set("CUDA_COREDUMP_GENERATION_FLAGS", "skip_abort") ? CU_COREDUMP_SKIP_ABORT : 0;
	write_name(file ? file : "core_simcuda.nvcudmp", state.file);
}

static CUresult set_bool(bool *member, const void *value, size_t size)
{
	if (size < sizeof(*member))
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(member, value, sizeof(*member));
	return CUDA_SUCCESS;
}

static CUresult set_file(const char *name, size_t size)
{
	if (size > MAX_NAME || !memchr(name, '\0', size))
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(state.file, name, strlen(name) + 1);
	return CUDA_SUCCESS;
}

CUresult sim_cuCoredumpSetAttributeGlobal(CUcoredumpSettings attrib, void *value, size_t *size)
{
	if (settings.coredump.is_absent)
		return CUDA_ERROR_NOT_SUPPORTED;
	if (settings.coredump.is_refused)
		return CUDA_ERROR_NOT_PERMITTED;
	if (!value || !size)
		return CUDA_ERROR_INVALID_VALUE;
	read_environment();
	switch (attrib) {
	case CU_COREDUMP_ENABLE_ON_EXCEPTION:
		return set_bool(&state.is_on, value, *size);
	case CU_COREDUMP_FILE:
		return set_file(value, *size);
	case CU_COREDUMP_GENERATION_FLAGS:
		if (*size < sizeof(state.flags) || settings.driver_version < 12050)
			return CUDA_ERROR_INVALID_VALUE;
		memcpy(&state.flags, value, sizeof(state.flags));
		return CUDA_SUCCESS;
	default:
		return CUDA_ERROR_NOT_SUPPORTED;
	}
}

CUresult sim_cuCoredumpSetAttribute(CUcoredumpSettings attrib, void *value, size_t *size)
{
	return sim_cuCoredumpSetAttributeGlobal(attrib, value, size);
}

static CUresult get(const void *member, size_t member_size, void *value, size_t *size)
{
	if (value && *size < member_size)
		return CUDA_ERROR_INVALID_VALUE;
	if (value)
		memcpy(value, member, member_size);
	*size = member_size;
	return CUDA_SUCCESS;
}

CUresult sim_cuCoredumpGetAttributeGlobal(CUcoredumpSettings attrib, void *value, size_t *size)
{
	if (settings.coredump.is_absent)
		return CUDA_ERROR_NOT_SUPPORTED;
	if (!size)
		return CUDA_ERROR_INVALID_VALUE;
	read_environment();
	switch (attrib) {
	case CU_COREDUMP_ENABLE_ON_EXCEPTION:
		return get(&state.is_on, sizeof(state.is_on), value, size);
	case CU_COREDUMP_FILE:
		return get(state.file, strlen(state.file) + 1, value, size);
	case CU_COREDUMP_GENERATION_FLAGS:
		return get(&state.flags, sizeof(state.flags), value, size);
	default:
		return CUDA_ERROR_NOT_SUPPORTED;
	}
}

CUresult sim_cuCoredumpGetAttribute(CUcoredumpSettings attrib, void *value, size_t *size)
{
	return sim_cuCoredumpGetAttributeGlobal(attrib, value, size);
}

bool coredump_is_on(void)
{
	read_environment();
	return state.is_on && !settings.coredump.is_absent;
}

static bool is_on_for(const struct operation *operation)
{
	return coredump_is_on() && faulted_kernel(operation) != NULL;
}

static void grow(void)
{
	unsigned ms = settings.coredump.grow_ms;
	struct timespec duration = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
	if (ms == 0)
		return;
	pthread_mutex_unlock(&sim_lock);
	nanosleep(&duration, NULL);
	pthread_mutex_lock(&sim_lock);
}

/* Write the file in two parts; only the second contains the section table, at the end. */
static void write_file(const unsigned char *bytes, size_t size)
{
	FILE *file = fopen(state.file, "we");
	if (!file)
		return;
	fwrite(bytes, 1, size / 2, file);
	fflush(file);
	grow();
	if (!settings.coredump.is_cut)
		fwrite(bytes + size / 2, 1, size - size / 2, file);
	fclose(file);
}

static void write_dump(unsigned char *bytes, size_t size)
{
	write_file(bytes, size);
	free(bytes);
	if (!(state.flags & CU_COREDUMP_SKIP_ABORT))
		abort();
}

void coredump_of(const struct operation *operation, CUresult code)
{
	if (!is_on_for(operation))
		return;
	has_started = true;
	fprintf(stderr, "Starting GPU coredump generation, set the CUDA_COREDUMP_SHOW_PROGRESS "
			"environment variable to 1 to enable more detailed status messages.\n");
	if (settings.coredump.is_lost)
		return;
	size_t size = 0;
	unsigned char *bytes = coredump_bytes(operation, code, &size);
	if (faulted_lost_warp(operation, code) && coredump_hides(operation, code))
		event_thread_dump(bytes, size, write_dump);
	else
		write_dump(bytes, size);
}

bool coredump_has_begun(void)
{
	return has_started;
}

bool coredump_hides(const struct operation *operation, CUresult code)
{
	if (!is_on_for(operation) || settings.coredump.is_told)
		return false;
	/* An H200 did not hide a trap or a fault in a graph. */
	return operation->work.kind == WORK_KERNEL && code != CUDA_ERROR_LAUNCH_FAILED;
}

CUresult coredump_code(const struct operation *operation, CUresult code)
{
	if (!is_on_for(operation))
		return code;
	if (faulted_kernel(operation)->data_run)
		return CUDA_ERROR_ILLEGAL_INSTRUCTION;
	return code == CUDA_ERROR_ASSERT ? CUDA_ERROR_LAUNCH_FAILED : code;
}

const char *coredump_pipe(void)
{
	static char name[MAX_NAME];
	const char *pattern = getenv("CUDA_COREDUMP_PIPE");
	if (settings.coredump.is_absent || !pattern ||
	    !is_set("CUDA_ENABLE_USER_TRIGGERED_COREDUMP", "1"))
		return NULL;
	write_name(pattern, name);
	return name;
}

void coredump_of_running(const struct operation *operation)
{
	read_environment();
	if (has_started || !faulted_kernel(operation) || settings.coredump.is_lost)
		return;
	has_started = true;
	size_t size = 0;
	unsigned char *bytes = coredump_bytes(operation, CUDA_SUCCESS, &size);
	write_dump(bytes, size);
}
