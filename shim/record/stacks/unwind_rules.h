/*
 * unwind_rules.h - rules of 16 bytes that lead from a return address to its caller's. They are
 * compiled once from the call frame information of the module that holds the address.
 */
#ifndef CULPRIT_RECORD_UNWIND_RULES_H
#define CULPRIT_RECORD_UNWIND_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/frame.h"

enum unwind_rule_type {
	UNWIND_UNKNOWN,   /* an empty slot of a cache */
	UNWIND_STANDARD,  /* CFA = (stack or frame pointer) + cfa_offset */
	UNWIND_REALIGNED, /* CFA = the word at fp + cfa_offset; the caller's fp is the word at fp */
	UNWIND_LAST,      /* the outermost function, marked as having no caller */
	UNWIND_BARE,      /* code without information in its module: its caller is unknown */
	UNWIND_SIGNAL, /* where a signal handler returns to: the kernel saved what it interrupted */
	UNWIND_OTHER,  /* an expression or another register, which a rule cannot express */
	UNWIND_NONE,   /* in no module (generated code): nothing is known for now */
};

/*
 * The caller's stack pointer is the CFA. Its other registers are where `saves` says. If a function
 * realigned its stack, `saves` has the place of the CFA instead.
 */
struct unwind_rule {
	uint64_t ip;
	frame_cfa_offset cfa_offset; /* in FRAME_CFA_UNIT bytes */
	struct frame_saves saves;
	uint8_t type; /* enum unwind_rule_type */
	bool cfa_is_fp;
};

/*
 * Return the rule for a return address. It holds until a module is unloaded, UNWIND_NONE only until
 * one is loaded. Takes neither memory nor a lock of its own (unwind_modules.h). Any thread.
 */
struct unwind_rule unwind_rules_compile(uint64_t ip);

/*
 * Return the rule for a return address, and compile it if no thread has needed it in this
 * generation, which counts the unloads of modules from 1. Never waits for a lock. Any thread.
 */
struct unwind_rule unwind_table_rule(uint64_t ip, uint64_t generation);

#endif
