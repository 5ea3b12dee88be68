/*
 * world_open.h - the life of a program's driver objects.
 */
#ifndef CULPRIT_ORACLE_WORLD_OPEN_H
#define CULPRIT_ORACLE_WORLD_OPEN_H

#include "world.h"

/* Create all objects; the last context stays current. */
void world_open(struct world *world, const struct program *program, const char *kernels_path);

/* Destroy all objects. */
void world_close(struct world *world);

#endif
