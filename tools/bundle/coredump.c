/*
 * coredump.c - reads GPU core dumps. core/ interprets them.
 */
#include "bundle/coredump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bundle/coredump_bytes.h"
#include "files/input.h"

static int read_bytes(int directory_fd, const char *name, struct coredump *coredump)
{
	int fd = input_open_file(directory_fd, name);
	if (fd < 0)
		return fd;
	int result = coredump_bytes_read(fd, &coredump->bytes, &coredump->size);
	close(fd);
	return result;
}

static int digest(struct coredump *coredump)
{
	int result = gpu_coredump_open(&coredump->dump, coredump->bytes, coredump->size);
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
	if (coredump)
		coredump->path = strdup(path);
	if (coredump && coredump->path)
		result = read_bytes(directory_fd, name, coredump);
	if (!result)
		result = digest(coredump);
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
	coredump_bytes_free(coredump->bytes, coredump->size);
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
