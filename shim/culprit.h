/*
 * culprit.h - what libculprit.so offers to programs beyond the driver API. A program that is also
 * to run without culprit declares the function weak, or asks dlsym(RTLD_DEFAULT, ...) for it.
 */
#ifndef CULPRIT_H
#define CULPRIT_H

#include <cuda.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The error status of the GPU as of EVENT, without blocking: brackets a launch between two recorded
 * events and asks later which of the two first knew of an error. flags must be 0.
 *
 * Returns CUDA_SUCCESS and sets *result to
 *   CUDA_SUCCESS          the work before the event has finished, none of it failed
 *   CUDA_ERROR_NOT_READY  it has not finished yet
 *   another code          the sticky error that had happened when the event was reached
 * or returns an error and leaves *result alone.
 */
CUresult cuEventCheckError(CUresult *result, CUevent event, unsigned int flags);

#ifdef __cplusplus
}
#endif

#endif
