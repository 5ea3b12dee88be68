/*
 * named_symbols.h - the stand-in for tools/symbols.
 */
#ifndef CULPRIT_TESTS_NAMED_SYMBOLS_H
#define CULPRIT_TESTS_NAMED_SYMBOLS_H

#include <stdbool.h>

/* From now on, some files are missing, were changed or take too long to read. */
void named_symbols_spoil(bool are_spoiled);

#endif
