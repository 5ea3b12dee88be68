/*
 * tracer.h - the debugger that runs this process.
 */
#ifndef CULPRIT_RECORD_TRACER_H
#define CULPRIT_RECORD_TRACER_H

#include <stdbool.h>

/*
 * True if cuda-gdb traces this process. False also if that cannot be read, as with a debugger in
 * another PID namespace. Reads two files of /proc. Any thread; errno is kept.
 */
bool tracer_is_cuda_gdb(void);

#endif
