/*
 * progress_states.c - a kernel's word is dropped and its row used for another kernel, while a
 * thread asks for the address of the first, and another one for that of the second.
 */
#include "record/progress/progress_states.h"

#include "model.h"
#include "record/journal/row_uses.h"

static uint64_t kernel; /* that is added */
static uint32_t n_uses; /* of the row */
static uint32_t first_id;
struct progress_layout progress_layout;

int own_memory_open(struct own_memory *memory)
{
	(void)memory;
	return 0;
}

void own_memory_close(struct own_memory *memory)
{
	(void)memory;
}

/* All pointers lead to the kernel's own address. */
uint64_t own_memory_word(struct own_memory *memory, uint64_t address)
{
	(void)memory;
	(void)address;
	return kernel;
}

uint32_t row_uses_add(struct row_uses *uses, const void *row)
{
	(void)uses;
	(void)row;
	return row_id_of(1, n_uses++);
}

void row_uses_give(struct row_uses *uses, uint32_t id)
{
	(void)uses;
	(void)id;
}

static uint32_t add(uint64_t added)
{
	static const struct mapping pages = {.start = 1, .end = UINT64_MAX};
	kernel = added;
	return progress_states_add(&pages, added, 1);
}

static void replace(void)
{
	progress_states_drop(first_id);
	uint32_t id = add(8);
	MODEL_CHECK(progress_states_address(id) == 8);
}

static void ask(void)
{
	uintptr_t address = progress_states_address(first_id);
	MODEL_CHECK(address == 0 || address == 4);
}

static void ask_next(void)
{
	uintptr_t address = progress_states_address(row_id_of(1, 1));
	MODEL_CHECK(address == 0 || address == 8);
}

void scenario_setup(const char *variant)
{
	(void)variant;
	first_id = add(4);
	model_thread(replace);
	model_thread(ask);
	model_thread(ask_next);
}

void scenario_end(void)
{
	MODEL_CHECK(progress_states_address(first_id) == 0);
}
