/*
 * bundle_words.h - copies rows that their owner may write meanwhile. Private to this folder.
 */
#ifndef CULPRIT_VIEW_BUNDLE_WORDS_H
#define CULPRIT_VIEW_BUNDLE_WORDS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Copy words with acquire loads. So no load moves after the second check of the word that guards
 * the row, and race detectors see no race with the owner's atomic stores. Any thread.
 */
static inline void view_copy_words(uint64_t *out, const uint64_t *words, size_t n_words)
{
	for (size_t i = 0; i < n_words; i++)
		out[i] = __atomic_load_n(&words[i], __ATOMIC_ACQUIRE);
}

#endif
