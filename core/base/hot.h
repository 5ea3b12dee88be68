/*
 * hot.h - places the launch path in memory.
 *
 * Between two launches a program like PyTorch's interpreter evicts everything from the processor's
 * near caches. So a launch costs what it must fetch again: each line of 64 bytes that it touches,
 * of code or data, and each page. Things that every launch touches are therefore kept close
 * together, and things that few launches need elsewhere. `scripts/bench lines` lists the lines.
 */
#ifndef CULPRIT_BASE_HOT_H
#define CULPRIT_BASE_HOT_H

/* The smallest page: what shares one shares any. */
#define HOT_PAGE 4096

/* A function that every launch runs. The compiler places them together, each at a line's start. */
#define HOT __attribute__((hot, aligned(64)))

/* A function that few launches run: it and the code around its calls are moved out of line. */
#define COLD __attribute__((cold, noinline))

/* A condition that holds at nearly every launch: the code for true comes first in memory. */
#define LIKELY(condition) __builtin_expect(!!(condition), 1)
/* The contrary: a condition that hardly any launch meets. */
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/*
 * A variable that launches read and that is rarely written; placed together as well. Do not use it
 * for a variable that launches write: all threads would wait for the line.
 */
#define READ_MOSTLY __attribute__((section("culprit_read_mostly")))

/*
 * WRITTEN_OFTEN is for the one variable that all launches write: it is before the READ_MOSTLY ones,
 * in a line of its own at the start of the page. READ_IN_PART is for a table of which launches read
 * little, after them. The linker keeps these sections in the order in which it first finds them:
 * see launch_sources in shim/CMakeLists.txt.
 */
#define WRITTEN_OFTEN __attribute__((section("culprit_written_often"), aligned(HOT_PAGE)))
#define READ_IN_PART  __attribute__((section("culprit_read_in_part"), aligned(64)))

#endif
