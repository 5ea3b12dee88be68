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
 * While on, the helper keeps its files open between one symbol process and the next, and its
 * answers about modules are remembered. While off, as at the start, the helper ends with each
 * symbol process, so that the next one looks at the files anew.
 */
void symbol_process_share(bool is_shared);

/*
 * Returns 0 with an answer from malloc(), -ETIMEDOUT if it did not come in time, -EPIPE if the
 * helper crashed, or -errno. After a failure the next question starts another helper. A shared
 * helper is not asked again about a module that it could not answer for.
 */
int symbol_process_ask(struct symbol_process *process, const struct symbol_question *question,
		       const char *path, struct symbol_answer **out);

/* True if all the time has been used up. No more questions are asked then. */
bool symbol_process_is_exhausted(const struct symbol_process *process);

#endif
