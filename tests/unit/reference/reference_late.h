/*
 * reference_late.h - rule 15g of attribution.h, for the reference: finished work that may have
 * raised the exception.
 */
#ifndef CULPRIT_TESTS_REFERENCE_LATE_H
#define CULPRIT_TESTS_REFERENCE_LATE_H

#include "reference/order.h"

/* True if it is such work. Call it when all that has finished is known. One thread. */
bool late_is_one(const struct story *story, const struct journal_record *work);

#endif
