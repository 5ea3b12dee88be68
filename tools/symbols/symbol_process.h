/*
 * symbol_process.h - reads the files that a bundle names in a helper process. A pipe without a
 * writer may block it, a server may never answer, or a file may crash libdw: then only the helper
 * is lost, and the time for it is bounded.
 */
#ifndef CULPRIT_TOOLS_SYMBOL_PROCESS_H
#define CULPRIT_TOOLS_SYMBOL_PROCESS_H

#include "symbols/symbol_question.h"

enum { SYMBOL_WAITS = 3 };

struct symbol_process;

/*
 * Returns NULL if out of memory. Waits at most `wait_seconds` for one answer, and SYMBOL_WAITS
 * times that for all together. The helper starts with the first question.
 */
struct symbol_process *symbol_process_open(unsigned wait_seconds);
void symbol_process_close(struct symbol_process *process);

/*
 * Returns 0 with an answer from malloc(), -ETIMEDOUT if it did not come in time, -EPIPE if the
 * helper crashed, or -errno. After a failure the next question starts another helper.
 */
int symbol_process_ask(struct symbol_process *process, const struct symbol_question *question,
		       const char *path, struct symbol_answer **out);

/* True if all the time has been used up. No more questions are asked then. */
bool symbol_process_is_exhausted(const struct symbol_process *process);

#endif
