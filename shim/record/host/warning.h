/*
 * warning.h - the shim's messages to the user about its own trouble.
 */
#ifndef CULPRIT_RECORD_WARNING_H
#define CULPRIT_RECORD_WARNING_H

#include <stddef.h>

/* Remembers which file stderr is. Start-up only. */
void warning_start(void);

/* Print nothing from now on (CULPRIT_QUIET). Start-up only. */
void warning_silence(void);

/* Print "culprit: ..." as one line on stderr; after a handful per process, nothing. Any thread. */
__attribute__((format(printf, 1, 2))) void warning_print(const char *format, ...);

/*
 * Write bytes to stderr as they are. Do nothing if silenced, or if the descriptor has become a data
 * file or a connection of the host's. Any thread.
 */
void warning_write(const char *bytes, size_t size);

/* Do the same, but first finish a line that the host may have left unfinished. Any thread. */
void warning_write_lines(const char *bytes, size_t size);

#endif
