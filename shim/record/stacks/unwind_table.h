/*
 * unwind_table.h - the rules that all threads share. Compiling one takes as long as walking a whole
 * stack, and a training step has more return addresses than a thread can keep.
 */
#ifndef CULPRIT_RECORD_UNWIND_TABLE_H
#define CULPRIT_RECORD_UNWIND_TABLE_H

#include "record/stacks/unwind_rules.h"

/*
 * Return the rule for a return address, and compile it if no thread has needed it in this
 * generation, which counts the unloads of modules from 1. Never waits for a lock. Any thread.
 */
struct unwind_rule unwind_table_rule(uint64_t ip, uint64_t generation);

#endif
