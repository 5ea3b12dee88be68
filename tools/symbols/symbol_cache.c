/*
 * symbol_cache.c - answers by module, then by offset. A bundle asks about some fifty locations of a
 * few modules, so both are short lists in a table of buckets.
 */
#include "symbols/symbol_cache.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* The helper keeps the files of MAX_MODULES modules open. */
enum { MAX_MODULES = 256, MAX_BYTES = 32 << 20, ANSWER_BUCKETS = 64 };

struct cached_answer {
	struct cached_answer *next;
	uint64_t offset;
	struct symbol_answer *answer;
};

struct cached_module {
	struct cached_module *next;
	struct module_row row;
	bool is_alone;
	int error; /* 0, or why no more questions are asked */
	struct cached_answer *answers[ANSWER_BUCKETS];
	char path[];
};

static size_t bucket_of(const char *path)
{
	return (size_t)(hash_string(path) % SYMBOL_CACHE_BUCKETS);
}

static struct cached_module *find_module(const struct symbol_cache *cache,
					 const struct symbol_question *question, const char *path)
{
	struct cached_module *module = cache->buckets[bucket_of(path)];
	while (module &&
	       (module->is_alone != question->is_alone || strcmp(module->path, path) != 0 ||
		!symbol_module_is_same(&module->row, &question->row)))
		module = module->next;
	return module;
}

static struct cached_module *add_module(struct symbol_cache *cache,
					const struct symbol_question *question, const char *path)
{
	size_t size = strlen(path) + 1;
	struct cached_module *module = calloc(1, sizeof(*module) + size);
	if (!module)
		return NULL;
	module->row = question->row;
	module->is_alone = question->is_alone;
	memcpy(module->path, path, size);
	module->next = cache->buckets[bucket_of(path)];
	cache->buckets[bucket_of(path)] = module;
	cache->n_modules++;
	return module;
}

/* Returns the string at *at and moves *at past it, or returns NULL at the end. */
static const char *next_string(const char **at, const char *end, bool is_there)
{
	const char *string = *at;
	const char *nul = is_there ? memchr(string, '\0', (size_t)(end - string)) : NULL;
	if (!nul)
		return NULL;
	*at = nul + 1;
	return string;
}

void symbol_answer_find_strings(struct symbol_answer *answer)
{
	const char *at = answer->strings;
	const char *end = at + answer->header.size;
	for (uint32_t i = 0; i < answer->header.n; i++) {
		answer->frames[i].line = answer->header.frames[i].line;
		answer->frames[i].column = answer->header.frames[i].column;
		answer->frames[i].is_inlined = answer->header.frames[i].is_inlined;
		answer->frames[i].is_tail_call = answer->header.frames[i].is_tail_call;
		answer->frames[i].function =
			next_string(&at, end, answer->header.frames[i].has_function);
		answer->frames[i].file = next_string(&at, end, answer->header.frames[i].has_file);
	}
}

struct symbol_answer *symbol_answer_copy(const struct symbol_answer *answer)
{
	size_t size = sizeof(*answer) + answer->header.size;
	struct symbol_answer *copy = malloc(size);
	if (!copy)
		return NULL;
	memcpy(copy, answer, size);
	symbol_answer_find_strings(copy);
	return copy;
}

int symbol_cache_find(const struct symbol_cache *cache, const struct symbol_question *question,
		      const char *path, struct symbol_answer **out)
{
	const struct cached_module *module = find_module(cache, question, path);
	if (!module || module->error)
		return module ? module->error : -ENOENT;
	const struct cached_answer *row = module->answers[question->offset % ANSWER_BUCKETS];
	while (row && row->offset != question->offset)
		row = row->next;
	if (!row)
		return -ENOENT;
	*out = symbol_answer_copy(row->answer);
	return *out ? 0 : -ENOMEM;
}

void symbol_cache_add(struct symbol_cache *cache, const struct symbol_question *question,
		      const char *path, const struct symbol_answer *answer, int error)
{
	struct cached_module *module = find_module(cache, question, path);
	if (!module)
		module = add_module(cache, question, path);
	if (module && error)
		module->error = error;
	struct cached_answer *row = module && answer ? calloc(1, sizeof(*row)) : NULL;
	if (!row)
		return;
	row->answer = symbol_answer_copy(answer);
	if (!row->answer) {
		free(row);
		return;
	}
	size_t bucket = question->offset % ANSWER_BUCKETS;
	row->offset = question->offset;
	row->next = module->answers[bucket];
	module->answers[bucket] = row;
	cache->n_bytes += sizeof(*row) + sizeof(*answer) + answer->header.size;
}

bool symbol_cache_is_full(const struct symbol_cache *cache)
{
	return cache->n_modules >= MAX_MODULES || cache->n_bytes >= MAX_BYTES;
}

static void free_answers(struct cached_answer *row)
{
	while (row) {
		struct cached_answer *next = row->next;
		free(row->answer);
		free(row);
		row = next;
	}
}

void symbol_cache_empty(struct symbol_cache *cache)
{
	for (size_t bucket = 0; bucket < SYMBOL_CACHE_BUCKETS; bucket++) {
		for (struct cached_module *module = cache->buckets[bucket]; module;) {
			struct cached_module *next = module->next;
			for (size_t i = 0; i < ANSWER_BUCKETS; i++)
				free_answers(module->answers[i]);
			free(module);
			module = next;
		}
	}
	memset(cache, 0, sizeof(*cache));
}
