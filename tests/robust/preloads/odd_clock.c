/*
 * odd_clock.c - a library to preload in front of culprit. It gives culprit a clock that no kernel
 * has; all other code sees the real one.
 *
 * ODD_CLOCK=stops       each clock stands still
 *           backwards   each clock runs backwards, a millisecond at a time
 *           ahead       each clock is ten years ahead, as libfaketime's may be
 *           jumps       each clock is now an hour ahead, now an hour behind
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int64_t ns_per_s = 1000000000;

static int64_t stand_still(int64_t first, int64_t now, uint64_t n)
{
	(void)now;
	(void)n;
	return first;
}

static int64_t run_backwards(int64_t first, int64_t now, uint64_t n)
{
	(void)now;
	return first - (int64_t)n * 1000000;
}

static int64_t run_ahead(int64_t first, int64_t now, uint64_t n)
{
	(void)first;
	(void)n;
	return now + 3650ll * 86400 * ns_per_s;
}

static int64_t jump(int64_t first, int64_t now, uint64_t n)
{
	(void)first;
	return now + (n % 2 ? -3600 : 3600) * ns_per_s;
}

static const struct oddity {
	const char *name;
	int64_t (*change)(int64_t first, int64_t now, uint64_t n);
} oddities[] = {{"stops", stand_still},
		{"backwards", run_backwards},
		{"ahead", run_ahead},
		{"jumps", jump}};

/* Written at load time. */
static const struct oddity *oddity;

static _Atomic uint64_t n_readings;

__attribute__((constructor)) static void read_order(void)
{
	const char *order = getenv("ODD_CLOCK");

	for (size_t i = 0; order && i < sizeof(oddities) / sizeof(*oddities); i++)
		if (!strcmp(order, oddities[i].name))
			oddity = &oddities[i];
	if (!oddity) {
		fprintf(stderr, "ODD_CLOCK: there is no '%s'\n", order ? order : "");
		_exit(2);
	}
}

static bool is_culprit(const void *caller)
{
	Dl_info info;

	return dladdr(caller, &info) && strstr(info.dli_fname, "/libculprit.so");
}

/* Return the first reading of each clock; 0 in the table means that it was not read yet. */
static int64_t first_reading(clockid_t clock, int64_t now)
{
	static _Atomic int64_t firsts[16];
	int64_t none = 0;

	if ((size_t)clock >= sizeof(firsts) / sizeof(*firsts))
		return now;
	atomic_compare_exchange_strong(&firsts[clock], &none, now);
	return atomic_load(&firsts[clock]);
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *out)
{
	int (*real_)(clockid_t, struct timespec *);
	void *next = dlsym(RTLD_NEXT, "clock_gettime");

	memcpy(&real_, &next, sizeof(real_));
	int result = real_(clock, out);
	if (result || !oddity || !is_culprit(__builtin_return_address(0)))
		return result;
	int64_t now = out->tv_sec * ns_per_s + out->tv_nsec;
	int64_t odd =
		oddity->change(first_reading(clock, now), now, atomic_fetch_add(&n_readings, 1));
	*out = (struct timespec){odd / ns_per_s, odd % ns_per_s};
	return 0;
}
