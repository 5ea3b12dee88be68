/*
 * strings.c - a hash table of string ids over the strings file, with each text's holder count.
 */
#include "record/journal/strings.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "record/host/arena.h"
#include "record/journal/bundle.h"

enum { FIRST_SLOTS = 4 * 1024, MAX_LENGTH = 16 * 1024 };

/* The value of n_holders for a text that stays for good. */
#define FOR_GOOD UINT32_MAX

struct slot {
	uint32_t hash;
	uint32_t id; /* 0 if free */
	uint32_t n_holders;
	uint32_t room; /* enum string_room of the first holder */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all below; outside tables' */
static struct slot *slots;
static uint32_t n_slots;                 /* 0 or a power of two */
static uint32_t n_used;                  /* at most half of the slots while there is memory */
static uint64_t n_units[N_STRING_ROOMS]; /* rows in use */
/* Static rather than on the stack: the calling thread is the host's, with perhaps a small stack. */
static char rows[sizeof(uint32_t) + MAX_LENGTH + 1 + STRING_UNIT];

/* FNV-1a. */
static uint32_t hash_bytes(const char *bytes, size_t length)
{
	uint32_t hash = 2166136261u;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
	return hash;
}

static const char *text_of(uint32_t id, uint32_t *out_length)
{
	const char *row = table_row(bundle_table(JOURNAL_STRINGS), id);
	memcpy(out_length, row, sizeof(*out_length));
	return row + sizeof(*out_length);
}

static bool is_string(uint32_t id, const char *bytes, uint32_t length)
{
	uint32_t known = 0;
	const char *text = text_of(id, &known);
	return known == length && memcmp(text, bytes, length) == 0;
}

/* Return the slot of the text, or the free slot where it belongs. Under the lock. */
static struct slot *find_slot(uint32_t hash, const char *bytes, uint32_t length)
{
	uint32_t at = hash & (n_slots - 1);
	while (slots[at].id && (slots[at].hash != hash || !is_string(slots[at].id, bytes, length)))
		at = (at + 1) & (n_slots - 1);
	return &slots[at];
}

static void move_slots(struct slot *to, uint32_t n_to)
{
	for (uint32_t i = 0; i < n_slots; i++) {
		uint32_t at = slots[i].hash & (n_to - 1);
		while (slots[i].id && to[at].id)
			at = (at + 1) & (n_to - 1);
		if (slots[i].id)
			to[at] = slots[i];
	}
	slots = to;
	n_slots = n_to;
}

/* Make room for one more slot by doubling. The old array stays in the arena. Under the lock. */
static bool make_room(void)
{
	if (n_used < n_slots / 2)
		return true;
	uint32_t n = n_slots ? 2 * n_slots : FIRST_SLOTS;
	struct slot *larger = arena_alloc(n * sizeof(*larger));
	if (larger)
		move_slots(larger, n);
	return n_used + 1 < n_slots;
}

/* Free a slot, and close the gap for the slots after it. Under the lock. */
static void remove_slot(uint32_t hole)
{
	uint32_t mask = n_slots - 1;
	for (uint32_t at = (hole + 1) & mask; slots[at].id; at = (at + 1) & mask) {
		uint32_t distance = (at - slots[at].hash) & mask;
		if (distance < ((at - hole) & mask))
			continue;
		slots[hole] = slots[at];
		hole = at;
	}
	slots[hole] = (struct slot){0};
	n_used--;
}

static uint32_t n_rows_of(uint32_t length)
{
	size_t size = sizeof(length) + length + 1;
	return (uint32_t)((size + STRING_UNIT - 1) / STRING_UNIT);
}

static bool has_room(enum string_room room, uint32_t n_rows)
{
	struct table *table = bundle_table(JOURNAL_STRINGS);
	if (room == STRINGS_KERNELS ||
	    n_units[room] + table_block_rows(n_rows) <= table->header->capacity / 2)
		return true;
	table_count_lost(table);
	return false;
}

static uint32_t append_string(const char *bytes, uint32_t length, enum string_room room)
{
	uint32_t n_rows = n_rows_of(length);
	if (!has_room(room, n_rows))
		return 0;
	memcpy(rows, &length, sizeof(length));
	memcpy(rows + sizeof(length), bytes, length);
	memset(rows + sizeof(length) + length, 0,
	       (size_t)n_rows * STRING_UNIT - sizeof(length) - length);
	uint32_t id = table_append_block(bundle_table(JOURNAL_STRINGS), rows, n_rows);
	n_units[room] += id ? table_block_rows(n_rows) : 0;
	return id;
}

/* Return the text's slot, NULL if there is no room. Under the lock. */
static struct slot *intern_locked(const char *bytes, uint32_t length, enum string_room room)
{
	uint32_t hash = hash_bytes(bytes, length);
	if (!make_room())
		return NULL;
	struct slot *slot = find_slot(hash, bytes, length);
	if (slot->id)
		return slot;
	uint32_t id = append_string(bytes, length, room);
	if (!id)
		return NULL;
	*slot = (struct slot){.hash = hash, .id = id, .room = room};
	n_used++;
	return slot;
}

/* Add n_holders holders; with FOR_GOOD the text stays for good. */
static uint32_t intern(const char *bytes, size_t length, enum string_room room, uint32_t n_holders)
{
	if (!bundle_table(JOURNAL_STRINGS)->header)
		return 0;
	pthread_mutex_lock(&lock);
	struct slot *slot =
		intern_locked(bytes, (uint32_t)(length < MAX_LENGTH ? length : MAX_LENGTH), room);
	if (slot && slot->n_holders != FOR_GOOD)
		slot->n_holders = n_holders == FOR_GOOD ? FOR_GOOD : slot->n_holders + n_holders;
	uint32_t id = slot ? slot->id : 0;
	pthread_mutex_unlock(&lock);
	return id;
}

uint32_t strings_intern(const char *bytes, size_t length)
{
	return intern(bytes, length, STRINGS_OTHER, FOR_GOOD);
}

uint32_t strings_intern_z(const char *string)
{
	return string ? strings_intern(string, strlen(string)) : 0;
}

uint32_t strings_hold(const char *bytes, size_t length, enum string_room room)
{
	return intern(bytes, length, room, 1);
}

/*
 * Return the slot of a text that is held. Return NULL if the text has changed: its memory is in a
 * file, which other processes may have emptied. Under the lock.
 */
static struct slot *slot_of(uint32_t id)
{
	if (!table_holds(bundle_table(JOURNAL_STRINGS), id, 1))
		return NULL;
	uint32_t length = 0;
	const char *text = text_of(id, &length);
	if (length > MAX_LENGTH ||
	    !table_holds(bundle_table(JOURNAL_STRINGS), id, n_rows_of(length)))
		return NULL;
	struct slot *slot = find_slot(hash_bytes(text, length), text, length);
	return slot->id == id ? slot : NULL;
}

uint32_t strings_hold_again(uint32_t id)
{
	if (!id)
		return 0;
	pthread_mutex_lock(&lock);
	struct slot *slot = slot_of(id);
	if (slot && slot->n_holders != FOR_GOOD)
		slot->n_holders++;
	pthread_mutex_unlock(&lock);
	return id;
}

/* Free the text after its last holder. Under the lock. */
static void give_up(struct slot *slot)
{
	uint32_t length = 0;
	(void)text_of(slot->id, &length);
	uint32_t n_rows = n_rows_of(length);
	n_units[slot->room] -= table_block_rows(n_rows);
	table_free_block(bundle_table(JOURNAL_STRINGS), slot->id, n_rows);
	remove_slot((uint32_t)(slot - slots));
}

void strings_drop(uint32_t id)
{
	if (!id)
		return;
	pthread_mutex_lock(&lock);
	struct slot *slot = slot_of(id);
	if (slot && slot->n_holders != FOR_GOOD && --slot->n_holders == 0)
		give_up(slot);
	pthread_mutex_unlock(&lock);
}
