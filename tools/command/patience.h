/*
 * patience.h - one line on standard error about work that takes long. It is printed only on a
 * terminal, and is removed before any other message.
 */
#ifndef CULPRIT_TOOLS_PATIENCE_H
#define CULPRIT_TOOLS_PATIENCE_H

enum { PATIENCE_MS = 1000 };

/*
 * Call it repeatedly with the present work: "reading", "FILE". The line appears and changes from a
 * second after the first call on. Call both functions from the main thread only.
 */
void patience_print(const char *what, const char *name);

/* Removes the line, if it is shown. */
void patience_hide(void);

#endif
