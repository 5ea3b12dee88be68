/*
 * test_rejected_image.c - which rule explains that the driver refused an image, and the whole line.
 */
#include "rejection/rejected_image.h"

#include <stdlib.h>
#include <unistd.h>

#include "launch/image_case.h"
#include "support/check.h"

static void refuse_with(CUresult result, const void *image, const struct image_options *options)
{
	const struct rejected_call call = {
		.id = CALL_cuModuleLoadData, .result = result, .stack = 6};
	rejected_image_data(&call, image, options);
}

/* The line about an image in memory; `reason` follows its owner and location. */
static void check_line(CUresult result, const struct image_options *options, const char *reason)
{
	char wanted[512];
	(void)snprintf(wanted, sizeof(wanted),
		       "module at 0\nread 64 of 0\none made at run time, by cuModuleLoadData from "
		       "HERE: %s\n",
		       reason);
	refuse_with(result, image_case_bytes, options);
	CHECK_TRACE(wanted);
}

#define FLAG   "-gencode arch=compute_90,code=sm_90"
#define HOLDS  "it holds 2 parts; the device is sm_90"
#define BINARY CUDA_ERROR_NO_BINARY_FOR_GPU

static void test_no_binary(void)
{
#define NO_BINARY HOLDS ": build it with " FLAG
	check_line(BINARY, NULL,
		   NO_BINARY " (the CUDA runtime may call it 98, invalid device function)"
			     "[image.no_binary_for_gpu]");
	check_line(CUDA_ERROR_INVALID_IMAGE, NULL, NO_BINARY "[image.no_binary_for_gpu]");
	image_case.has_code = true;
	check_line(BINARY, NULL, "");
	image_case.has_code = false;
	image_case.has_ptx = true;
	check_line(BINARY, NULL, "");
	image_case.has_ptx = false;
	image_case.parts.is_cut = true;
	check_line(BINARY, NULL, "");
	image_case.parts.is_cut = false;
	image_case.parts.n = 0;
	check_line(BINARY, NULL, "");
	image_case.parts.n = 2;
}

static void test_too_new(void)
{
	const CUresult result = CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
#define ADVICE                                                                            \
	": update the driver, or build with its CUDA, or with code for the device: " FLAG \
	"[image.ptx_too_new]"
	image_case.has_ptx = true;
	image_case.ptx_version = 85;
	image_case.newest_ptx = 84;
	check_line(result, NULL,
		   "its PTX is of version 8.5, and the driver, of CUDA 12.4, reads up "
		   "to 8.4" ADVICE);
	image_case.newest_ptx = 85;
	check_line(result, NULL, "");
	image_case.newest_ptx = 0;
	check_line(result, NULL,
		   "its PTX is of version 8.5, and the driver, of CUDA 12.4, reads "
		   "older ones" ADVICE);
	check_line(BINARY, NULL, "");
	image_case.ptx_version = 0;
	check_line(result, NULL, "");
	image_case.has_ptx = false;
}

static void test_compiler(void)
{
	const CUresult missing = CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
	const CUresult off = CUDA_ERROR_JIT_COMPILATION_DISABLED;
	image_case.has_ptx = true;
	check_line(missing, NULL,
		   HOLDS ", and the driver's compiler of PTX, "
			 "libnvidia-ptxjitcompiler.so.1, was not found: install it, "
			 "or build with " FLAG "[image.no_jit_compiler]");
#define OFF(setting)                                                                          \
	HOLDS ", and compiling PTX is switched off" setting ": allow it, or build with " FLAG \
	      "[image.jit_disabled]"
	(void)unsetenv("CUDA_DISABLE_PTX_JIT");
	check_line(off, NULL, OFF(""));
	CHECK_EQUAL(setenv("CUDA_DISABLE_PTX_JIT", "0", true), 0);
	check_line(off, NULL, OFF(""));
	CHECK_EQUAL(setenv("CUDA_DISABLE_PTX_JIT", "1", true), 0);
	check_line(off, NULL, OFF(" (CUDA_DISABLE_PTX_JIT=1)"));
	image_case.has_code = true;
	check_line(off, NULL, "");
	check_line(missing, NULL, "");
	image_case.has_code = false;
	image_case.parts.is_cut = true;
	check_line(off, NULL, "");
	check_line(missing, NULL, "");
	image_case.parts.is_cut = image_case.has_ptx = false;
	check_line(off, NULL, NO_BINARY "[image.no_binary_for_gpu]");
	check_line(missing, NULL, NO_BINARY "[image.no_binary_for_gpu]");
}

static void check_log(const char *log, uintptr_t size, const char *reason)
{
	CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_MAX_REGISTERS,
				  CU_JIT_ERROR_LOG_BUFFER};
	char copy[512];
	void *values[] = {(void *)size, NULL, log ? copy : NULL};
	const struct image_options given = {.n = 3, .options = options, .values = values};
	(void)snprintf(copy, sizeof(copy), "%s", log ? log : "");
	check_line(CUDA_ERROR_INVALID_PTX, &given, reason);
}

#define ASSEMBLE "its PTX does not assemble"
#define INVALID  "[image.invalid_ptx]"
#define WHERE    "; CU_JIT_ERROR_LOG_BUFFER, or ptxas -arch=sm_90, tells where" INVALID

static void test_invalid(void)
{
	const CUresult result = CUDA_ERROR_INVALID_PTX;
	image_case.parts.kind = IMAGE_PTX;
	image_case.has_code = true;
	check_line(result, NULL, ASSEMBLE WHERE);
	image_case.ptx_version = 71;
	check_line(result, NULL, "its PTX, of version 7.1, does not assemble" WHERE);
	image_case.ptx_version = 0;
	check_log("line 3: error\nline 4", 100, ASSEMBLE ": line 3: error" INVALID);
	check_log("line 3: error\rline 4", 100, ASSEMBLE ": line 3: error" INVALID);
	check_log("line 3: error", 6, ASSEMBLE ": line 3" INVALID);
	check_log("\nline 3: error", 100, ASSEMBLE WHERE);
	check_log("line", 0, ASSEMBLE WHERE);
	check_log("line", (uintptr_t)UINT32_MAX + 1, ASSEMBLE WHERE);
	check_log("line", UINT32_MAX, ASSEMBLE ": line" INVALID);
	check_log(NULL, 100, ASSEMBLE WHERE);
	char log[301], wanted[400];
	memset(log, 'a', sizeof(log) - 1);
	log[300] = 0;
	(void)snprintf(wanted, sizeof(wanted), ASSEMBLE ": %.240s" INVALID, log);
	check_log(log, sizeof(log), wanted);
	CUjit_option option[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	void *value[] = {log, (void *)sizeof(log)};
	const struct image_options some[] = {{.n = 1, .options = option, .values = value},
					     {.n = 2, .options = option},
					     {.n = 2, .values = value},
					     {.options = option, .values = value}};
	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
		check_line(result, &some[i], ASSEMBLE WHERE);
	check_line(CUDA_ERROR_INVALID_IMAGE, NULL, "");
	image_case.parts.kind = IMAGE_CUBIN;
	check_line(result, NULL, "");
	image_case.parts.kind = IMAGE_UNKNOWN;
	check_line(CUDA_ERROR_INVALID_IMAGE, NULL,
		   "what is there begins as neither cubin, fatbin nor PTX[image.is_none]");
	check_line(result, NULL, "");
	image_case.has_code = false;
	image_case.parts.kind = IMAGE_CUBIN;
}

/* Without a device there is no rule. The only device is that of a program without a context. */
static void test_device(void)
{
#define PROVEN NO_BINARY "[image.no_binary_for_gpu]"
	const CUresult result = CUDA_ERROR_INVALID_IMAGE;
	image_case.is_context_current = false;
	check_line(result, NULL, PROVEN);
	image_case.n_devices = 2;
	check_line(result, NULL, "");
	image_case.n_devices = 1;
	image_case.count_result = CUDA_ERROR_NOT_INITIALIZED;
	check_line(result, NULL, "");
	image_case.count_result = CUDA_SUCCESS;
	image_case.is_context_current = true;
	image_case.n_devices = 2;
	check_line(result, NULL, PROVEN);
	image_case.capability = 0;
	check_line(result, NULL, "");
	image_case.capability = 90;
}

static void test_data(void)
{
	static struct image_wrapper wrapper = {.magic = 0x77, .container = image_case_bytes + 1};
	refuse_with(CUDA_ERROR_INVALID_VALUE, image_case_bytes, NULL);
	refuse_with(BINARY, NULL, NULL);
	image_case.is_new = false;
	refuse_with(BINARY, image_case_bytes, NULL);
	image_case.is_new = true;
	CHECK_TRACE("");
	image_case.has_memory = false;
	refuse_with(CUDA_ERROR_INVALID_IMAGE, image_case_bytes, NULL);
	CHECK_TRACE("module at 0\n");
	image_case.has_memory = true;
	image_case.module_there = 3;
	image_case.module_row.path = 8;
	refuse_with(CUDA_ERROR_INVALID_IMAGE, &wrapper, NULL);
	CHECK_TRACE("module at 8\nread 56 of 1\nthat of libmodel.so, by cuModuleLoadData from "
		    "HERE: " PROVEN "\n");
	image_case.module_there = 0;
	static const CUresult ruled[] = {CUDA_ERROR_INVALID_IMAGE,
					 BINARY,
					 CUDA_ERROR_INVALID_PTX,
					 CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
					 CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
					 CUDA_ERROR_JIT_COMPILATION_DISABLED};
	for (size_t i = 0; i < sizeof(ruled) / sizeof(*ruled); i++)
		CHECK(rejected_image_has_rule(ruled[i]));
	CHECK(!rejected_image_has_rule(CUDA_ERROR_INVALID_VALUE));
}

static int next_descriptor(void)
{
	int fd = dup(0);
	(void)close(fd);
	return fd;
}

static void refuse_file(CUresult result, const char *path)
{
	const struct rejected_call call = {.id = CALL_cuModuleLoad, .result = result, .stack = 6};
	int next = next_descriptor();
	rejected_image_file(&call, path, NULL);
	CHECK_EQUAL(next_descriptor(), next);
}

static void test_file(void)
{
	const CUresult result = CUDA_ERROR_INVALID_IMAGE;
	refuse_file(result, "/proc/self/exe");
	CHECK_TRACE("hold\nread 1 of a file\nthat of exe, by cuModuleLoad from HERE: " PROVEN
		    "\nunmap\nrestore 5\n");
	static const char *const others[] = {"/dev/null", "/", "/proc/self/status", "/no/file"};
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		refuse_file(result, others[i]);
		CHECK_TRACE("hold\nrestore 5\n");
	}
	refuse_file(result, NULL);
	refuse_file(CUDA_ERROR_INVALID_VALUE, "/proc/self/exe");
	image_case.is_new = false;
	refuse_file(result, "/proc/self/exe");
	image_case.is_new = true;
	CHECK_TRACE("");
}

/* The file may become the first descriptor. */
static void test_first_descriptor(void)
{
	const struct rejected_call call = {
		.id = CALL_cuModuleLoad, .result = CUDA_ERROR_INVALID_IMAGE, .stack = 6};
	(void)close(0);
	rejected_image_file(&call, "/proc/self/exe", NULL);
	CHECK(strstr(trace_take(), "unmap"));
	CHECK(close(0) != 0);
}

static void refuse_known(uint16_t id, CUresult result)
{
	const struct rejected_call call = {
		.id = CALL_cuLibraryGetKernel, .result = result, .stack = 6};
	rejected_image_known(&call, id);
}

#define KNOWN(owner, end) owner ", by cuLibraryGetKernel from HERE: " end "\n"

/* An image whose row is kept: in the bundle, in its module, or nowhere. */
static void test_known(void)
{
	const CUresult result = CUDA_ERROR_INVALID_IMAGE;
	refuse_known(4, result);
	CHECK_TRACE(KNOWN("one made at run time", ""));
	image_case.is_row_known = true;
	image_case.image_row = (struct image_row){.bytes = 1, .size = 33};
	refuse_known(4, result);
	CHECK_TRACE("read 33 of 0\n" KNOWN("one made at run time", PROVEN));
	image_case.has_row_bytes = false;
	refuse_known(4, result);
	CHECK_TRACE(KNOWN("one made at run time", ""));
	image_case.image_row = (struct image_row){.size = 33, .module = 3, .offset = 8};
	image_case.module_row.bias = (uintptr_t)image_case_bytes;
	image_case.module_there = 3;
	refuse_known(4, result);
	CHECK_TRACE("module at 8\nread 33 of 1\n" KNOWN("that of libmodel.so", PROVEN));
	image_case.module_path = "/usr/lib/";
	refuse_known(4, result);
	CHECK_TRACE("module at 8\nread 33 of 1\n" KNOWN("one made at run time", PROVEN));
	image_case.module_there = 2;
	refuse_known(4, result);
	CHECK_TRACE("module at 8\n" KNOWN("one made at run time", ""));
	image_case.image_row.module = 0;
	refuse_known(4, result);
	CHECK_TRACE(KNOWN("one made at run time", ""));
	refuse_known(0, result);
	refuse_known(IMAGE_UNSEEN, result);
	refuse_known(4, CUDA_ERROR_INVALID_VALUE);
	image_case.is_new = false;
	refuse_known(4, result);
	CHECK_TRACE("");
}

int main(void)
{
	image_case_begin();
	test_no_binary();
	test_too_new();
	test_compiler();
	test_invalid();
	test_device();
	test_data();
	test_file();
	check_in_child(test_first_descriptor);
	test_known();
	return 0;
}
