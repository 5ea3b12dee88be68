/*
 * process_start.h - when a process was started: with its number this names it for good, since
 * numbers are used again.
 */
#ifndef CULPRIT_BASE_PROCESS_START_H
#define CULPRIT_BASE_PROCESS_START_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The start of process `pid`, 0: this one, in clock ticks since boot, as outside of all time
 * namespaces: so processes of different ones agree. 0; -ENOENT: there is no such process, or it has
 * ended and is waited for; -ENOTSUP: what this process's time namespace adds is not known. Any
 * thread.
 */
int process_start_read(int pid, uint64_t *out_ticks);

/* True if both can be of one process: two time namespaces may round differently. */
bool process_start_is_same(uint64_t a, uint64_t b);

/*
 * Read the offset of CLOCK_BOOTTIME in a timens_offsets file of /proc, in clock ticks. 0, or
 * -EINVAL.
 */
int process_start_parse_offset(const char *text, int64_t ticks_per_second, int64_t *out_ticks);

#endif
