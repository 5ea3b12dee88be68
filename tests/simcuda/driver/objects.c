/*
 * objects.c - functions about contexts that all rooms need.
 */
#include "objects.h"

#include "settings.h"
#include "sim.h"

CUcontext context_owner(CUcontext context)
{
	return context->primary ? context->primary : context;
}

CUcontext context_current(void)
{
	size_t depth = sim_thread.n_contexts;
	return depth ? sim_thread.contexts[depth - 1] : NULL;
}

bool context_is_device(CUdevice device)
{
	return device >= 0 && device < settings.n_devices;
}
