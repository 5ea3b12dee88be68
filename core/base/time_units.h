/*
 * time_units.h - how many of one unit of time another one has.
 */
#ifndef CULPRIT_TIME_UNITS_H
#define CULPRIT_TIME_UNITS_H

enum { MS_PER_S = 1000, NS_PER_MS = 1000000, NS_PER_S = 1000000000 };

#endif
