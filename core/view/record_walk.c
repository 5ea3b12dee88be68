/*
 * record_walk.c - step through the rings of a bundle.
 */
#include "view/record_walk.h"

bool record_walk_next(struct record_walk *walk)
{
	for (; walk->slot < walk->view->n_rings; walk->slot++, walk->next = 0) {
		if (walk->next == 0)
			walk->n_written = view_written(walk->view, walk->slot);
		while (walk->next < walk->n_written) {
			walk->position = walk->next++;
			if (view_record(walk->view, walk->slot, walk->position, &walk->record))
				return true;
		}
	}
	return false;
}
