/*
 * test_failed_contexts.c - which contexts have failed, and whether the program knows. The driver
 * and the list of contexts are simulated here.
 */
#include "failure/failed_contexts.h"

#include "record/driver/driver.h"
#include "record/streams/contexts.h"
#include "support/check.h"

enum { FIRST, SECOND, GREEN, N_CONTEXTS };

struct driver real;

static struct context contexts[N_CONTEXTS];
static int current = FIRST; /* index; -1: none */
static int asked;
static CUresult answers[N_CONTEXTS];

static CUresult get_current(CUcontext *out)
{
	*out = current < 0 ? NULL : contexts[current].handle;
	return CUDA_SUCCESS;
}

static CUresult get_info(size_t *free_bytes, size_t *total_bytes)
{
	*free_bytes = *total_bytes = 0;
	return answers[asked];
}

struct context *contexts_known(CUcontext handle)
{
	for (int i = 0; i < N_CONTEXTS; i++)
		if (contexts[i].handle == handle)
			return &contexts[i];
	return NULL;
}

struct context *contexts_current(void)
{
	return current < 0 ? NULL : &contexts[current];
}

void contexts_for_each(void (*visit)(struct context *context, void *data), void *data)
{
	for (int i = 0; i < N_CONTEXTS; i++)
		visit(&contexts[i], data);
}

bool contexts_hold(struct context *context)
{
	return !context->is_ending;
}

void contexts_let_go(struct context *context)
{
	(void)context;
}

bool contexts_enter(const struct context *context, bool *out_has_pushed)
{
	*out_has_pushed = false;
	asked = (int)(context - contexts);
	return true;
}

void contexts_leave(bool has_pushed)
{
	(void)has_pushed;
}

static void begin(void)
{
	memset(contexts, 0, sizeof(contexts));
	for (int i = 0; i < N_CONTEXTS; i++) {
		contexts[i].handle = (CUcontext)(uintptr_t)(0x10 + i);
		contexts[i].id = (uint32_t)i + 1;
		contexts[i].device = 3;
		answers[i] = CUDA_SUCCESS;
	}
	contexts[GREEN].primary = &contexts[FIRST];
	current = FIRST;
}

static void check_one(uint32_t wanted_id, uint32_t wanted_device)
{
	uint32_t id = 0;
	uint32_t device = 0;
	failed_contexts_find_one(&id, &device);
	CHECK_EQUAL(id, wanted_id);
	CHECK_EQUAL(device, wanted_device);
}

/* A green context fails with its primary one, and is not another one. */
static void test_find_one(void)
{
	begin();
	check_one(0, UINT32_MAX);
	answers[FIRST] = answers[GREEN] = CUDA_ERROR_ILLEGAL_ADDRESS;
	CHECK_EQUAL(failed_contexts_code(NULL), CUDA_ERROR_ILLEGAL_ADDRESS);
	failed_contexts_mark(false);
	check_one(1, 3);
	answers[SECOND] = CUDA_ERROR_ILLEGAL_ADDRESS;
	failed_contexts_mark(false);
	check_one(0, 3);
	contexts[SECOND].device = 4;
	check_one(0, UINT32_MAX);
}

/* A call's result counts for the failure that ended the call's context. */
static void test_received_later(void)
{
	begin();
	answers[FIRST] = CUDA_ERROR_ILLEGAL_ADDRESS;
	failed_contexts_mark(false);
	current = SECOND;
	CHECK(!failed_contexts_discover_later());
	answers[SECOND] = CUDA_ERROR_LAUNCH_FAILED;
	CHECK(failed_contexts_discover_later());
	CHECK(!failed_contexts_discover_later());
	CHECK(!failed_contexts_are_received());
	failed_contexts_receive(); /* in the second: the first's failure is still not received */
	CHECK(failed_contexts_are_received());
	failed_contexts_receive();
	current = FIRST;
	CHECK(!failed_contexts_are_received());
	current = -1;
	CHECK(!failed_contexts_are_received());
}

/* The other way round. A context shares its failure with its green ones. */
static void test_received_first(void)
{
	begin();
	answers[FIRST] = CUDA_ERROR_ILLEGAL_ADDRESS;
	failed_contexts_mark(false);
	current = GREEN;
	failed_contexts_receive();
	CHECK(failed_contexts_are_received());
	current = FIRST;
	CHECK(failed_contexts_are_received());
	current = SECOND;
	CHECK(failed_contexts_are_received());
	answers[SECOND] = CUDA_ERROR_LAUNCH_FAILED;
	CHECK(failed_contexts_discover_later());
	CHECK(!failed_contexts_are_received());
}

int main(void)
{
	real.cuCtxGetCurrent = get_current;
	real.cuMemGetInfo_v2 = get_info;
	test_find_one();
	test_received_later();
	test_received_first();
	return 0;
}
