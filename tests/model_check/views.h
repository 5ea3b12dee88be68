/*
 * views.h - what one thread or message knows of the others: struct view.
 */
#ifndef CULPRIT_MODEL_VIEWS_H
#define CULPRIT_MODEL_VIEWS_H

#include <stdbool.h>

#include "checker.h"

/* Add what the other view knows. */
void views_join(struct view *view, const struct view *other);

/* True if the other view knows all that the first one does. */
bool views_are_within(const struct view *view, const struct view *other);

#endif
