/*
 * test_exhaustion.c - what is said of the memory when an allocation was refused. The driver and the
 * journal's tables are simulated here.
 */
#include "rejection/exhaustion.h"

#include "failure/live_symbols.h"
#include "record/driver/driver.h"
#include "record/files/meta.h"
#include "record/host/clock.h"
#include "record/journal/bundle.h"
#include "record/journal/strings.h"
#include "rejection/rejected_rows.h"
#include "support/bundle_builder.h"
#include "support/check.h"

enum { MIB = 1024 * 1024 };

struct driver real;
const struct symbol_source live_symbols;

static struct bundle_builder builder;
static char lines[8192]; /* the newest description */
static struct {
	bool has_context;
	size_t free;
	cuuint64_t reserved, used; /* by the device's memory pool */
} gpu;

static CUresult get_context(CUcontext *out)
{
	*out = gpu.has_context ? (CUcontext)&gpu : NULL;
	return CUDA_SUCCESS;
}

static CUresult get_device(CUdevice *out)
{
	*out = 0;
	return CUDA_SUCCESS;
}

static CUresult get_memory(size_t *out_free, size_t *out_total)
{
	*out_free = gpu.free;
	*out_total = 16 * MIB;
	return CUDA_SUCCESS;
}

static CUresult get_pool(CUmemoryPool *out, CUdevice device)
{
	CHECK_EQUAL(device, 0);
	*out = NULL;
	return CUDA_SUCCESS;
}

static CUresult get_of_pool(CUmemoryPool pool, CUmemPool_attribute attribute, void *out)
{
	(void)pool;
	*(cuuint64_t *)out =
		attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT ? gpu.reserved : gpu.used;
	return CUDA_SUCCESS;
}

static CUresult get_page(size_t *out, const CUmemAllocationProp *properties,
			 CUmemAllocationGranularity_flags which)
{
	(void)properties;
	(void)which;
	*out = 2 * MIB;
	return CUDA_SUCCESS;
}

void bundle_view_live(struct bundle_view *out)
{
	builder_view(&builder, out);
}

uint32_t strings_intern_z(const char *string)
{
	if (strchr(string, '\n'))
		snprintf(lines, sizeof(lines), "%s", string);
	return 1;
}

uint64_t clock_ns(void)
{
	return 1;
}

const char *meta_directory(void)
{
	return "";
}

uint32_t rejected_rows_add(const struct rejection_row *row)
{
	CHECK_EQUAL(row->result, CUDA_ERROR_OUT_OF_MEMORY);
	return 1;
}

struct rejection_row *rejected_rows_get(uint32_t id)
{
	(void)id;
	return NULL;
}

void rejected_rows_mark(struct rejection_row *row)
{
	(void)row;
}

static bool says(const char *text)
{
	return strstr(lines, text);
}

/* The current context's device refuses so many MiB. */
static void refuse(uint64_t n)
{
	const struct range_origin origin = {0};
	lines[0] = 0;
	exhaustion_note_rejected(n * MIB, -1, &origin);
}

static void test_more_than_is_free(void)
{
	gpu.free = 10 * MIB;
	refuse(12);
	CHECK(says("device 0        16.0 MiB in all, 10.0 MiB free then"));
	CHECK(says("would fit       10.0 MiB at most, in one piece\n"));
}

static void test_free_memory_in_pieces(void)
{
	gpu.free = 10 * MIB;
	refuse(10);
	CHECK(says("would fit       less than the 10.0 MiB asked for, in one piece, though "
		   "10.0 MiB are free\n"));
}

/* The device's own pool can give what it keeps unused. */
static void test_pool(void)
{
	gpu.free = 2 * MIB;
	gpu.reserved = 8 * MIB;
	gpu.used = 5 * MIB;
	refuse(5);
	CHECK(says(", its memory pool keeps 3.0 MiB unused\n"));
	CHECK(says("would fit       less than the 5.0 MiB asked for, in one piece, though "
		   "5.0 MiB are free\n"));
	gpu.reserved = gpu.used = 0;
}

/* Without a context the driver is not asked, so no amount is known. */
static void test_no_context(void)
{
	gpu.has_context = false;
	refuse(5);
	CHECK(!says("device") && !says("would fit"));
	gpu.has_context = true;
}

int main(void)
{
	real.cuCtxGetCurrent = get_context;
	real.cuCtxGetDevice = get_device;
	real.cuMemGetInfo_v2 = get_memory;
	real.cuDeviceGetMemPool = get_pool;
	real.cuMemPoolGetAttribute = get_of_pool;
	real.cuMemGetAllocationGranularity = get_page;
	gpu.has_context = true;
	builder_begin(&builder, 16);
	test_more_than_is_free();
	test_free_memory_in_pieces();
	test_pool();
	test_no_context();
	builder_end(&builder);
	return 0;
}
