/* generate_more.h - features of programs that generate.c does not know. */
#ifndef CULPRIT_ORACLE_GENERATE_MORE_H
#define CULPRIT_ORACLE_GENERATE_MORE_H

#include "program.h"

/* Add the features that generate.c does not know, by random numbers of its own. */
void generate_more(struct program *program);

/*
 * Turn half of the stores at an index into loads, and half of the traps and assertions into
 * exceptions, by random numbers of their own. Call them last, in this order.
 */
void generate_loads(struct program *program);
void generate_exceptions(struct program *program);

#endif
