/*
 * generate_fault.h - the fault of a program.
 */
#ifndef CULPRIT_ORACLE_GENERATE_FAULT_H
#define CULPRIT_ORACLE_GENERATE_FAULT_H

#include "draw.h"

/* Make one operation of the finished program wrong, unless the program's `fault` is none. */
void generate_fault(struct mood *mood);

#endif
