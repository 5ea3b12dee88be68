/*
 * generate_more.h - what generate.c does not know of.
 */
#ifndef CULPRIT_ORACLE_GENERATE_MORE_H
#define CULPRIT_ORACLE_GENERATE_MORE_H

#include "program.h"

/* What generate.c does not know of, by dice of its own. */
void generate_more(struct program *program);

/* Lets half of what stores where an index says load there, by dice of its own. Comes last. */
void generate_loads(struct program *program);

#endif
