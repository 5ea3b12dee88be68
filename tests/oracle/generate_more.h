/* generate_more.h - features of programs that generate.c does not know. */
#ifndef CULPRIT_ORACLE_GENERATE_MORE_H
#define CULPRIT_ORACLE_GENERATE_MORE_H

#include "program.h"

/* Add the features that generate.c does not know, by random numbers of its own. */
void generate_more(struct program *program);

/* Turn half of the stores at an index into loads, by random numbers of its own. Call this last. */
void generate_loads(struct program *program);

#endif
