/*
 * capture.c - streams do not capture yet: no stream is ever capturing, so nothing is refused.
 */
#include "capture.h"
#include "work.h"
CUresult capture_check_unsafe_call(void)
{
	return CUDA_SUCCESS;
}
CUresult capture_check_uncapturable(CUstream s)
{
	(void)s;
	return CUDA_SUCCESS;
}
CUresult capture_check_legacy(CUstream s)
{
	(void)s;
	return CUDA_SUCCESS;
}
CUresult capture_add(CUstream s, struct work *w, CUgraphNode *n)
{
	(void)s;
	(void)n;
	work_release(w);
	return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult capture_record_event(CUstream s, CUevent e)
{
	(void)s;
	(void)e;
	return CUDA_ERROR_NOT_SUPPORTED;
}
bool capture_handles_wait(CUstream s, CUevent e, CUresult *r)
{
	(void)s;
	(void)e;
	(void)r;
	return false;
}
CUresult capture_check_event(CUevent e)
{
	(void)e;
	return CUDA_SUCCESS;
}
