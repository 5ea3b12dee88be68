/*
 * generate_doors.h - calls of a program that go past culprit.
 */
#ifndef CULPRIT_ORACLE_GENERATE_DOORS_H
#define CULPRIT_ORACLE_GENERATE_DOORS_H

#include "program.h"

/* Sends some of the finished program's calls through the door, by dice of its own. */
void generate_doors(struct program *program, enum door door);

#endif
