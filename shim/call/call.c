/*
 * call.c - the pipeline while it is empty: every call passes through unseen.
 */
#include "call.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "lifecycle.h"

bool call_enter(struct call *call, enum driver_call id, const void *args, void *frame)
{
	*call = (struct call){.id = id, .args = args, .frame = frame};
	return true;
}

CUresult call_leave(struct call *call, CUresult result)
{
	(void)call;
	return result;
}

CUresult call_failed(enum driver_call id, CUresult result, void *frame)
{
	(void)id;
	(void)frame;
	return result;
}

void call_error_string(CUresult error, const char **text)
{
	(void)error;
	(void)text;
}

CUresult call_event_check_error(CUresult *out_result, CUevent event, unsigned int flags)
{
	(void)out_result;
	(void)event;
	(void)flags;
	return CUDA_ERROR_NOT_SUPPORTED;
}

bool lifecycle_disabled(void)
{
	const char *setting = getenv("CULPRIT_DISABLE");

	return getauxval(AT_SECURE) || (setting && !strcmp(setting, "1"));
}

void lifecycle_driver_ready(void)
{
}

void lifecycle_exit(void)
{
}

void lifecycle_fork_child(void)
{
}

void lifecycle_module_unloaded(void)
{
}
