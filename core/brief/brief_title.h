/*
 * brief_title.h - what happened, in one sentence.
 */
#ifndef CULPRIT_BRIEF_TITLE_H
#define CULPRIT_BRIEF_TITLE_H

#include "brief/brief_cause.h"
#include "report/page.h"

/*
 * Add the title, "error[700]: illegal memory access: gather read freed memory", and the lines that
 * are on its line: the verdict's word, and the error's name with the process.
 */
void brief_add_title(const struct page *full, const struct brief_cause *cause, struct page *out);

#endif
