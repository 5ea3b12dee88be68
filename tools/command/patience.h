/*
 * patience.h - what is being done, in one line on standard error, when it takes long: only where
 * that is a terminal, and taken away again before anything else is said.
 */
#ifndef CULPRIT_TOOLS_PATIENCE_H
#define CULPRIT_TOOLS_PATIENCE_H

enum { PATIENCE_MS = 1000 };

/*
 * To be called again and again: "reading", "FILE". The line comes, and changes, from a second after
 * the first call on. Main thread only, as the other.
 */
void patience_tell(const char *what, const char *name);

/* Takes the line away, if it is there. */
void patience_hide(void);

#endif
