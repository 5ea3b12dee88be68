/*
 * sequence.c - the word that counts submissions.
 */
#include "record/journal/sequence.h"

uint64_t sequence_word; /* atomic */
