/*
 * search.c - run a scenario with all choices that there are, depth first. An execution replays the
 * choices of the last one up to the newest that has another alternative.
 *
 * usage: PROGRAM [--preemptions N] [--futures N] [--executions N] [--expect FAULT] [VARIANT]
 *
 * A thread is preempted N times at most in one execution (default: 2). N loads at most read a value
 * that is stored later (default: 1). FAULT is race, check or
 * deadlock. Exit status: 0 if all executions were explored and none had a fault, or if one had the
 * expected fault; else 1.
 */
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "checker.h"
#include "choices.h"
#include "memory.h"
#include "model.h"
#include "threads.h"
#include "trace.h"

uint32_t model_choose(uint32_t n)
{
	memory_settle();
	uint32_t chosen = choices_pick(n);
	trace_add("choose", __builtin_return_address(0), NULL, chosen, -1);
	return chosen;
}

void model_check(bool is_true, const char *condition)
{
	memory_settle();
	if (!is_true) {
		threads_settle();
		trace_add("check", __builtin_return_address(0), NULL, 0, -1);
		trace_fail("check", "%s is false", condition);
	}
}

void model_words(const void *start, size_t size, uint32_t unit)
{
	if (checker->n_regions == MAX_REGIONS || (uintptr_t)start % unit)
		trace_fail("limit", "too many regions, or one that is not aligned");
	checker->regions[checker->n_regions].start = start;
	checker->regions[checker->n_regions].unit = unit;
	checker->regions[checker->n_regions++].end = (const unsigned char *)start + size;
}

static void run_once(void)
{
	memcpy(checker->base, checker->copy, checker->size);
	memset(checker->threads, 0, sizeof(checker->threads));
	checker->sequential = (struct view){0};
	checker->depth = 0;
	checker->n_threads = 1;
	checker->thread = 0;
	checker->n_preemptions = 0;
	checker->n_seen = 0;
	checker->is_abandoned = false;
	checker->n_turns = 0;
	checker->n_locations = 0;
	checker->n_messages = 0;
	checker->n_locks = 0;
	checker->n_events = 0;
	checker->n_regions = 0;
	checker->n_executions++;
	checker->threads[0].now.clock[0] = 1;
	scenario_setup(checker->variant);
	memory_settle();
	threads_run();
	if (checker->is_abandoned)
		return;
	scenario_end();
	memory_settle();
}

/* Find the program's own writable memory, without the part that the loader protects. */
static int find_memory(struct dl_phdr_info *info, size_t size, void *unused)
{
	uintptr_t start = 0;
	uintptr_t end = 0;
	uintptr_t protected = 0;
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + part->p_vaddr;
		if (part->p_type == PT_LOAD && part->p_flags & PF_W) {
			start = at;
			end = at + part->p_memsz;
		}
		if (part->p_type == PT_GNU_RELRO)
		protected = (at + part->p_memsz + page - 1) & ~(page - 1);
	}
	checker->offset = info->dlpi_addr;
	start = protected > start ? protected : start;
	checker->base = (unsigned char *)start;
	checker->size = end - start;
	return 1; /* the program is the first */
}

static void *map(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		exit(1);
	return memory;
}

static void prepare(int argc, char **argv)
{
	checker = map(sizeof(*checker));
	checker->max_preemptions = 2;
	checker->max_executions = 1000000;
	checker->max_futures = 1;
	checker->variant = "";
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--preemptions") == 0 && i + 1 < argc)
			checker->max_preemptions = (uint32_t)strtoul(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--executions") == 0 && i + 1 < argc)
			checker->max_executions = strtoull(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--futures") == 0 && i + 1 < argc)
			checker->max_futures = (uint32_t)strtoul(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--expect") == 0 && i + 1 < argc)
			checker->expected = argv[++i];
		else
			checker->variant = argv[i];
	}
	(void)dl_iterate_phdr(find_memory, NULL);
	checker->bytes = map(checker->size * sizeof(*checker->bytes));
	checker->stacks = map((size_t)MAX_THREADS * STACK_SIZE);
	checker->copy = map(checker->size);
	memcpy(checker->copy, checker->base, checker->size);
}

/* Return false if the limit stopped it. */
static bool explore(void)
{
	bool is_complete = false;
	while (!is_complete && checker->n_executions < checker->max_executions) {
		run_once();
		is_complete = !choices_advance();
	}
	return is_complete;
}

int main(int argc, char **argv)
{
	prepare(argc, argv);
	bool is_complete = explore();
	checker->may_see_futures = checker->max_futures > 0 && checker->n_futures > 0;
	if (is_complete && checker->may_see_futures)
		is_complete = explore();
	printf("explored %llu executions with up to %u preemptions, %s\n",
	       (unsigned long long)checker->n_executions, checker->max_preemptions,
	       is_complete ? "complete" : "stopped at the limit");
	if (checker->expected)
		printf("none had the expected fault: %s\n", checker->expected);
	return is_complete && !checker->expected ? 0 : 1;
}
