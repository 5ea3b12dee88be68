/*
 * test_failed_contexts.c - which contexts have failed, and whether the program knows. The driver
 * and the list of contexts are simulated here.
 */
#include "failure/failed_contexts.h"

#include <errno.h>

#include "record/driver/driver.h"
#include "record/streams/contexts.h"
#include "support/check.h"

enum { FIRST, SECOND, GREEN, N_CONTEXTS };

struct driver real;

static struct context contexts[N_CONTEXTS];
static int current = FIRST;    /* index; -1: none */
static int asked = N_CONTEXTS; /* index of the entered context; N_CONTEXTS: culprit entered none */
static bool has_pushed;
static unsigned n_held, n_questions;
static unsigned n_others; /* more living contexts, each like the last one */
static CUresult answers[N_CONTEXTS + 1];

static CUresult get_current(CUcontext *out)
{
	*out = current < 0 ? NULL : contexts[current].handle;
	return CUDA_SUCCESS;
}

static CUresult get_info(size_t *free_bytes, size_t *total_bytes)
{
	*free_bytes = *total_bytes = 0;
	n_questions++;
	errno = EIO;
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
	for (unsigned i = 0; i < n_others; i++)
		visit(&contexts[N_CONTEXTS - 1], data);
}

bool contexts_hold(struct context *context)
{
	n_held += context->is_ending ? 0 : 1;
	return !context->is_ending;
}

void contexts_let_go(struct context *context)
{
	CHECK(!context->is_ending && n_held == 1);
	n_held--;
}

bool contexts_enter(const struct context *context, bool *out_has_pushed)
{
	CHECK(asked == N_CONTEXTS && n_held == 1);
	asked = (int)(context - contexts);
	has_pushed = *out_has_pushed = asked != current;
	return true;
}

void contexts_leave(bool is_pushed)
{
	CHECK(asked != N_CONTEXTS && is_pushed == has_pushed);
	asked = N_CONTEXTS;
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
	answers[N_CONTEXTS] = CUDA_SUCCESS;
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

/* The contexts are asked in this order: the call's, the current one, then each other one. */
static void test_code(void)
{
	begin();
	CHECK_EQUAL(failed_contexts_code(&contexts[FIRST]), CUDA_SUCCESS);
	answers[FIRST] = CUDA_ERROR_LAUNCH_FAILED;
	answers[SECOND] = CUDA_ERROR_ILLEGAL_ADDRESS;
	CHECK_EQUAL(failed_contexts_code(&contexts[SECOND]), CUDA_ERROR_ILLEGAL_ADDRESS);
	CHECK_EQUAL(failed_contexts_code(NULL), CUDA_ERROR_LAUNCH_FAILED);
	current = SECOND;
	CHECK_EQUAL(failed_contexts_code(NULL), CUDA_ERROR_ILLEGAL_ADDRESS);
	answers[SECOND] = CUDA_SUCCESS;
	CHECK_EQUAL(failed_contexts_code(&contexts[SECOND]), CUDA_ERROR_LAUNCH_FAILED);
	/* A context that is about to be destroyed is not asked. */
	contexts[FIRST].is_ending = true;
	CHECK_EQUAL(failed_contexts_code(&contexts[FIRST]), CUDA_SUCCESS);
}

/* Without a known context, the driver answers for the current one. */
static void test_code_of_unknown(void)
{
	begin();
	current = -1;
	answers[N_CONTEXTS] = CUDA_ERROR_LAUNCH_FAILED;
	CHECK_EQUAL(failed_contexts_code(NULL), CUDA_ERROR_LAUNCH_FAILED);
	CHECK_EQUAL(failed_contexts_code(&contexts[FIRST]), CUDA_ERROR_LAUNCH_FAILED);
	/* One question is enough for a context that is both the call's and the current one. */
	current = FIRST;
	n_questions = 0;
	CHECK_EQUAL(failed_contexts_code(&contexts[FIRST]), CUDA_SUCCESS);
	CHECK_EQUAL(n_questions, 1 + N_CONTEXTS);
}

/* Some of many contexts are asked. The program's errno is kept. */
static void test_code_of_many(void)
{
	begin();
	n_others = 100;
	n_questions = 0;
	errno = EINTR;
	CHECK_EQUAL(failed_contexts_code(NULL), CUDA_SUCCESS);
	CHECK_EQUAL(errno, EINTR);
	CHECK_EQUAL(n_questions, 1 + 64);
	n_others = 0;
}

/* Only a context that is sound, or is not known to have failed, has errors of the program's own. */
static void test_sound_here(void)
{
	begin();
	CHECK(failed_contexts_are_sound_here());
	answers[FIRST] = answers[GREEN] = CUDA_ERROR_ILLEGAL_ADDRESS;
	CHECK(!failed_contexts_are_sound_here());
	failed_contexts_mark(false);
	answers[FIRST] = answers[GREEN] = CUDA_SUCCESS; /* it has failed, whatever it answers */
	CHECK(!failed_contexts_are_sound_here());
	current = -1;
	CHECK(failed_contexts_are_sound_here());
	contexts[SECOND].is_ending = true;
	CHECK(!failed_contexts_are_sound_here());
	/* The current context cannot be asked: then others count. */
	current = SECOND;
	CHECK(!failed_contexts_are_sound_here());
	begin();
	contexts[FIRST].is_ending = true;
	CHECK(failed_contexts_are_sound_here());
	answers[SECOND] = answers[GREEN] = CUDA_ERROR_ILLEGAL_ADDRESS;
	CHECK(!failed_contexts_are_sound_here());
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
	/* With core dumps on, the driver does not answer yet. */
	begin();
	contexts[SECOND].is_ending = true;
	failed_contexts_mark(true);
	check_one(0, 3);
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
	CHECK(!failed_contexts_discover_later());
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
	test_code();
	test_code_of_unknown();
	test_code_of_many();
	test_sound_here();
	test_find_one();
	test_received_later();
	test_received_first();
	return 0;
}
