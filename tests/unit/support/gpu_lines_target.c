/*
 * gpu_lines_target.c - compiled once for each version of DWARF, under the names TARGET and
 * TARGET_LINE.
 */
#include "support/gpu_lines_target.h"

const int TARGET_LINE = __LINE__ + 2;

int TARGET(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i * n;
	return sum;
}
