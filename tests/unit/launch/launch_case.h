/*
 * launch_case.h - one kernel, on the stream and in the thread of submit_stubs.h, and all that
 * launches ask of the recorder: each question and note is traced.
 */
#ifndef CULPRIT_TESTS_LAUNCH_CASE_H
#define CULPRIT_TESTS_LAUNCH_CASE_H

#include "call/describe.h"
#include "launch/submit_stubs.h"
#include "record/objects/function_store.h"

#define LAUNCH_KERNEL  ((CUfunction)0x77)
#define LAUNCH_STREAM  ((CUstream)0x55)
#define LAUNCH_CONTEXT ((CUcontext)0x44)

extern const struct function launch_function;
extern void *launch_parameters[1], *launch_extra[1]; /* any pointers */
extern int launch_errno;                             /* the thread's */
extern size_t launch_argument_size, launch_readable_size;
extern struct launch launch_other; /* the description of launches by other calls */
extern bool launch_is_recorded;    /* the thread has a state, or gets one */

/* Begin a case: the thread has seen the stream, and the kernel, which has no parameters. */
void launch_begin(unsigned flags);

/* Let the thread know the kernel, whose arguments have this size, or another stream. */
void launch_know_kernel(uint16_t n_parameters, uint16_t size, const struct function *of);
void launch_know_stream(uint64_t key);

#endif
