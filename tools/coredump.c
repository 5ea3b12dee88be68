/*
 * coredump.c - reads GPU core dumps. What they say is found out in shim/verdict/.
 */
#include "coredump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

/* Dumps of culprit's making have some megabytes; those with all memory do not fit anywhere. */
static const uint64_t max_coredump_bytes = 4ull << 30;

static int digest(struct coredump *coredump, size_t size)
{
	int result = gpu_coredump_open(&coredump->dump, coredump->bytes, size);

	if (result && result != -ENODATA)
		return result;
	coredump->is_cut = result == -ENODATA;
	gpu_fault_read(&coredump->dump, &coredump->fault);
	return 0;
}

int coredump_read(int directory_fd, const char *name, const char *path, struct coredump **out)
{
	struct coredump *coredump = calloc(1, sizeof(*coredump));
	int result = -ENOMEM;
	size_t size;

	if (coredump)
		coredump->path = strdup(path);
	if (coredump && coredump->path)
		result = input_read_file(directory_fd, name, max_coredump_bytes, &coredump->bytes,
					 &size);
	if (!result)
		result = digest(coredump, size);
	if (result)
		coredump_close(coredump);
	else
		*out = coredump;
	return result;
}

void coredump_close(struct coredump *coredump)
{
	if (!coredump)
		return;
	free(coredump->bytes);
	free(coredump->path);
	free(coredump);
}

const char *coredump_error_text(int error)
{
	switch (error) {
	case -EBADMSG:
		return "is not a GPU core dump";
	case -EFBIG:
		return "is too large to read; have it written without memory "
		       "(CUDA_COREDUMP_GENERATION_FLAGS=skip_global_memory)";
	default:
		return input_error_text(error);
	}
}

bool coredump_is_before(const struct coredump *coredump, long long start_time)
{
	return start_time > 0 && coredump->fault.time != 0 &&
	       (long long)coredump->fault.time < start_time;
}
