/*
 * image_case.c - what rejected_image.c asks about an image.
 */
#include "launch/image_case.h"

#include <sys/mman.h>

#include "record/host/cancellation.h"
#include "record/journal/modules.h"
#include "record/streams/contexts.h"
#include "rejection/rejected_line.h"
#include "support/check.h"

struct driver real;
struct image_case image_case;
uint64_t image_case_bytes[8];

static struct rejected_line line;

void image_parts_read(const void *image, size_t size, struct image_parts *out)
{
	if (image == image_case_bytes || image == image_case_bytes + 1)
		trace_add("read %zu of %td\n", size, (const uint64_t *)image - image_case_bytes);
	else
		trace_add("read %d of a file\n", size > 0);
	*out = image_case.parts;
}

bool image_has_code(const struct image_parts *of, uint32_t sm)
{
	CHECK(of->kind == image_case.parts.kind && sm == 90);
	return image_case.has_code;
}

bool image_has_ptx(const struct image_parts *of, uint32_t sm)
{
	CHECK(of->kind == image_case.parts.kind && sm == 90);
	return image_case.has_ptx;
}

uint32_t image_ptx_version(const struct image_parts *of)
{
	CHECK(of->kind == image_case.parts.kind);
	return image_case.ptx_version;
}

uint32_t image_driver_ptx(int version)
{
	CHECK_EQUAL(version, 12040);
	return image_case.newest_ptx;
}

void image_parts_text(const struct image_parts *of, struct text *out)
{
	text_addf(out, "%u parts", of->n);
}

bool image_is_wrapper(const void *image)
{
	uint32_t magic = 0;
	memcpy(&magic, image, sizeof(magic));
	return magic == 0x77;
}

size_t image_bytes_to_read(const void *image)
{
	return image == image_case_bytes ? 64 : 56;
}

int driver_version(void)
{
	return 12040;
}

uint32_t contexts_capability(CUdevice device)
{
	CHECK_EQUAL(device, image_case.is_context_current ? 2 : 0);
	return image_case.capability;
}

uint32_t modules_find(uintptr_t address, uint64_t *out_bias)
{
	*out_bias = 5;
	trace_add("module at %zx\n", (size_t)(address - (uintptr_t)image_case_bytes));
	return image_case.module_there;
}

const struct image_row *view_image(const struct bundle_view *view, uint32_t id)
{
	CHECK(view == &line.view && id == 4);
	return image_case.is_row_known ? &image_case.image_row : NULL;
}

const void *view_image_bytes(const struct bundle_view *view, const struct image_row *image)
{
	CHECK(view == &line.view && image == &image_case.image_row);
	return image_case.has_row_bytes ? image_case_bytes : NULL;
}

const struct module_row *view_module(const struct bundle_view *view, uint32_t id)
{
	CHECK(view == &line.view);
	return id == 3 ? &image_case.module_row : NULL;
}

const char *view_string(const struct bundle_view *view, uint32_t id, size_t *out_length)
{
	CHECK(view == &line.view && id == 8 && !out_length);
	return image_case.module_path;
}

bool rejected_line_is_new(const struct rejected_call *call)
{
	CHECK_EQUAL(call->stack, 6);
	return image_case.is_new;
}

struct rejected_line *rejected_line_begin(const char *what, const struct rejected_call *call)
{
	CHECK(what && call->stack == 6);
	line.text = text_in(line.bytes, sizeof(line.bytes));
	return image_case.has_memory ? &line : NULL;
}

void rejected_line_add_location(struct rejected_line *to)
{
	text_add(&to->text, " from HERE: ");
}

void rejected_line_end(struct rejected_line *to, const char *rule)
{
	trace_add("%s%s%s%s\n", to->bytes, rule ? "[" : "", rule ? rule : "", rule ? "]" : "");
}

int cancellation_hold(void)
{
	trace_add("hold\n");
	return 5;
}

void cancellation_restore(int state)
{
	trace_add("restore %d\n", state);
}

int __real_munmap(void *address, size_t size);
int __wrap_munmap(void *address, size_t size);
int __wrap_munmap(void *address, size_t size)
{
	trace_add("unmap\n");
	return __real_munmap(address, size);
}

static CUresult CUDAAPI get_device(CUdevice *device)
{
	*device = image_case.is_context_current ? 2 : 0;
	return image_case.is_context_current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

static CUresult CUDAAPI get_count(int *count)
{
	*count = (int)image_case.n_devices;
	return image_case.count_result;
}

void image_case_begin(void)
{
	real.cuCtxGetDevice = get_device;
	real.cuDeviceGetCount = get_count;
	image_case = (struct image_case){
		.parts = {.kind = IMAGE_CUBIN, .n = 2},
		.is_context_current = true,
		.n_devices = 1,
		.capability = 90,
		.is_new = true,
		.has_memory = true,
		.has_row_bytes = true,
		.module_path = "/usr/lib/libmodel.so",
	};
}
