/*
 * call_names.h - the journal's string ids of the entry points' names.
 */
#ifndef CULPRIT_RECORD_CALL_NAMES_H
#define CULPRIT_RECORD_CALL_NAMES_H

#include <stdint.h>

#include "driver_calls.h"

/* The string id of the call's name, 0 without room. Any thread. */
uint32_t call_name_id(enum driver_call call);

#endif
