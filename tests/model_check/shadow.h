/*
 * shadow.h - what is known of each byte of static memory, and races between accesses to it.
 */
#ifndef CULPRIT_MODEL_SHADOW_H
#define CULPRIT_MODEL_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "checker.h"

struct byte;
enum access;

/* True for the program's static memory. */
bool shadow_has(const void *address);

/* Return the size of words if the address is in memory that was given to model_words(), else 0. */
uint32_t shadow_word_size(const void *address);

/* Return what is known of a byte of static memory. */
struct byte *shadow_of(const void *address);

/* Note an access by the current thread; fail if it races with an earlier one. */
void shadow_access(const void *address, size_t size, enum access access, const void *pc);

#endif
