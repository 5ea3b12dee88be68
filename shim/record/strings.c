/*
 * strings.c - a hash table of string ids over the strings file.
 */
#include "strings.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "bundle.h"

enum { N_SLOTS = 64 * 1024, MAX_USED = N_SLOTS / 4 * 3, MAX_LENGTH = 16 * 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all below; outside tables' */
static struct {
	uint32_t hash;
	uint32_t id; /* 0: free */
} slots[N_SLOTS];
static uint32_t n_used;
/* Here and not on the stack: the calling thread is the host's, and its stack may be small. */
static char rows[sizeof(uint32_t) + MAX_LENGTH + 1 + STRING_UNIT];

/* FNV-1a. */
static uint32_t hash_bytes(const char *bytes, size_t length)
{
	uint32_t hash = 2166136261u;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
	return hash;
}

static bool is_string(uint32_t id, const char *bytes, uint32_t length)
{
	const char *row = table_row(bundle_table(JOURNAL_STRINGS), id);
	uint32_t known;
	memcpy(&known, row, sizeof(known));
	return known == length && memcmp(row + sizeof(known), bytes, length) == 0;
}

static uint32_t append_string(const char *bytes, uint32_t length)
{
	size_t size = sizeof(length) + length + 1;
	size_t n_units = (size + STRING_UNIT - 1) / STRING_UNIT;
	memcpy(rows, &length, sizeof(length));
	memcpy(rows + sizeof(length), bytes, length);
	memset(rows + sizeof(length) + length, 0, n_units * STRING_UNIT - size + 1);
	return table_append(bundle_table(JOURNAL_STRINGS), rows, (uint32_t)n_units);
}

static uint32_t intern_locked(const char *bytes, uint32_t length)
{
	uint32_t hash = hash_bytes(bytes, length);
	uint32_t slot = hash % N_SLOTS;
	while (slots[slot].id &&
	       (slots[slot].hash != hash || !is_string(slots[slot].id, bytes, length)))
		slot = (slot + 1) % N_SLOTS;
	if (slots[slot].id || n_used >= MAX_USED)
		return slots[slot].id;
	uint32_t id = append_string(bytes, length);
	slots[slot].hash = hash;
	slots[slot].id = id;
	n_used += id != 0;
	return id;
}

uint32_t strings_intern(const char *bytes, size_t length)
{
	if (!bundle_table(JOURNAL_STRINGS)->header)
		return 0;
	pthread_mutex_lock(&lock);
	uint32_t id = intern_locked(bytes, (uint32_t)(length < MAX_LENGTH ? length : MAX_LENGTH));
	pthread_mutex_unlock(&lock);
	return id;
}

uint32_t strings_intern_z(const char *string)
{
	return string ? strings_intern(string, strlen(string)) : 0;
}
