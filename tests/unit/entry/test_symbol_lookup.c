/*
 * test_symbol_lookup.c - what dlsym answers, forwards and counts, on the fake driver of
 * tests/pitfalls, whose path is the argument. The entry paths in assembler are tested there.
 */
#include "entry/symbol_lookup.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>

#include "call/lifecycle.h"
#include "entry/entry.h"
#include "record/driver/driver.h"
#include "support/check.h"

/* Stand-ins for the wrappers: only their addresses count. */
static char wrappers[N_DRIVER_CALLS];
static bool is_disabled;

const void *entry_point_for(const void *address)
{
	int call = driver_call_at(address);
	return call < 0 ? NULL : &wrappers[call];
}

bool lifecycle_disabled(void)
{
	return is_disabled;
}

const char symbol_hook_dlsym[1], symbol_hook_dlvsym[1];

/* Code that is neither ours nor the driver's. */
static const void *a_caller(void)
{
	return dlsym(RTLD_DEFAULT, "printf");
}

static bool is_forwarded(void *handle, const char *name)
{
	return !symbol_lookup(handle, name, NULL, a_caller()).is_final;
}

static const void *answer(void *handle, const char *name)
{
	struct symbol_answer answer = symbol_lookup(handle, name, NULL, a_caller());
	CHECK(answer.is_final);
	return answer.address;
}

static void test_without_driver(void)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW);
	CHECK(is_forwarded(libc, "printf"));
	CHECK(is_forwarded(libc, "cuInit"));
	CHECK(is_forwarded(RTLD_DEFAULT, "cuInit"));
	CHECK(is_forwarded(RTLD_NEXT, "cuInit"));
	CHECK(symbol_real_dlsym ==
	      (void *(*)(void *, const char *))(uintptr_t)dlsym(libc, "dlsym"));
	CHECK((uintptr_t)symbol_real_dlvsym == (uintptr_t)dlsym(libc, "dlvsym"));
	CHECK((uintptr_t)symbol_real_dlclose() == (uintptr_t)dlsym(libc, "dlclose"));
}

/* With a version, the C library's dlsym would be found instead of the exported one. */
static void test_look_ups(void)
{
	static const char *const versions[] = {"GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.34"};
	void *libc = dlopen("libc.so.6", RTLD_NOW);
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		if (!dlvsym(RTLD_NEXT, "dlsym", versions[i]))
			continue;
		CHECK(symbol_lookup(RTLD_NEXT, "dlsym", versions[i], a_caller()).address ==
		      symbol_hook_dlsym);
		CHECK(symbol_lookup(libc, "dlvsym", versions[i], a_caller()).address ==
		      symbol_hook_dlvsym);
	}
	CHECK(answer(libc, "dlsym") == symbol_hook_dlsym);
	CHECK(is_forwarded(libc, "dlopen"));
	CHECK(!symbol_lookup(RTLD_NEXT, "dlsym", "NONE_1", a_caller()).is_final);
	is_disabled = true;
	CHECK(is_forwarded(libc, "dlsym"));
	is_disabled = false;
}

static void test_answers(void *driver)
{
	CHECK(answer(driver, "cuInit") == &wrappers[CALL_cuInit]);
	CHECK(answer(driver, "cuLaunchKernel_ptsz") == &wrappers[CALL_cuLaunchKernel_ptsz]);
	CHECK_EQUAL(driver_unknown_calls(), 0);
}

static void test_forwarded(void *driver)
{
	const void *in_driver = dlsym(driver, "cuInit");
	CHECK(is_forwarded(driver, NULL));
	CHECK(is_forwarded(driver, ""));
	CHECK(is_forwarded(driver, "cu"));
	CHECK(is_forwarded(driver, "cudaMalloc"));
	CHECK(is_forwarded(driver, "fake_count"));
	CHECK(is_forwarded(driver, "cuNoSuchCall"));
	CHECK(is_forwarded(driver, "cuEventCheckError"));
	CHECK(is_forwarded(RTLD_DEFAULT, "cuInit"));
	CHECK(is_forwarded(RTLD_NEXT, "cuInit"));
	CHECK(!symbol_lookup(driver, "cuInit", NULL, in_driver).is_final);
	CHECK(!symbol_lookup(driver, "cuInit", NULL, wrappers).is_final);
	is_disabled = true;
	CHECK(is_forwarded(driver, "cuInit"));
	is_disabled = false;
}

static void test_errno(void *driver)
{
	errno = 1234;
	answer(driver, "cuInit");
	is_forwarded(driver, "cuNoSuchCall");
	CHECK_EQUAL(errno, 1234);
}

/* A newer driver's call, and the known calls of a second driver, which we do not wrap. */
static void test_unknown(void *driver, const char *path)
{
	void *other = dlmopen(LM_ID_NEWLM, path, RTLD_NOW);
	CHECK(other != NULL);
	CHECK(answer(other, "cuMemFree_v2") == dlsym(other, "cuMemFree_v2"));
	CHECK_EQUAL(driver_unknown_calls(), 1);
	CHECK(!driver_unknown_launch());
	CHECK(answer(driver, "cuLaunchFuture") == dlsym(driver, "cuLaunchFuture"));
	CHECK_EQUAL(driver_unknown_calls(), 2);
	CHECK(driver_unknown_launch());
	CHECK(is_forwarded(RTLD_DEFAULT, "cuLaunchFuture"));
	CHECK_EQUAL(driver_unknown_calls(), 2);
	CHECK(dlopen(path, RTLD_NOW | RTLD_GLOBAL) != NULL);
	CHECK(is_forwarded(RTLD_DEFAULT, "cuLaunchFuture"));
	CHECK_EQUAL(driver_unknown_calls(), 3);
	CHECK(is_forwarded(RTLD_DEFAULT, "cuLaunchKernel"));
	CHECK_EQUAL(driver_unknown_calls(), 3);
}

int main(int argc, char **argv)
{
	CHECK_EQUAL(argc, 2);
	test_without_driver();
	test_look_ups();
	void *driver = dlopen(argv[1], RTLD_NOW);
	CHECK(driver != NULL);
	test_answers(driver);
	test_forwarded(driver);
	test_errno(driver);
	test_unknown(driver, argv[1]);
	return 0;
}
