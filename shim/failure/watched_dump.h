/*
 * watched_dump.h - the GPU core dump of this process's failure while the process still runs: its
 * contents, and the code that calls would return without dumps. The attributing thread only.
 */
#ifndef CULPRIT_FAILURE_WATCHED_DUMP_H
#define CULPRIT_FAILURE_WATCHED_DUMP_H

#include <stdint.h>

#include "base/cuda_api.h"
#include "coredump/gpu_fault.h"

struct context;

/* The functions below wait for at most this long in total. */
#define WATCHED_DUMP_WAIT_NS UINT64_C(2000000000)

/*
 * Return the dump's fault once the dump is complete. NULL: dumps are not watched, none comes, or it
 * cannot be read or has no fault. `result` is what a call returned: after an error, the wait for
 * the file is brief. Valid until watched_dump_close().
 */
const struct gpu_fault *watched_dump_open(CUresult result);
void watched_dump_close(void);

/*
 * Return the sticky code of a fault: the driver's, or the dump's if the driver reports none. Waits
 * for the driver if `result` is a success. The dump's code comes first where the driver reports
 * another code than without dumps. `about` as for failed_contexts_code().
 */
CUresult watched_dump_code(const struct gpu_fault *told, struct context *about, CUresult result);

/*
 * Return the sticky code that the driver reports by itself, within the total time since
 * watched_dump_open(); CUDA_SUCCESS: it reports none.
 */
CUresult watched_dump_await_driver(struct context *about);

#endif
