/*
 * stub_store.c - static memory that grows by a row at a time.
 */
#include "scenarios/stub_store.h"

#include "base/journal_format.h"
#include "record/files/store.h"

_Alignas(64) unsigned char stub_store[STUB_STORE_SIZE];
static size_t row_size;
static bool has_row[STUB_STORE_SIZE]; /* may be touched */

void stub_store_rows(size_t size, size_t n)
{
	row_size = size;
	for (size_t i = 0; i < n; i++)
		has_row[i] = true;
}

bool stub_store_has(size_t row)
{
	return has_row[row];
}

int store_open(struct store *store, const char *path, size_t capacity, size_t piece)
{
	(void)path;
	(void)piece;
	*store = (struct store){.base = stub_store, .capacity = capacity};
	store->backed = sizeof(struct file_header);
	for (size_t i = 0; has_row[i]; i++)
		store->backed += row_size;
	return capacity > sizeof(stub_store);
}

bool store_back(struct store *store, size_t wanted)
{
	if (wanted > store->capacity)
		return false;
	for (; store->backed < wanted; store->backed += row_size)
		has_row[(store->backed - sizeof(struct file_header)) / row_size] = true;
	return true;
}

void store_close(struct store *store)
{
	*store = (struct store){0};
}
