/*
 * self_check.c - the self-check of stacks. It must be silent while all rules are right. It must
 * detect a rule that is wrong in the table that threads share, and one that is wrong wherever it is
 * compiled.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "arch/frame.h"
#include "fake_journal.h"
#include "record/stacks/stack.h"
#include "record/stacks/stack_cache.h"
#include "record/stacks/stack_check.h"
#include "record/stacks/unwind_rules.h"
#include "support/check.h"

#define NOINLINE __attribute__((noinline))

enum { INTERVAL = 3, MAX_FRAMES = 256, TOO_DEEP = 300 };

/* The linker's names for the real function and for its wrapper. */
struct unwind_rule __real_unwind_table_rule(uint64_t ip, uint64_t generation);
struct unwind_rule __wrap_unwind_table_rule(uint64_t ip, uint64_t generation);

static struct stack_cache *self;
static uint64_t wrong_ip; /* as if the function there were the outermost; 0: no rule is wrong */
static bool is_always_wrong;

struct unwind_rule __wrap_unwind_table_rule(uint64_t ip, uint64_t generation)
{
	struct unwind_rule rule = __real_unwind_table_rule(ip, generation);
	bool is_shared = generation != UINT64_MAX;
	if (ip == wrong_ip && (is_shared || is_always_wrong))
		rule.type = UNWIND_LAST;
	return rule;
}

static NOINLINE uint32_t capture(void)
{
	return stack_capture(self, FRAME_HERE());
}

static NOINLINE void capture_often(int n)
{
	for (int i = 0; i < n; i++)
		CHECK(capture() != 0);
}

static NOINLINE int capture_below(int depth, int n)
{
	volatile int left = depth;
	if (depth == 0)
		capture_often(n);
	else
		left -= capture_below(depth - 1, n);
	return left;
}

static void on_signal(int number)
{
	(void)number;
	capture_often(INTERVAL);
}

/* Return the checks that `what` causes, starting from a state without rules or frames. */
static struct stack_check_row checks_of(void (*what)(void))
{
	struct stack_check_row before = *fake_journal_check();
	self = aligned_alloc(_Alignof(struct stack_cache), sizeof(*self));
	CHECK(self != NULL);
	memset(self, 0, sizeof(*self));
	what();
	free(self);
	struct stack_check_row after = *fake_journal_check();
	after.n_checks -= before.n_checks;
	after.n_unlike_full -= before.n_unlike_full;
	after.n_unlike_other -= before.n_unlike_other;
	return after;
}

static void all_sorts(void)
{
	for (int depth = 0; depth < TOO_DEEP; depth += 60)
		(void)capture_below(depth, INTERVAL);
	CHECK(signal(SIGUSR1, on_signal) != SIG_ERR);
	CHECK_EQUAL(raise(SIGUSR1), 0);
	capture_often(INTERVAL);
}

static void deep_ones(void)
{
	(void)capture_below(20, 2 * INTERVAL);
}

static uint64_t address_in_the_middle(void)
{
	uint64_t path[MAX_FRAMES];
	uint32_t end;
	uint32_t n = fake_journal_path(fake_journal_n_stacks(), path, MAX_FRAMES, &end);
	CHECK(n > 10);
	return path[10];
}

static void test_right(void)
{
	struct stack_check_row found = checks_of(all_sorts);
	CHECK_EQUAL(found.n_checks, TOO_DEEP / 60 + 2);
	CHECK_EQUAL(found.n_unlike_full, 0);
	CHECK_EQUAL(found.n_unlike_other, 0);
	CHECK_EQUAL(found.first_stack, 0);
}

static void test_wrong(bool is_always, uint64_t n_unlike_full)
{
	is_always_wrong = is_always;
	struct stack_check_row found = checks_of(deep_ones);
	CHECK_EQUAL(found.n_checks, 2);
	CHECK_EQUAL(found.n_unlike_full, n_unlike_full);
	CHECK_EQUAL(found.n_unlike_other, 2);
	CHECK(found.first_stack != 0);
}

int main(void)
{
	stack_start(true);
	CHECK_EQUAL(stack_source(), STACK_OWN);
	(void)checks_of(deep_ones);
	CHECK_EQUAL(fake_journal_check()->n_checks, 0);
	uint64_t middle = address_in_the_middle();
	stack_check_start(INTERVAL);
	test_right();
	wrong_ip = middle;
	test_wrong(false, 2);
	test_wrong(true, 0);
	return 0;
}
