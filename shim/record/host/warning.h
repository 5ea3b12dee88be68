/*
 * warning.h - the shim's few words to the user about its own trouble.
 */
#ifndef CULPRIT_RECORD_WARNING_H
#define CULPRIT_RECORD_WARNING_H

#include <stdbool.h>
#include <stddef.h>

/* Remembers which file stderr is. Start-up only. */
void warning_start(void);

/* Nothing is printed from now on (CULPRIT_QUIET). Start-up only. */
void warning_silence(void);

/* "culprit: ..." as one line on stderr; a handful per process, then silence. Any thread. */
__attribute__((format(printf, 1, 2))) void warning_print(const char *format, ...);

/*
 * Writes bytes to stderr as they are, unless silenced, or the descriptor has become something else:
 * a data file or a connection of the host's. Any thread.
 */
void warning_write(const char *bytes, size_t size);

/* The same, after the end of a line that the host may have left unfinished. Any thread. */
void warning_write_lines(const char *bytes, size_t size);

#endif
