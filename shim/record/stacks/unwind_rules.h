/*
 * unwind_rules.h - rules of 16 bytes that lead from a return address to its caller's. They are
 * compiled once from the call frame information of the module that holds the address.
 */
#ifndef CULPRIT_RECORD_UNWIND_RULES_H
#define CULPRIT_RECORD_UNWIND_RULES_H

#include <stdbool.h>
#include <stdint.h>

enum unwind_rule_type {
	UNWIND_UNKNOWN,   /* an empty slot of a cache */
	UNWIND_STANDARD,  /* CFA = (rsp or rbp) + cfa_offset; the return address is at CFA - 8 */
	UNWIND_REALIGNED, /* CFA = the word at rbp + cfa_offset; rbp is the word at rbp */
	UNWIND_LAST,      /* the outermost function, marked as having no caller */
	UNWIND_BARE,      /* code without information in its module: its caller is unknown */
	UNWIND_SIGNAL, /* where a signal handler returns to: the kernel saved what it interrupted */
	UNWIND_OTHER,  /* an expression or another register, which a rule cannot express */
	UNWIND_NONE,   /* in no module (generated code): nothing is known for now */
};

/*
 * The caller's rsp is the CFA. Its rbp is at CFA + rbp_offset, or still in place if that is 0,
 * except in a function that realigned its stack.
 */
struct unwind_rule {
	uint64_t ip;
	int32_t cfa_offset;
	int16_t rbp_offset;
	uint8_t type; /* enum unwind_rule_type */
	bool cfa_is_rbp;
};

/*
 * Return the rule for a return address. It holds until a module is unloaded, UNWIND_NONE only until
 * one is loaded. Takes neither memory nor a lock of its own (unwind_modules.h). Any thread.
 */
struct unwind_rule unwind_rules_compile(uint64_t ip);

#endif
