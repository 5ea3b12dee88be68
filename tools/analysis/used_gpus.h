/*
 * used_gpus.h - the GPUs that a bundle's process used, and when.
 */
#ifndef CULPRIT_TOOLS_USED_GPUS_H
#define CULPRIT_TOOLS_USED_GPUS_H

#include "bundle/bundle.h"
#include "hardware/hardware_story.h"

/*
 * Select what `all` knows about the GPUs that the bundle's process used, by the UUIDs of its
 * contexts' devices, and give it to the bundle. Do nothing if none of them is known, or `all` is
 * NULL.
 */
void used_gpus_note(struct bundle *bundle, const struct hardware *all);

/* Store what the bundle knows about its GPUs in its directory, if that is this user's. */
void used_gpus_store(const struct bundle *bundle);

/* Return the time from the process's first submission to its failure. */
struct hardware_span used_gpus_span(const struct bundle *bundle);

#endif
