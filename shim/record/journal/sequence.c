/*
 * sequence.c - the word that counts submissions.
 */
#include "record/journal/sequence.h"

#include "base/hot.h"

WRITTEN_OFTEN uint64_t sequence_word; /* atomic */
