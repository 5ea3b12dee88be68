/*
 * symbols_target.h - code with known functions and lines, for the tests of symbols.
 */
#ifndef CULPRIT_TESTS_SYMBOLS_TARGET_H
#define CULPRIT_TESTS_SYMBOLS_TARGET_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Returns the return address of a call in target::inner<int>. The function is inlined into
 * target::middle, which is inlined into target::Class::outer, a function of its own. Also returns
 * the lines of the call in each of them.
 */
void *target_return_address(unsigned out_lines[3]);

/*
 * Returns the return address that a function sees if target::jumps, which target::calls_jumps
 * called, has jumped to it, as compilers do from -O2 on; and the line of the jump.
 */
void *target_after_jump(unsigned *out_line);

#ifdef __cplusplus
}
#endif

#endif
