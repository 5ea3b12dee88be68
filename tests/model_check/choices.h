/*
 * choices.h - the choices of an execution, which the next ones repeat or change.
 */
#ifndef CULPRIT_MODEL_CHOICES_H
#define CULPRIT_MODEL_CHOICES_H

#include <stdbool.h>
#include <stdint.h>

/* Return a number below n. In each execution, the same calls come in the same order. */
uint32_t choices_pick(uint32_t n);

/*
 * Change the newest choice that has another alternative, and forget those after it. Return false if
 * none has.
 */
bool choices_advance(void);

#endif
