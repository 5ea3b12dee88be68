/*
 * culprit.h - what libculprit.so offers to programs beyond the driver API. A program that is also
 * to run without culprit declares the function weak, or asks dlsym(RTLD_DEFAULT, ...) for it.
 */
#ifndef CULPRIT_H
#define CULPRIT_H

#include <cuda.h>
#include <stdint.h>

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

/*
 * Begins a range of the process, as NVTX's of that kind: launches of any thread until its end are
 * reported as made within MESSAGE of DOMAIN. For test runners and servers that charge a failure to
 * what launched it. Of the message 60 bytes are kept. Returns what ends it, 0 if nothing records.
 */
uint64_t culpritRangeStart(const char *domain, const char *message);

/* Ends it; any thread may. What is not open (0 too) is ignored. */
void culpritRangeEnd(uint64_t range);

/*
 * The sticky error of this process, CUDA_SUCCESS if none was seen. After one *headline is the first
 * line of the verdict and *directory the path of the bundle that has the rest, each "" if there
 * is none; both stay valid. Asks nobody and never waits for the GPU, only for a verdict under way,
 * a second at most. Any thread.
 */
CUresult culpritFailure(const char **headline, const char **directory);

#ifdef __cplusplus
}
#endif

#endif
