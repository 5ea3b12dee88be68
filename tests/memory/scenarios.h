/*
 * scenarios.h - what the host of tests/bats/memory.bats can do. Each prints "NAME 0xADDRESS" for
 * what the test asks about, and gives main its status.
 */
#ifndef CULPRIT_MEMORY_SCENARIOS_H
#define CULPRIT_MEMORY_SCENARIOS_H

/* Prints addresses of every kind, and lets a kernel store at the one of that name, if any. */
int give_address(const char *what);

/*
 * Tells in a line of JSON how a kernel's pointer lies to what memory, and lets it fail there;
 * without a name: prints the names.
 */
int miss_memory(const char *what);

/*
 * Tells in a line of JSON by which rule and numbers the launch is refused that it makes, and then
 * what the driver returned; without a name: prints the names.
 */
int exceed_limits(const char *what);

/* Takes memory away that a copy is to read. */
int unmap_under_copy(const char *what);

/*
 * Makes memory of every kind, and gives some of it back; "wait": then waits for a byte of input;
 * "destroy": then destroys the context.
 */
int make_kinds(const char *what);

/*
 * +N: N allocations that live; -N: N that are given back at once; =N: N pieces that are registered.
 */
int make_many(const char *what);

/* Makes launches that the driver refuses, all or the one of that name. */
int refuse_launches(const char *what);

/*
 * Makes calls about host memory that the driver refuses, all or the one of that name. Status 3: it
 * did not, which is told.
 */
int misuse_host_memory(const char *what);

/* Loads images that the driver refuses, all or the one of that name. Status 3 as above. */
int refuse_images(const char *what);

/* Loads that file, as a module and as a library, and prints what the driver said. */
int load_image(const char *path);

/* Is refused 32 MiB where 50 of 64 are held: "retried", "less", or the end. */
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
