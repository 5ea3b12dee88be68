/*
 * A handler pushes and pops while its thread pushes and pops: the levels stay right, and no range
 * loses its domain or text.
 */
#include <signal.h>
#include <sys/time.h>

#include "record/journal/strings.h"
#include "record/nvtx/nvtx_names.h"
#include "record/nvtx/nvtx_ranges.h"
#include "support/check.h"

enum { N_SIGNALS = 3000, INTERVAL_US = 50, DEPTH = 5 };

static const struct nvtx_name *own, *of_handler;
static volatile sig_atomic_t n_signals;

uint32_t strings_intern(const char *bytes, size_t length)
{
	(void)bytes;
	return (uint32_t)length;
}

static void push(const struct nvtx_name *domain, const char *string, int wanted)
{
	int level;
	struct nvtx_text *text = nvtx_push(domain, &level);

	CHECK_EQUAL(level, wanted);
	CHECK(text != NULL);
	nvtx_text_set(text, string);
}

/* Push and pop in a domain of the handler's own, and in the interrupted thread's domain. */
static void push_and_pop(int number)
{
	int level;

	(void)number;
	push(of_handler, "of the handler", 0);
	CHECK(nvtx_push(own, &level) != NULL && level >= 0);
	CHECK_EQUAL(nvtx_pop(of_handler), 0);
	CHECK_EQUAL(nvtx_pop(own), level);
	n_signals++;
}

static void check_ranges(const struct nvtx_thread *self, unsigned n_default, unsigned n_own)
{
	unsigned n[2] = {0, 0};

	CHECK_EQUAL(self->n_open, n_default + n_own);
	for (unsigned i = 0; i < self->n_open; i++) {
		const struct nvtx_range *range = &self->ranges[i];
		const char *wanted = range->domain ? "own" : "default";

		n[range->domain != NULL]++;
		CHECK(range->domain == NULL || range->domain == own);
		CHECK_EQUAL(range->text.size, strlen(wanted));
		CHECK(memcmp(range->text.bytes, wanted, strlen(wanted)) == 0);
	}
	CHECK_EQUAL(n[0], n_default);
	CHECK_EQUAL(n[1], n_own);
}

/* The pops of the first domain move the ranges of the second one. */
static void nest(const struct nvtx_thread *self)
{
	for (int i = 0; i < DEPTH; i++) {
		push(NULL, "default", i);
		push(own, "own", i);
	}
	check_ranges(self, DEPTH, DEPTH);
	for (int i = DEPTH - 1; i >= 0; i--)
		CHECK_EQUAL(nvtx_pop(NULL), i);
	check_ranges(self, 0, DEPTH);
	for (int i = DEPTH - 1; i >= 0; i--)
		CHECK_EQUAL(nvtx_pop(own), i);
	check_ranges(self, 0, 0);
}

int main(void)
{
	const struct sigaction action = {.sa_handler = push_and_pop, .sa_flags = SA_RESTART};
	const struct itimerval timer = {.it_interval.tv_usec = INTERVAL_US,
					.it_value.tv_usec = INTERVAL_US};
	const struct nvtx_thread *self;

	CHECK(nvtx_names_start());
	CHECK_EQUAL(nvtx_ranges_start(), 0);
	own = nvtx_name_of("own");
	of_handler = nvtx_name_of("handler");
	self = nvtx_thread_self();
	CHECK_EQUAL(sigaction(SIGALRM, &action, NULL), 0);
	CHECK_EQUAL(setitimer(ITIMER_REAL, &timer, NULL), 0);
	while (n_signals < N_SIGNALS)
		nest(self);
	return 0;
}
