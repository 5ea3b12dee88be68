/*
 * coredumps.c - asks for the driver's core dump settings. Changes none.
 */
#include "coredumps.h"

#include "driver.h"

bool coredumps_are_on(void)
{
	bool is_on = false;
	size_t size = sizeof(is_on);
	CUcoredumpSettings setting = CU_COREDUMP_ENABLE_ON_EXCEPTION;
	if (real.cuCoredumpGetAttributeGlobal(setting, &is_on, &size) == CUDA_SUCCESS && is_on)
		return true;
	is_on = false;
	size = sizeof(is_on);
	return real.cuCoredumpGetAttribute(setting, &is_on, &size) == CUDA_SUCCESS && is_on;
}
