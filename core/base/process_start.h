/*
 * process_start.h - reads when a process was started. Process IDs are reused, but ID and start
 * together identify a process for good.
 */
#ifndef CULPRIT_BASE_PROCESS_START_H
#define CULPRIT_BASE_PROCESS_START_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Read the start of process `pid` (0: this one) in clock ticks since boot. The value is that
 * outside of all time namespaces, so processes of different ones agree. Returns 0; -ENOENT: there
 * is no such process, or it is a zombie; -ENOTSUP: the offset of this process's time namespace is
 * not known. Any thread.
 */
int process_start_read(int pid, uint64_t *out_ticks);

/* True if both may be of one process. They may differ, because time namespaces round differently.
 */
bool process_start_is_same(uint64_t a, uint64_t b);

/*
 * Parse the offset of CLOCK_BOOTTIME, in clock ticks, in a timens_offsets file of /proc. Returns 0
 * or -EINVAL.
 */
int process_start_parse_offset(const char *text, int64_t ticks_per_second, int64_t *out_ticks);

#endif
