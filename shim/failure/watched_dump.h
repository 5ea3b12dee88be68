/*
 * watched_dump.h - the GPU core dump of this process's failure while the process still runs: what
 * it says, and the code that calls would return if dumps were off. The attributing thread's alone.
 */
#ifndef CULPRIT_FAILURE_WATCHED_DUMP_H
#define CULPRIT_FAILURE_WATCHED_DUMP_H

#include <stdint.h>

#include "base/cuda_api.h"
#include "verdict/coredump/gpu_fault.h"

struct context;

/* The longest that the functions below wait, all together. */
#define WATCHED_DUMP_WAIT_NS UINT64_C(2000000000)

/*
 * What the dump tells, once it is complete; NULL if dumps are not watched, or none comes, or it
 * cannot be read, or tells of no fault. `result` is what a call has returned: after an error the
 * file is waited for only briefly. Stays valid until watched_dump_close().
 */
const struct gpu_fault *watched_dump_open(CUresult result);
void watched_dump_close(void);

/*
 * The sticky code of a fault: what the driver says, for which this waits if `result` is a success,
 * else what the dump says. The dump goes first where the driver says something else than without
 * dumps. `about` as for failed_contexts_code().
 */
CUresult watched_dump_code(const struct gpu_fault *told, struct context *about, CUresult result);

/*
 * The sticky code that the driver says by itself, waited for until the time since
 * watched_dump_open() is up; CUDA_SUCCESS: it says none.
 */
CUresult watched_dump_await_driver(struct context *about);

#endif
