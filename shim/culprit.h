/*
 * culprit.h - functions that libculprit.so offers to programs beyond the driver API. A program that
 * should also run without culprit declares the function weak, or finds it with
 * dlsym(RTLD_DEFAULT, ...).
 */
#ifndef CULPRIT_H
#define CULPRIT_H

#include <cuda.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Gets the error status of the GPU as of EVENT, without blocking. To check a launch, record an
 * event before and after it, and ask later which of the two first had an error. flags must be 0.
 *
 * Returns CUDA_SUCCESS and sets *result to
 *   CUDA_SUCCESS          the work before the event has finished, none of it failed
 *   CUDA_ERROR_NOT_READY  it has not finished yet
 *   another code          the sticky error that had happened when the event was reached
 * or returns an error and leaves *result alone.
 */
CUresult cuEventCheckError(CUresult *result, CUevent event, unsigned int flags);

/*
 * Starts a range of the process, like NVTX's process ranges. Until it ends, launches of any thread
 * are reported as made within MESSAGE of DOMAIN. Test runners and servers use it to find the test
 * or request that made a failing launch. Keeps the first 60 bytes of the message. Returns an id for
 * culpritRangeEnd(), or 0 if nothing is recorded.
 */
uint64_t culpritRangeStart(const char *domain, const char *message);

/* Ends a range. Any thread may call it. An id that is not open, or 0, is ignored. */
void culpritRangeEnd(uint64_t range);

/*
 * Returns the sticky error of this process, or CUDA_SUCCESS if none was seen. After an error,
 * *headline is the first line of the verdict and *directory is the path of the bundle with the
 * rest. Each is "" without an error, and both stay valid. Makes no driver call and never waits for
 * the GPU. If a verdict is being made, waits for it, a second at most. Any thread.
 */
CUresult culpritFailure(const char **headline, const char **directory);

#ifdef __cplusplus
}
#endif

#endif
