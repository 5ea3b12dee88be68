/*
 * symbol_process.h - asks a process of its own for what files say that a bundle names: whatever
 * opening or reading one does, a pipe that nobody writes to, a server that never answers, a file
 * that breaks libdw, it is that process's trouble, and the time that it may take is bounded.
 */
#ifndef CULPRIT_TOOLS_SYMBOL_PROCESS_H
#define CULPRIT_TOOLS_SYMBOL_PROCESS_H

#include "symbols/symbol_question.h"

enum { SYMBOL_WAITS = 3 };

struct symbol_process;

/*
 * NULL: out of memory. One answer is waited for `wait_seconds` at most, all together SYMBOL_WAITS
 * times that. Nothing is started before the first question.
 */
struct symbol_process *symbol_process_open(unsigned wait_seconds);
void symbol_process_close(struct symbol_process *process);

/*
 * 0 with an answer from malloc; -ETIMEDOUT: it did not come in time; -EPIPE: the process died of
 * the question; or -errno. After a failure the next question starts another process.
 */
int symbol_process_ask(struct symbol_process *process, const struct symbol_question *question,
		       const char *path, struct symbol_answer **out);

/* Has all the time been used up? Then no question is asked any more. */
bool symbol_process_is_exhausted(const struct symbol_process *process);

#endif
