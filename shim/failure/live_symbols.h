/*
 * live_symbols.h - names of code that this process can find itself: dynamic symbols only. The
 * tools, which have time and libraries, find more from the bundle.
 */
#ifndef CULPRIT_FAILURE_LIVE_SYMBOLS_H
#define CULPRIT_FAILURE_LIVE_SYMBOLS_H

#include "report/report_model.h"

/* The source for report_text(). Any thread, one at a time. */
extern const struct symbol_source live_symbols;

#endif
