/*
 * bundle_words.c - copies word by word, in the memory order of bundle_words.h.
 */
#include "view/bundle_words.h"

void view_copy_words(uint64_t *out, const uint64_t *words, size_t n_words)
{
	for (size_t i = 0; i < n_words; i++)
		out[i] = __atomic_load_n(&words[i], __ATOMIC_ACQUIRE);
}
