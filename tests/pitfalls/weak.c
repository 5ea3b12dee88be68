/*
 * weak.c - a program that works without a driver: it declares cuInit weak and is not linked with
 * libcuda. If culprit is preloaded, its cuInit is called and must answer for the driver.
 */
#include <stdio.h>

#include "base/cuda_api.h"

#pragma weak cuInit

int main(void)
{
	if (cuInit)
		printf("cuInit: %d\n", (int)cuInit(0));
	else
		printf("cuInit: none\n");
	return 0;
}
