/*
 * test_contexts.c - the list of living contexts, and what the driver is asked about them. The
 * driver and the journal are simulated here.
 */
#include "record/streams/contexts.h"

#include "record/driver/driver.h"
#include "record/host/clock.h"
#include "record/journal/bundle.h"
#include "record/journal/strings.h"
#include "support/check.h"

enum { MAJOR = 9, MINOR = 1, DEVICE = 2 };

struct driver real;

static CUcontext current;
static CUresult get_current_result = CUDA_SUCCESS;
static int lacked = -1; /* this attribute is refused */
static unsigned n_pushed, n_rows;
static CUcontext raced; /* another thread adds it while we do */
static struct context_row rows[8];

static CUcontext handle_of(int number)
{
	return (CUcontext)(uintptr_t)(number * 0x100);
}

static CUresult get_current(CUcontext *out)
{
	*out = current;
	return get_current_result;
}

static CUresult push(CUcontext handle)
{
	n_pushed++;
	current = handle;
	return CUDA_SUCCESS;
}

static CUresult pop(CUcontext *out)
{
	*out = current;
	current = NULL;
	return CUDA_SUCCESS;
}

static CUresult get_device(CUdevice *out)
{
	CUcontext other = raced;
	*out = DEVICE;
	raced = NULL;
	if (other)
		(void)contexts_of(other);
	return CUDA_SUCCESS;
}

static CUresult get_id(CUcontext handle, unsigned long long *out)
{
	*out = (uintptr_t)handle;
	return CUDA_SUCCESS;
}

static CUresult get_name(char *out, int size, CUdevice device)
{
	CHECK(size > 1 && device == DEVICE);
	out[0] = '\0';
	return CUDA_SUCCESS;
}

static CUresult get_attribute(int *out, CUdevice_attribute attribute, CUdevice device)
{
	CHECK_EQUAL(device, DEVICE);
	*out = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR   ? MAJOR
	       : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? MINOR
									   : 0;
	return (int)attribute == lacked ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

struct table *bundle_table(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_CONTEXTS);
	return NULL;
}

uint32_t table_append(struct table *table, const void *row, uint32_t n)
{
	CHECK(!table && row && n == 1);
	return ++n_rows;
}

void *table_row(const struct table *table, uint32_t id)
{
	CHECK(!table && id <= 8);
	return &rows[id - 1];
}

uint32_t strings_intern_z(const char *string)
{
	CHECK(string);
	return 1;
}

uint64_t clock_ns(void)
{
	return 1;
}

void progress_channels_ending(struct progress_channels *progress)
{
	progress->is_ending = true;
}

void progress_channels_go_on(struct progress_channels *progress)
{
	progress->is_ending = false;
}

void marker_memory_lay_down(struct marker_memory *memory)
{
	(void)memory;
}

static void test_capability(void)
{
	CHECK_EQUAL(contexts_capability(DEVICE), 10 * MAJOR + MINOR);
	lacked = CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
	CHECK_EQUAL(contexts_capability(DEVICE), 0);
	lacked = CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;
	CHECK_EQUAL(contexts_capability(DEVICE), 0);
	lacked = -1;
}

/* A context is pushed unless it is known to be current. */
static void test_enter(void)
{
	const struct context context = {.handle = handle_of(9)};
	bool has_pushed = true;
	current = handle_of(9);
	CHECK(contexts_enter(&context, &has_pushed) && !has_pushed);
	get_current_result = CUDA_ERROR_NOT_INITIALIZED;
	CHECK(contexts_enter(&context, &has_pushed) && has_pushed);
	get_current_result = CUDA_SUCCESS;
	current = handle_of(8);
	CHECK(contexts_enter(&context, &has_pushed) && has_pushed);
	contexts_leave(has_pushed);
	current = NULL;
	CHECK_EQUAL(n_pushed, 2);
}

static void test_list(void)
{
	CHECK(!contexts_are_one());
	struct context *first = contexts_of(handle_of(1));
	CHECK(first && contexts_are_one() && !contexts_are_several());
	CHECK(first->row->device == DEVICE && first->row->id == 0x100);
	CHECK_EQUAL(first->row->flags >> CONTEXT_CAPABILITY_SHIFT, 10 * MAJOR + MINOR);
	struct context *green = contexts_add_green(handle_of(2), first);
	CHECK(green && contexts_are_one() && contexts_are_several());
	CHECK_EQUAL(contexts_memory_id(green), first->id);
	CHECK(contexts_of(handle_of(3)) && !contexts_are_one());
	CHECK_EQUAL(contexts_of(handle_of(3))->id, 3);
	CHECK(contexts_take(handle_of(3)) && contexts_are_one());
	CHECK(!contexts_known(handle_of(3)) && !contexts_take(handle_of(3)));
}

/* Another thread may add the same context. The one that was made in vain serves the next new one.
 */
static void test_race(void)
{
	raced = handle_of(4);
	struct context *context = contexts_of(handle_of(4));
	CHECK(context && context == contexts_known(handle_of(4)));
	unsigned n = n_rows;
	CHECK(contexts_of(handle_of(5)) && contexts_of(handle_of(5)) != context);
	CHECK_EQUAL(n_rows, n);
}

/* A context that was not destroyed after all is searched and used as before. */
static void test_going_on(void)
{
	struct context *context = contexts_known(handle_of(1));
	contexts_ending(context);
	CHECK(contexts_is_ending(context) && context->progress.is_ending);
	CHECK(!contexts_hold(context));
	contexts_go_on(context);
	CHECK(!contexts_is_ending(context) && !context->progress.is_ending);
	CHECK(contexts_hold(context));
	contexts_let_go(context);
}

/* A context that serves another one knows nothing of the first one's use. */
static void test_reuse(void)
{
	struct context *context = contexts_of(handle_of(6));
	contexts_used(context, (struct context_use){.call = 1, .stack = 2});
	contexts_used(context, (struct context_use){.call = 3, .stack = 4});
	CHECK_EQUAL(contexts_first_use(context).call, 1);
	CHECK_EQUAL(contexts_first_use(context).stack, 2);
	CHECK(contexts_take(handle_of(6)) == context);
	contexts_lay_down(context);
	CHECK(contexts_of(handle_of(7)) == context);
	CHECK_EQUAL(contexts_first_use(context).call, 0);
	CHECK_EQUAL(contexts_first_use(context).stack, 0);
}

int main(void)
{
	real.cuCtxGetCurrent = get_current;
	real.cuCtxPushCurrent_v2 = push;
	real.cuCtxPopCurrent_v2 = pop;
	real.cuCtxGetDevice = get_device;
	real.cuCtxGetId = get_id;
	real.cuDeviceGetName = get_name;
	real.cuDeviceGetAttribute = get_attribute;
	test_capability();
	test_enter();
	test_list();
	test_race();
	test_going_on();
	test_reuse();
	return 0;
}
