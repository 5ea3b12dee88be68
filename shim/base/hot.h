/*
 * hot.h - where the launch path lies in memory.
 *
 * Between two launches a program like PyTorch's interpreter displaces everything from the
 * processor's near caches, so that a launch costs what it has to fetch again: each line of 64 bytes
 * that it touches, of code as of data, and each page. Hence what every launch touches lies close
 * together, and what few launches need lies elsewhere. scripts/bench lines lists the lines.
 */
#ifndef CULPRIT_BASE_HOT_H
#define CULPRIT_BASE_HOT_H

/* A function that every launch runs: the compiler puts them side by side, each from a line on. */
#define HOT __attribute__((hot, aligned(64)))

/* One that few launches run: out of line, and so is the code around its calls. */
#define COLD __attribute__((cold, noinline))

/* A condition that holds at nearly every launch: what follows comes first in memory. */
#define USUALLY(condition) __builtin_expect(!!(condition), 1)

/*
 * A variable that launches read and hardly anybody writes; side by side as well. Not for one that
 * launches write: all threads would wait for the line.
 */
#define READ_MOSTLY __attribute__((section("culprit_read_mostly")))

/*
 * Before those the one that all launches write, in a line of its own at the beginning of the page,
 * and behind them a table of which launches read little. The linker leaves these sections in the
 * order in which it meets them: see launch_sources in shim/CMakeLists.txt.
 */
#define WRITTEN_OFTEN __attribute__((section("culprit_written_often"), aligned(4096)))
#define READ_IN_PART  __attribute__((section("culprit_read_in_part"), aligned(64)))

#endif
