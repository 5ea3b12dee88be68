/*
 * unwind_table.h - the rules that all threads share: to compile one takes as long as to walk a
 * whole stack, and a training step has more return addresses than a thread can keep.
 */
#ifndef CULPRIT_RECORD_UNWIND_TABLE_H
#define CULPRIT_RECORD_UNWIND_TABLE_H

#include "record/stacks/unwind_rules.h"

/*
 * The rule for a return address, compiled if no thread has met it in this generation, which counts
 * the unloads of modules from 1. Takes no lock that it would have to wait for. Any thread.
 */
struct unwind_rule unwind_table_rule(uint64_t ip, uint64_t generation);

#endif
