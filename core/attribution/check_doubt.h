/*
 * check_doubt.h - whether a check of culprit's own, which only reads memory, may have failed
 * instead of the program's work. Private to this folder.
 */
#ifndef CULPRIT_ATTRIBUTION_CHECK_DOUBT_H
#define CULPRIT_ATTRIBUTION_CHECK_DOUBT_H

#include "view/bundle_view.h"

/* True if reading memory can raise the code (CUresult). */
bool check_doubt_raises(int32_t code);

/* True if it can, and checks ran in this process, after launches or in graphs. */
bool check_doubt_applies(const struct bundle_view *view, int32_t code);

#endif
