/*
 * views.c - what one thread or message knows.
 */
#include "views.h"

void views_join(struct view *view, const struct view *other)
{
	for (int i = 0; i < MAX_THREADS; i++)
		if (view->clock[i] < other->clock[i])
			view->clock[i] = other->clock[i];
	for (uint32_t i = 0; i < checker->n_locations; i++)
		if (view->time[i] < other->time[i])
			view->time[i] = other->time[i];
}

bool views_are_within(const struct view *view, const struct view *other)
{
	for (int i = 0; i < MAX_THREADS; i++)
		if (view->clock[i] > other->clock[i])
			return false;
	for (uint32_t i = 0; i < checker->n_locations; i++)
		if (view->time[i] > other->time[i])
			return false;
	return true;
}
