/*
 * scenarios.h - the scenarios of the host of tests/bats/memory.bats. Each prints "NAME 0xADDRESS"
 * for what the test asks about, and returns the exit status.
 */
#ifndef CULPRIT_MEMORY_SCENARIOS_H
#define CULPRIT_MEMORY_SCENARIOS_H

/* Print addresses of every kind. If `what` names one, let a kernel store there. */
int give_address(const char *what);

/*
 * Print a line of JSON that describes how a kernel's pointer relates to which memory, and let the
 * kernel fail there. Without a name, print the names.
 */
int miss_memory(const char *what);

/*
 * Print a line of JSON with the rule and numbers by which a launch will be refused, make the
 * launch, and print what the driver returned. Without a name, print the names.
 */
int exceed_limits(const char *what);

/* Unmap memory that a copy is about to read. */
int unmap_under_copy(const char *what);

/* Let a kernel fail that has a pointer to stream-ordered memory, which is freed in that order. */
int free_in_order(const char *what);

/*
 * Make memory of every kind and free some of it. "wait": then wait for a byte of input; "destroy":
 * then destroy the context.
 */
int make_kinds(const char *what);

/*
 * +N: N allocations that stay; -N: N allocations that are freed at once; =N: N pieces that are
 * registered.
 */
int make_many(const char *what);

/* Make launches that the driver refuses, all or the named one. */
int refuse_launches(const char *what);

/*
 * Make calls about host memory that the driver refuses, all or the named one. Returns status 3 if
 * the driver did not refuse one, after printing this.
 */
int misuse_host_memory(const char *what);

/*
 * Load images that the driver refuses, all or the named one. Returns status 3 as
 * misuse_host_memory() does.
 */
int refuse_images(const char *what);

/* Load that file as a module and as a library, and print the driver's answers. */
int load_image(const char *path);

/*
 * Ask for 32 MiB while 50 of 64 MiB are in use, which is refused. The program then continues as
 * `what` says: "retried", "less", or anything else to exit.
 */
int run_out_of_memory(const char *what);

/*
 * CAUSE[:[+]END]: the driver refuses an "image", "launch", "pointer", "memory", or what finds a
 * "batch" size or does "retry". Then launches, unless there is an END without "+", and ends well,
 * or by END: "return", "exit", "_exit", "quick_exit", "abort", "kill".
 */
int recover(const char *what);

/*
 * A refused call: "cancelled", with "little_stack", "exhausted" with as little and then at the end,
 * a free in a "capture", "no_context".
 */
int be_odd(const char *what);

#endif
