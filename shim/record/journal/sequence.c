/*
 * sequence.c - the word that counts submissions.
 */
#include "record/journal/sequence.h"

#include "base/hot.h"

WRITTEN_OFTEN uint64_t sequence_word; /* atomic */

/* This file is linked first: the hot functions begin a page. */
static HOT __attribute__((aligned(HOT_PAGE), used)) void begin_page(void)
{
}
