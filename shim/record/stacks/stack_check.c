/*
 * stack_check.c - the self-check of stacks. The full walk starts from nothing, with newly compiled
 * rules. It is compared with the addresses that the journal has for the stack's id. This shows a
 * rule, a frame or an id that was kept wrongly. The C library's unwinder reads the same tables by
 * other code. libunwind would be a third, but keeps descriptors (stack.c), so only tests use it.
 */
#include "record/stacks/stack_check.h"

#include <execinfo.h>
#include <pthread.h>
#include <string.h>

#include "base/hot.h"
#include "record/journal/bundle.h"

enum { MAX_INNER = 64 }; /* frames of ours between the C library's unwinder and the caller */

READ_MOSTLY uint32_t stack_check_interval; /* written at start only */

/* Guards all below. Static: too large for the stacks of the host's threads. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct unwind_state full;
static struct unwind_work work;
static void *others[UNWIND_FRAMES + MAX_INNER];
static uint64_t path[UNWIND_FRAMES];
static struct stack_check_row *result; /* in the journal; NULL until the first check */

void stack_check_start(uint32_t wanted)
{
	stack_check_interval = wanted;
	/* glibc's first walk loads and allocates; better here than in a launch. */
	void *frames[4];
	if (stack_check_interval)
		(void)backtrace(frames, 4);
}

/* True for the address of a frame: not the 0 at a stack's bottom (stack.c). */
static bool is_code(uint64_t address)
{
	return address >= N_STACK_ENDS;
}

static uint64_t address_of(const struct stack_row *row)
{
	const struct module_row *module = table_row(bundle_table(JOURNAL_MODULES), row->module);
	return row->offset + (module ? module->bias : 0);
}

/* Read the journaled addresses of a stack into path[], innermost first, and its end. */
static uint32_t read_path(uint32_t stack, uint32_t *out_end)
{
	const struct table *stacks = bundle_table(JOURNAL_STACKS);
	const struct stack_row *row = table_row(stacks, stack);
	uint32_t n = 0;
	for (; row && row->module != STACK_END && n < UNWIND_FRAMES;
	     row = table_row(stacks, row->parent))
		path[n++] = address_of(row);
	*out_end = row && row->module == STACK_END ? (uint32_t)row->offset : 0;
	return n;
}

/* True if path[] is what the walk found. */
static bool is_path_of(const struct unwind_state *state, uint32_t n_path)
{
	uint32_t n = 0;
	for (uint32_t i = state->n_frames; i-- > 0;) {
		uint64_t address = state->frames[i].at.ip;
		if (is_code(address) && (n == n_path || path[n++] != address))
			return false;
	}
	return n == n_path;
}

static bool is_full_walk(const struct unwind_point *caller, uint32_t n_path, uint32_t end)
{
	memset(work.rules, 0, sizeof(work.rules));
	work.memory = (struct unwind_memory){0}; /* find this thread's memory anew */
	unwind_forget(&full, UINT64_MAX, &work); /* a generation whose rules are not shared */
	unwind_walk(&full, caller);
	return end == full.end && is_path_of(&full, n_path);
}

/* If our walk stops for want of rules, the other may know more; the common part must be equal. */
static bool is_other_walk(const struct unwind_point *caller, uint32_t n_path, uint32_t end)
{
	uint32_t n_others = (uint32_t)backtrace(others, UNWIND_FRAMES + MAX_INNER);
	uint32_t first = 0;
	while (first < n_others && (uintptr_t)others[first] != caller->ip)
		first++;
	n_others -= first;
	if (n_others < n_path || (n_others > n_path && !end))
		return false;
	for (uint32_t i = 0; i < n_path; i++) {
		if ((uintptr_t)others[first + i] != path[i])
			return false;
	}
	return true;
}

/*
 * The C library's unwinder believes what it finds in a stack, and reads the code that it reaches:
 * it must not go where our walk would not.
 */
static bool can_ask_other(uint32_t end)
{
	return end == 0 && work.memory.is_own;
}

static void add(uint64_t *counter, uint64_t n)
{
	/* Pairs with view_live() in the reader; the lock orders the writers. */
	__atomic_store_n(counter, *counter + n, __ATOMIC_RELEASE);
}

/* If stacks found no room, ids stand for less than was seen, and cannot be checked. */
static bool has_journal(void)
{
	const struct file_header *stacks = bundle_table(JOURNAL_STACKS)->header;
	if (!stacks || __atomic_load_n(&stacks->lost, __ATOMIC_RELAXED))
		return false;
	if (!result) {
		struct stack_check_row row = {0};
		uint32_t id = table_append(bundle_table(JOURNAL_STACK_CHECKS), &row, 1);
		result = table_row(bundle_table(JOURNAL_STACK_CHECKS), id);
	}
	return result != NULL;
}

static void compare(const struct unwind_point *caller, uint32_t stack)
{
	uint32_t end = 0;
	uint32_t n_path = read_path(stack, &end);
	bool is_full = is_full_walk(caller, n_path, end);
	bool is_other = !can_ask_other(full.end) || is_other_walk(caller, n_path, end);
	add(&result->n_checks, 1);
	add(&result->n_unlike_full, !is_full);
	add(&result->n_unlike_other, !is_other);
	if ((!is_full || !is_other) && !result->first_stack)
		add(&result->first_stack, stack);
}

void stack_check(const struct unwind_point *caller, uint32_t stack)
{
	pthread_mutex_lock(&lock);
	if (has_journal())
		compare(caller, stack);
	pthread_mutex_unlock(&lock);
}
