/*
 * shadow.h - what is known of each byte of static memory, and races between accesses to it.
 */
#ifndef CULPRIT_MODEL_SHADOW_H
#define CULPRIT_MODEL_SHADOW_H

#include <stdbool.h>
#include <stddef.h>

#include "checker.h"

struct byte;
enum access;

/* True for the program's static memory, and for the part of it that was given to model_words(). */
bool shadow_has(const void *address);
bool shadow_is_in_words(const void *address);

/* Return what is known of a byte of static memory. */
struct byte *shadow_of(const void *address);

/* Note an access by the current thread; fail if it races with an earlier one. */
void shadow_access(const void *address, size_t size, enum access access, const void *pc);

#endif
