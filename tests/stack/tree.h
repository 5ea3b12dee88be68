/*
 * tree.h - random call trees for the stack walker: the functions that the test provides, and those
 * that the trees offer. The trees are compiled in many ways (tests/stack/CMakeLists.txt), the rest
 * once.
 */
#ifndef CULPRIT_TESTS_STACK_TREE_H
#define CULPRIT_TESTS_STACK_TREE_H

#include <setjmp.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int (*tree_function)(int depth);

enum { TREE_FUNCTIONS = 16 };

/* A place to which the test may jump from the middle of a tree. Innermost first. */
struct region {
	struct region *outer;
	int is_try; /* by a C++ exception, else by longjmp */
	jmp_buf jump;
};

/*
 * The test provides these: random numbers, a capture of the stack that may not return, and the
 * innermost region.
 */
unsigned random_next(void);
int scope(void);
struct region **innermost_region(void);

/* The trees': their entry (nodes visited are limited by the budget) and what leaves a try. */
int tree_call(int depth);
void tree_set_budget(long n_calls);
int tree_try(int depth);
void tree_throw(void);

#ifdef __cplusplus
}
#endif

#endif
