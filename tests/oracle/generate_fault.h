/*
 * generate_fault.h - the fault of a program.
 */
#ifndef CULPRIT_ORACLE_GENERATE_FAULT_H
#define CULPRIT_ORACLE_GENERATE_FAULT_H

#include "draw.h"

/* Makes one operation of the finished program wrong, or none if `fault` of the program is none. */
void generate_fault(struct mood *mood);

#endif
