/*
 * symbol_cache.h - answers about modules that outlive one analysis. A module is identified by its
 * path and its build-id, so bundles of the same program share its answers.
 */
#ifndef CULPRIT_TOOLS_SYMBOL_CACHE_H
#define CULPRIT_TOOLS_SYMBOL_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "symbols/symbol_question.h"

enum { SYMBOL_CACHE_BUCKETS = 256 };

struct cached_module;

/* One thread. A zeroed cache is empty. */
struct symbol_cache {
	struct cached_module *buckets[SYMBOL_CACHE_BUCKETS];
	size_t n_modules;
	size_t n_bytes; /* of the answers */
};

/*
 * Find the answer to a question of kind SYMBOL_FRAMES. Returns 0 and a copy that the caller frees,
 * the error that an earlier question about this module led to, -ENOENT if it is not known, or
 * -ENOMEM.
 */
int symbol_cache_find(const struct symbol_cache *cache, const struct symbol_question *question,
		      const char *path, struct symbol_answer **out);

/* Keep a copy of the answer (NULL: `error` says why), or nothing if out of memory. */
void symbol_cache_add(struct symbol_cache *cache, const struct symbol_question *question,
		      const char *path, const struct symbol_answer *answer, int error);

/* True if the cache has taken so much memory, or so many modules, that it should be emptied. */
bool symbol_cache_is_full(const struct symbol_cache *cache);
void symbol_cache_empty(struct symbol_cache *cache);

/* Return a copy from malloc(), or NULL. */
struct symbol_answer *symbol_answer_copy(const struct symbol_answer *answer);

/* Point the frames of an answer into its strings. */
void symbol_answer_find_strings(struct symbol_answer *answer);

#endif
