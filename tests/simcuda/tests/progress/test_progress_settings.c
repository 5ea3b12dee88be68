/*
 * test_progress_settings.c - drivers whose progress counters are elsewhere, late, wrong or missing
 * (SIMCUDA_PROGRESS).
 */
#include <sched.h>

#include "progress_view.h"
#include "test.h"

static struct ground ground;

/* Start a case in which the pages may be missing. */
static void start(void)
{
	test_start();
	OK(cuMemAlloc(&ground.data, 256));
	ground.stream = view_make_stream();
}

/* Submit work `n` times and finish it. */
static void submit(int n)
{
	for (int i = 0; i < n; i++)
		OK(cuMemsetD8Async(ground.data, 0, 1, ground.stream));
	OK(cuStreamSynchronize(ground.stream));
}

static void none(void)
{
	start();
	submit(3);
	CHECK_EQUAL(view_count_pages(), 0);
	CHECK(view_object(ground.stream) == NULL);
	CHECK(view_legacy_object() == NULL);
}

static void other(void)
{
	start();
	submit(3);
	const char *pages = view_pages();
	CHECK(view_tracker(view_object(ground.stream)) == NULL);
	const char *tracker = (const char *)view_word(view_object(ground.stream), 0x300);
	CHECK(view_word(tracker, 0x20) == (uintptr_t)tracker + 0x40);
	CHECK_EQUAL((uint32_t)view_word(tracker, 0x40), KIND_PLAIN);
	const char *channel = (const char *)view_word(tracker, 0x48);
	CHECK_EQUAL(view_word(channel, 0x20), 1);
	CHECK_EQUAL(view_word(tracker, 0x50), view_begun(pages, 1));
}

/* At least one of several waits returns before the counter is written, and it is written later. */
static void late(void)
{
	int n_late = 0;
	start();
	const char *pages = view_pages();
	for (int i = 0; i < 20; i++) {
		submit(1);
		n_late += view_begun(pages, 1) != view_payload(ground.stream);
		while (view_begun(pages, 1) != view_payload(ground.stream))
			sched_yield();
	}
	CHECK(n_late > 0);
}

static void context_ends_before_late_words(void)
{
	CUcontext context = NULL;
	start();
	submit(100);
	OK(cuDevicePrimaryCtxRelease(0));
	CHECK_EQUAL(view_count_pages(), 0);
	OK(cuDevicePrimaryCtxRetain(&context, 0));
	OK(cuCtxSetCurrent(context));
	OK(cuCtxSynchronize());
}

static void ahead(void)
{
	start();
	const char *pages = view_pages();
	submit(10);
	CHECK_EQUAL(view_begun(pages, 1), view_payload(ground.stream));
	submit(1);
	CHECK_EQUAL(view_begun(pages, 1), view_payload(ground.stream) + 1);
}

static void stuck(void)
{
	start();
	const char *pages = view_pages();
	submit(10);
	CHECK_EQUAL(view_begun(pages, 1), view_payload(ground.stream));
	submit(5);
	CHECK_EQUAL(view_begun(pages, 1), view_payload(ground.stream) - 5);
}

static void still(void)
{
	start();
	const char *pages = view_pages();
	uint32_t started = view_begun(pages, 1);
	submit(5);
	CHECK_EQUAL(view_begun(pages, 1), started);
	CHECK_EQUAL(view_payload(ground.stream), started + 5);
}

static void blank(void)
{
	start();
	const char *pages = view_pages();
	submit(9);
	CHECK_EQUAL(view_begun(pages, 1), view_payload(ground.stream));
	submit(2);
	CHECK(view_pages() == pages);
	CHECK_EQUAL(view_begun(pages, 1), 0);
	OK(cuDevicePrimaryCtxRelease(0));
	CHECK_EQUAL(view_count_pages(), 0);
}

static void vanished(void)
{
	start();
	submit(9);
	CHECK_EQUAL(view_count_pages(), 1);
	submit(2);
	CHECK_EQUAL(view_count_pages(), 0);
}

static const struct test_case cases[] = {
	{"none", none, {"SIMCUDA_PROGRESS=none"}},
	{"null", none, {"SIMCUDA_NULL=1"}},
	{"other", other, {"SIMCUDA_PROGRESS=other"}},
	{"late", late, {"SIMCUDA_PROGRESS=lag=20000000"}},
	{"context_ends_before_late_words",
	 context_ends_before_late_words,
	 {"SIMCUDA_PROGRESS=lag=20000000"}},
	{"ahead", ahead, {"SIMCUDA_PROGRESS=lie-after=10"}},
	{"stuck", stuck, {"SIMCUDA_PROGRESS=stuck-after=10"}},
	{"still", still, {"SIMCUDA_PROGRESS=still=2"}},
	{"blank", blank, {"SIMCUDA_PROGRESS=blank-after=10"}},
	{"vanished", vanished, {"SIMCUDA_PROGRESS=vanish-after=10"}},
};

TEST_MAIN(cases)
