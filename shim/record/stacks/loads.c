/*
 * loads.c - find the loader's count of loads. It is in the loader's own variables, directly after
 * the lock that guards it, since glibc 2.4. It is believed while it equals the loader's answer.
 */
#include "record/stacks/loads.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "base/elf_lookup.h"
#include "base/hot.h"

static uint64_t last_known; /* replaces the count; written before loads_word points to it */
READ_MOSTLY const uint64_t *loads_word = &last_known;
static uint64_t n_unloads; /* the loader's count when it was last asked */

/* Check the lock's members that never change, and the word after it. */
static bool is_count_behind_lock(const pthread_mutex_t *lock, uint64_t count)
{
	uint64_t word = 0;
	memcpy(&word, lock + 1, sizeof(word));
	return word == count && lock->__data.__kind == PTHREAD_MUTEX_RECURSIVE_NP &&
	       !lock->__data.__list.__prev && !lock->__data.__list.__next;
}

/* The loader's own variables. start NULL: they were not found. */
struct variables {
	const char *start;
	size_t size;
};

/*
 * Not under the lock of the loader's list. dladdr1() takes the lock that dlopen() holds while it
 * waits for the list's.
 */
static COLD struct variables find_variables(void)
{
	const char *start = elf_next_symbol("_rtld_global", NULL);
	void *found = NULL;
	Dl_info info;
	if (!start || !dladdr1(start, &info, &found, RTLD_DL_SYMENT) || !found)
		return (struct variables){NULL, 0};
	const ElfW(Sym) *symbol = found;
	return (struct variables){start, symbol->st_size};
}

/* Return NULL if the count is not where it should be. */
static COLD const uint64_t *find_count(const struct variables *variables, uint64_t count)
{
	size_t needed = sizeof(pthread_mutex_t) + sizeof(count);
	for (size_t at = 0; at + needed <= variables->size; at += sizeof(count)) {
		const void *lock = variables->start + at;
		if (is_count_behind_lock(lock, count))
			return (const uint64_t *)((const pthread_mutex_t *)lock + 1);
	}
	return NULL;
}

static bool has_counts(size_t size)
{
	return size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof(uint64_t);
}

static int start_with(struct dl_phdr_info *info, size_t size, void *variables)
{
	if (!has_counts(size))
		return 1;
	n_unloads = info->dlpi_subs;
	const uint64_t *word = find_count(variables, info->dlpi_adds);
	if (word)
		loads_word = word;
	return 1; /* all modules say the same */
}

COLD void loads_start(void)
{
	struct variables variables = find_variables();
	(void)dl_iterate_phdr(start_with, &variables);
}

bool loads_are_watched(void)
{
	return __atomic_load_n(&loads_word, __ATOMIC_RELAXED) != &last_known;
}

/* Called under the lock that guards the count. */
static int compare(struct dl_phdr_info *info, size_t size, void *out_has_unloaded)
{
	if (!has_counts(size))
		return 1;
	*(bool *)out_has_unloaded = info->dlpi_subs != n_unloads;
	n_unloads = info->dlpi_subs;
	if (loads_are_watched() && loads_now() != info->dlpi_adds) {
		last_known = loads_now();
		__atomic_store_n(&loads_word, &last_known, __ATOMIC_RELEASE);
	}
	return 1;
}

struct hold {
	void (*body)(void *data);
	void *data;
};

static int call_held(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct hold *hold = data;
	(void)info, (void)size;
	hold->body(hold->data);
	return 1;
}

COLD void loads_hold(void (*body)(void *data), void *data)
{
	struct hold hold = {body, data};
	(void)dl_iterate_phdr(call_held, &hold);
}

COLD bool loads_have_unloaded(void)
{
	bool has_unloaded = false;
	(void)dl_iterate_phdr(compare, &has_unloaded);
	return has_unloaded;
}
