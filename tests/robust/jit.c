/*
 * jit.c - see jit.h. The loader looks for simcuda_kernel_NAME, which stays; what the driver calls
 * the kernel is another string of the image.
 */
#include "jit.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

/* The new names have the same length. */
#define NAME "stray_store"

enum { MAX_IMAGE = 256 << 10, DATA_BYTES = 4096 };

static const uint64_t far_index = 1ull << 43;

static size_t read_image(char *image)
{
	char path[PATH_MAX];
	FILE *file;
	size_t size;

	host_kernel_path(NAME, path, sizeof(path));
	file = fopen(path, "re");
	NEED_TRUE(file);
	size = fread(image, 1, MAX_IMAGE, file);
	NEED_TRUE(size > 0 && size < MAX_IMAGE);
	(void)fclose(file);
	return size;
}

void jit_open(struct jit *jit)
{
	size_t size, n = 0;

	*jit = (struct jit){.image = malloc(MAX_IMAGE)};
	NEED_TRUE(jit->image);
	size = read_image(jit->image);
	for (size_t at = 1; at + sizeof(NAME) <= size; at++) {
		char *name = jit->image + at;

		if (memcmp(name, NAME, sizeof(NAME)) == 0 && name[-1] != '_' && n < JIT_MAX_NAMES)
			jit->names[n++] = name;
	}
	NEED_TRUE(n > 0);
	NEED(cuMemAlloc(&jit->data, DATA_BYTES));
}

void jit_close(struct jit *jit)
{
	NEED(cuMemFree(jit->data));
	free(jit->image);
}

void jit_rename(struct jit *jit, unsigned number)
{
	char name[sizeof(NAME)];

	(void)snprintf(name, sizeof(name), JIT_NAME_FORMAT, number);
	for (size_t i = 0; i < JIT_MAX_NAMES && jit->names[i]; i++)
		memcpy(jit->names[i], name, sizeof(NAME));
}

CUfunction jit_find(CUmodule module)
{
	CUfunction function;

	NEED(cuModuleGetFunction(&function, module, NAME));
	return function;
}

CUfunction jit_load(const struct jit *jit, CUmodule *out_module)
{
	NEED(cuModuleLoadData(out_module, jit->image));
	return jit_find(*out_module);
}

CUresult jit_launch(const struct jit *jit, CUfunction function, CUstream stream, int is_far)
{
	unsigned tag = 7;
	uint64_t index = is_far ? far_index : 0;
	CUdeviceptr data = jit->data;
	void *parameters[] = {&tag, &data, &index};

	return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL);
}
