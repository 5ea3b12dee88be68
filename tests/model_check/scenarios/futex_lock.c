/*
 * futex_lock.c - threads take the lock of launches, change what it guards, and release it.
 *
 * Variants: "try", where a thread that does not get the lock does without; "wait", with two
 * threads, and "three"; "claim", where a thread may have waited for so long that it claims the
 * lock; "note", where the lock is noted.
 */
#include "record/host/futex_lock.h"

#include <string.h>

#include "model.h"
#include "record/host/clock.h"

static const uint64_t STEP_NS = 2000000; /* more than a thread waits before it claims the lock */

static struct futex_lock lock;
static uint32_t guarded;
static uint32_t n_changes; /* atomic */
static uint64_t now_ns;
static bool may_time_pass;

/* The clock is the kernel's, so its value is no memory of the program's. */
__attribute__((no_sanitize("thread"))) uint64_t clock_kernel_ns(void)
{
	now_ns += may_time_pass && now_ns < 3 * STEP_NS && model_choose(2) ? STEP_NS : 0;
	return now_ns + 1;
}

static void change(void)
{
	guarded++;
	(void)__atomic_fetch_add(&n_changes, 1, __ATOMIC_RELAXED);
}

static void change_with(uint32_t owner)
{
	if (!futex_lock_try(&lock, owner))
		MODEL_CHECK(futex_lock_wait(&lock, owner, UINT64_MAX / 4));
	MODEL_CHECK(futex_lock_owner(&lock) == owner);
	change();
	futex_lock_release(&lock, owner);
}

static void try_first(void)
{
	if (futex_lock_try(&lock, 1)) {
		change();
		futex_lock_release(&lock, 1);
	}
}

static void try_second(void)
{
	if (futex_lock_try(&lock, 2)) {
		change();
		futex_lock_release(&lock, 2);
	}
}

static void change_first(void)
{
	change_with(1);
}

static void change_second(void)
{
	change_with(2);
}

static void change_third(void)
{
	change_with(3);
}

/* The next threads find the lock noted until this one has it again. */
static void note(void)
{
	MODEL_CHECK(futex_lock_wait(&lock, 1, UINT64_MAX / 4));
	change();
	futex_lock_note(&lock, true);
	futex_lock_release(&lock, 1);
}

void scenario_setup(const char *variant)
{
	if (strcmp(variant, "try") == 0) {
		model_thread(try_first);
		model_thread(try_second);
		return;
	}
	may_time_pass = strcmp(variant, "claim") == 0;
	model_thread(strcmp(variant, "note") == 0 ? note : change_first);
	model_thread(change_second);
	if (strcmp(variant, "three") == 0)
		model_thread(change_third);
}

void scenario_end(void)
{
	MODEL_CHECK(guarded == n_changes);
	MODEL_CHECK(futex_lock_owner(&lock) == 0);
}
