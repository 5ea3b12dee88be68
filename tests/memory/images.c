/* images.c - images of GPU code that the driver refuses, each for a different reason. */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "scenarios.h"

enum { PTX = 1, CUBIN = 2, FOR_ONE = 0x100000 };

/* The layout is nvcc's; the code is replaced by four zeroes. */
struct entry {
	uint16_t kind, version;
	uint32_t header_size;
	uint64_t size;
	uint32_t compressed_size, options;
	uint16_t minor, major;
	uint32_t sm, name_offset, name_size;
	uint64_t flags, zero, raw_size;
	uint64_t code[4];
};
struct container {
	uint32_t magic;
	uint16_t version, header_size;
	uint64_t size;
	struct entry entries[2];
};
struct wrapper {
	uint32_t magic, version;
	const void *container;
	void *unused;
};

#define ENTRY(kind_, sm_, major_, minor_, flags_)                                        \
	{                                                                                \
		.kind = (kind_), .version = 0x101, .header_size = 64,                    \
		.size = sizeof(struct entry) - 64, .major = (major_), .minor = (minor_), \
		.sm = (sm_), .flags = (flags_)                                           \
	}
#define CONTAINER(...)                                       \
	{                                                    \
		0xba55ed50u, 1, 16, sizeof(struct entry[2]), \
		{                                            \
			__VA_ARGS__                          \
		}                                            \
	}

static const struct container older =
	CONTAINER(ENTRY(CUBIN, 80, 1, 8, 0), ENTRY(CUBIN, 86, 1, 8, 0));
static const struct container other =
	CONTAINER(ENTRY(CUBIN, 100, 1, 8, FOR_ONE), ENTRY(PTX, 100, 9, 0, FOR_ONE));
static const struct container only_ptx =
	CONTAINER(ENTRY(CUBIN, 80, 1, 8, 0), ENTRY(PTX, 80, 9, 0, 0));
static const struct container good = CONTAINER(ENTRY(CUBIN, 90, 1, 8, 0), ENTRY(PTX, 90, 9, 0, 0));
static const struct wrapper wrapper = {0x466243b1u, 1, &older, NULL};
static const char later_ptx[] = "// made\n.version 9.0\n.target sm_100\n.entry k() { ret; }\n";
static const char newest_ptx[] = ".version 99.0\n.target sm_80\n.entry k() { ret; }\n";
static const char wrong_ptx[] = ".version 8.0\n.target sm_80, debug\n.enrty k() { ret; }\n";

static void *copy_of(const void *bytes, size_t size)
{
	void *copy = malloc(size);

	NEED_TRUE(copy != NULL);
	return memcpy(copy, bytes, size);
}

static CUresult load(const void *image)
{
	CUmodule module;

	return cuModuleLoadData(&module, image);
}

static CUresult load_older(void)
{
	return load(&wrapper);
}

static CUresult load_other(void)
{
	CUlibrary library;

	return cuLibraryLoadData(&library, &other, NULL, NULL, 0, NULL, NULL, 0);
}

/* This case needs SIMCUDA_LAZY=1. */
static CUresult find_in_other(void)
{
	CUlibrary library;
	CUkernel kernel;

	NEED(cuLibraryLoadData(&library, copy_of(&other, sizeof(other)), NULL, NULL, 0, NULL, NULL,
			       0));
	return cuLibraryGetKernel(&kernel, library, "k");
}

static CUresult find_in_older(void)
{
	CUlibrary library;
	CUkernel kernel;

	NEED(cuLibraryLoadData(&library, &wrapper, NULL, NULL, 0, NULL, NULL, 0));
	return cuLibraryGetKernel(&kernel, library, "k");
}

/* This case needs SIMCUDA_LAZY=2. */
static CUresult launch_older(void)
{
	CUlibrary library;
	CUkernel kernel;

	NEED(cuLibraryLoadData(&library, &wrapper, NULL, NULL, 0, NULL, NULL, 0));
	NEED(cuLibraryGetKernel(&kernel, library, "k"));
	return cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
}

static CUresult ask_older(void)
{
	CUlibrary library;
	CUkernel kernel;
	int value;

	NEED(cuLibraryLoadData(&library, &wrapper, NULL, NULL, 0, NULL, NULL, 0));
	NEED(cuLibraryGetKernel(&kernel, library, "k"));
	return cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 0);
}

static CUresult load_cubin(void)
{
	Elf64_Ehdr cubin = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1, 0x41, 8},
			    .e_type = ET_EXEC,
			    .e_machine = 190,
			    .e_flags = 0x6005004};

	return load(copy_of(&cubin, sizeof(cubin)));
}

static CUresult load_file(void)
{
	static const char name[] = "older.fatbin";
	FILE *file = fopen(name, "w");
	CUmodule module;

	NEED_TRUE(file && fwrite(&older, sizeof(older), 1, file) == 1 && fclose(file) == 0);
	return cuModuleLoad(&module, name);
}

static CUresult load_only_ptx(void)
{
	return load(&only_ptx);
}

static CUresult load_later_ptx(void)
{
	return load(copy_of(later_ptx, sizeof(later_ptx)));
}

static CUresult load_newest_ptx(void)
{
	return load(newest_ptx);
}

static CUresult load_wrong_ptx(void)
{
	return load(wrong_ptx);
}

static CUresult load_wrong_logged(void)
{
	char log[512] = "";
	CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	void *values[] = {log, (void *)sizeof(log)};
	CUmodule module;

	return cuModuleLoadDataEx(&module, wrong_ptx, 2, options, values);
}

static CUresult load_nonsense(void)
{
	return load(copy_of("\x01\x02", 3));
}

static CUresult load_good(void)
{
	return load(&good);
}

static const struct {
	const char *name;
	CUresult (*call)(void);
	CUresult code;
} loads[] = {
	{"older", load_older, CUDA_ERROR_NO_BINARY_FOR_GPU},
	{"other", load_other, CUDA_ERROR_NO_BINARY_FOR_GPU},
	{"lazy_other", find_in_other, CUDA_ERROR_NO_BINARY_FOR_GPU},
	{"lazy_older", find_in_older, CUDA_ERROR_NO_BINARY_FOR_GPU},
	{"launched", launch_older, CUDA_ERROR_NO_BINARY_FOR_GPU},
	{"asked", ask_older, CUDA_ERROR_NO_BINARY_FOR_GPU},
	{"cubin", load_cubin, CUDA_ERROR_NO_BINARY_FOR_GPU},
	{"file", load_file, CUDA_ERROR_NO_BINARY_FOR_GPU},
	{"later_ptx", load_later_ptx, CUDA_ERROR_INVALID_PTX},
	{"wrong_ptx", load_wrong_ptx, CUDA_ERROR_INVALID_PTX},
	{"wrong_logged", load_wrong_logged, CUDA_ERROR_INVALID_PTX},
	{"nonsense", load_nonsense, CUDA_ERROR_INVALID_IMAGE},
	/* These cases depend on the driver's version and settings. */
	{"ptx_version", load_only_ptx, CUDA_ERROR_UNSUPPORTED_PTX_VERSION},
	{"newest_ptx", load_newest_ptx, CUDA_ERROR_UNSUPPORTED_PTX_VERSION},
	{"no_compiler", load_only_ptx, CUDA_ERROR_JIT_COMPILER_NOT_FOUND},
	{"disabled", load_only_ptx, CUDA_ERROR_JIT_COMPILATION_DISABLED},
	{"good", load_good, CUDA_ERROR_NO_BINARY_FOR_GPU},
};

int refuse_images(const char *what)
{
	int status = 0;

	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
		CUresult code;

		if (*what && strcmp(what, loads[i].name) != 0)
			continue;
		code = loads[i].call();
		if (code == loads[i].code)
			continue;
		fprintf(stderr, "images: %s: %d, not %d\n", loads[i].name, (int)code,
			(int)loads[i].code);
		status = 3;
	}
	host_launch_some(2);
	return status;
}

int load_image(const char *path)
{
	CUmodule module;
	CUlibrary library;
	CUkernel kernel;
	CUresult loaded = cuModuleLoad(&module, path);
	CUresult found = cuLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0);

	printf("module %d library %d\n", (int)loaded, (int)found);
	if (found == CUDA_SUCCESS)
		printf("kernel %d\n", (int)cuLibraryGetKernel(&kernel, library, "fill"));
	return 0;
}
