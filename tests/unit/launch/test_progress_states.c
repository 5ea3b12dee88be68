/*
 * test_progress_states.c - which path from a kernel's object to a word is believed to lead to its
 * state: one that was right for every kernel. Each case is a process, because it is learned once.
 */
#include "record/progress/progress_states.h"

#include "record/host/clock.h"
#include "record/journal/bundle.h"
#include "record/journal/row_uses.h"
#include "support/check.h"

/* The n-th path leads from KERNEL + 8 * n to objects[n], whose first word is words[n]'s address. */
enum { N_PATHS = 2, KERNEL = 0x1000, OBJECT = 0x10000 };

struct progress_layout progress_layout;
static uint32_t words[N_PATHS];

uint64_t own_memory_word(struct own_memory *memory, uintptr_t address)
{
	CHECK(memory);
	if (address < KERNEL + 8 * N_PATHS)
		return OBJECT * (1 + (address - KERNEL) / 8);
	return address % OBJECT == 0 && address <= OBJECT * N_PATHS
		       ? (uintptr_t)&words[address / OBJECT - 1]
		       : 0;
}

int own_memory_open(struct own_memory *memory)
{
	return memory ? 0 : -1;
}

void own_memory_close(struct own_memory *memory)
{
	CHECK(memory);
}

bool own_memory_read(struct own_memory *memory, uintptr_t address, void *out, size_t size)
{
	return memory && address && out && size;
}

uint32_t row_uses_add(struct row_uses *uses, const void *row)
{
	return uses && row ? 1 : 0;
}

void row_uses_give(struct row_uses *uses, uint32_t id)
{
	CHECK(uses && id);
}

struct table *bundle_table(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_KERNEL_STATES);
	return NULL;
}

void *table_row(const struct table *table, uint32_t id)
{
	CHECK(table && id);
	return NULL;
}

uint64_t clock_kernel_ns(void)
{
	return 0;
}

uint64_t clock_thread_ns(void)
{
	return 0;
}

void progress_refuse(const char *reason)
{
	CHECK_STRING(reason, "");
}

/* Learn from kernels. The bit of a path is set in `right` if its word says finished. */
static void learn(const uint32_t right[STATE_SAMPLES])
{
	const struct mapping pages = {(uintptr_t)words, (uintptr_t)(words + N_PATHS)};
	for (uint32_t n = 0; n < STATE_SAMPLES; n++) {
		const struct progress_pair kernel = {.object = KERNEL, .value = 10 + n};
		CHECK(!progress_states_are_known());
		for (uint32_t i = 0; i < N_PATHS; i++)
			words[i] = (uint32_t)(4 * kernel.value + (right[n] >> i & 1 ? 2 : 1));
		progress_states_check(&pages, &kernel, 0);
	}
}

static void learn_second(void)
{
	learn((const uint32_t[]){3, 3, 2, 3});
	CHECK(progress_states_are_known());
	CHECK(progress_layout.state_link == 8 && progress_layout.state_word == 0);
}

/* Each kernel has a path that is right, but no path is right for all of them. */
static void learn_none(void)
{
	learn((const uint32_t[]){3, 1, 2, 2});
	CHECK(!progress_states_are_known());
}

int main(void)
{
	check_in_child(learn_second);
	check_in_child(learn_none);
	return 0;
}
