/*
 * bundle_words.h - copying rows that their owner may write meanwhile. Private to this folder.
 */
#ifndef CULPRIT_VERDICT_BUNDLE_WORDS_H
#define CULPRIT_VERDICT_BUNDLE_WORDS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Words are loaded with acquire, so that none of them moves below the second look at the word that
 * guards them, and no tool sees a race with the owner's atomic stores. Any thread.
 */
void view_copy_words(uint64_t *out, const uint64_t *words, size_t n_words);

#endif
