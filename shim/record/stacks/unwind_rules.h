/*
 * unwind_rules.h - how to get from a return address to its caller's, in 16 bytes: compiled once
 * from the call frame information of the module that holds it.
 */
#ifndef CULPRIT_RECORD_UNWIND_RULES_H
#define CULPRIT_RECORD_UNWIND_RULES_H

#include <stdbool.h>
#include <stdint.h>

enum unwind_rule_type {
	UNWIND_UNKNOWN,   /* an empty slot of a cache */
	UNWIND_STANDARD,  /* CFA = (rsp or rbp) + cfa_offset; the return address is at CFA - 8 */
	UNWIND_REALIGNED, /* CFA = the word at rbp + cfa_offset; rbp is the word at rbp */
	UNWIND_LAST,      /* the outermost function: it says that nobody called it */
	UNWIND_BARE,      /* code whose module tells nothing about it: its caller is not known */
	UNWIND_SIGNAL, /* where a signal handler returns to: the kernel saved what it interrupted */
	UNWIND_OTHER,  /* an expression, another register: more than a rule can say */
	UNWIND_NONE,   /* in no module (generated code): nothing is known, today */
};

/*
 * The caller's rsp is the CFA. Its rbp is at CFA + rbp_offset, or still in place if that is 0, but
 * where the function realigned its stack.
 */
struct unwind_rule {
	uint64_t ip;
	int32_t cfa_offset;
	int16_t rbp_offset;
	uint8_t type; /* enum unwind_rule_type */
	bool cfa_is_rbp;
};

/*
 * The rule for a return address. It holds until a module is unloaded, UNWIND_NONE only until one
 * is loaded. Takes no memory, nor a lock of its own (unwind_modules.h). Any thread.
 */
struct unwind_rule unwind_rules_compile(uint64_t ip);

#endif
