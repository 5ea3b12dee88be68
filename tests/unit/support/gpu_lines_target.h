/*
 * gpu_lines_target.h - functions compiled with each version of DWARF, for test_gpu_lines.c.
 */
#ifndef CULPRIT_TESTS_GPU_LINES_TARGET_H
#define CULPRIT_TESTS_GPU_LINES_TARGET_H

#define LINES_TARGET(version)            \
	int lines_target_##version(int); \
	extern const int lines_target_##version##_line; /* where the function begins */
LINES_TARGET(2)
LINES_TARGET(3)
LINES_TARGET(4)
LINES_TARGET(5)
#undef LINES_TARGET

#endif
