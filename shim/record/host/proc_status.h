/*
 * proc_status.h - what /proc says of this thread: numbers of its status, and the debugger that runs
 * it. The process's own files are empty once its first thread has exited.
 */
#ifndef CULPRIT_RECORD_PROC_STATUS_H
#define CULPRIT_RECORD_PROC_STATUS_H

#include <stdbool.h>

/*
 * Return the number behind a label of the thread's status, such as "FDSize:"; 0 if it is 0, or
 * unknown. Only labels before "Groups:", whose line may be long. Any thread; changes errno.
 */
long proc_status_number(const char *label);

/*
 * True if cuda-gdb traces this process. False also if that cannot be read, as with a debugger in
 * another PID namespace. Reads two files of /proc. Any thread; errno is kept.
 */
bool proc_is_under_cuda_gdb(void);

#endif
