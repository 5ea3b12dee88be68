/*
 * stub_store.h - a store in static memory, in the place of shim/record/files/store.c. It is opened
 * with room for one row, and grows by one row at a time.
 */
#ifndef CULPRIT_MODEL_STUB_STORE_H
#define CULPRIT_MODEL_STUB_STORE_H

#include <stdbool.h>
#include <stddef.h>

enum { STUB_STORE_SIZE = 1024 };
extern unsigned char stub_store[STUB_STORE_SIZE];

/* The size of a row, and how many of them the store has when it is opened. Before store_open(). */
void stub_store_rows(size_t size, size_t n);

/* True if a row, counted from 0, may be touched. A thread that asks must know that it was added. */
bool stub_store_has(size_t row);

#endif
