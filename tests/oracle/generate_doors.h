/* generate_doors.h - calls of a program that bypass culprit. */
#ifndef CULPRIT_ORACLE_GENERATE_DOORS_H
#define CULPRIT_ORACLE_GENERATE_DOORS_H

#include "program.h"

/* Send some of the finished program's calls through the door, by random numbers of its own. */
void generate_doors(struct program *program, enum door door);

#endif
