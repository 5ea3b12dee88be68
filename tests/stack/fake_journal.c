/*
 * fake_journal.c - the functions of bundle, table and modules that stack.c calls, answered from an
 * array.
 */
#include "fake_journal.h"

#include <stddef.h>
#include <string.h>

#include "record/files/meta.h"
#include "record/journal/bundle.h"
#include "record/journal/modules.h"
#include "record/python/python_stack.h"
#include "support/check.h"

enum { MAX_ROWS = 1 << 20 };

/* Written by table_append_chain(), which stack.c calls under its lock; ids go out of it. */
static struct stack_row rows[MAX_ROWS];
static uint32_t n_rows;
static struct module_row no_bias; /* of every module */
static struct stack_check_row check;
static uint64_t n_gone;                 /* atomic */
static uint32_t n_unseen;               /* atomic */
static bool is_change_on_unload = true; /* atomic */
static struct file_header header;       /* nothing is lost */
static struct table tables[N_JOURNAL_FILES];

struct table *bundle_table(enum journal_file kind)
{
	tables[kind].header = &header;
	return &tables[kind];
}

uint32_t table_append(struct table *table, const void *row, uint32_t n)
{
	CHECK(n == 1 && n_rows + 1 < MAX_ROWS);
	if (table == &tables[JOURNAL_STACK_CHECKS])
		return 1;
	memcpy(&rows[++n_rows], row, sizeof(rows[0]));
	return n_rows;
}

uint32_t table_append_chain(struct table *table, void *chain, uint32_t n, size_t parent_offset,
			    uint32_t parent, uint32_t *out_first)
{
	struct stack_row *row = chain;
	CHECK(table == &tables[JOURNAL_STACKS] && n_rows + n < MAX_ROWS);
	CHECK_EQUAL(parent_offset, offsetof(struct stack_row, parent));
	*out_first = n_rows + 1;
	for (uint32_t i = 0; i < n; i++, row++) {
		row->parent = parent;
		rows[parent = ++n_rows] = *row;
	}
	return n;
}

uint64_t table_half_turns(const struct table *table)
{
	CHECK(table == &tables[JOURNAL_STACKS]);
	return 0;
}

void *table_row(const struct table *table, uint32_t id)
{
	if (!id)
		return NULL;
	if (table == &tables[JOURNAL_STACK_CHECKS])
		return &check;
	return table == &tables[JOURNAL_MODULES] ? (void *)&no_bias : &rows[id];
}

void meta_note(enum meta_fact fact, const char *text)
{
	(void)fact;
	(void)text;
}

const struct stack_check_row *fake_journal_check(void)
{
	return &check;
}

void modules_find_all(struct module_location *locations, uint32_t n)
{
	uint32_t n_left = __atomic_load_n(&n_unseen, __ATOMIC_RELAXED);
	if (n_left) {
		__atomic_store_n(&n_unseen, n_left - 1, __ATOMIC_RELAXED);
		(void)__atomic_add_fetch(&n_gone, 1, __ATOMIC_RELEASE);
	}
	for (uint32_t i = 0; i < n; i++) {
		locations[i].bias = 0;
		locations[i].id = 1;
	}
}

void modules_unloaded(void)
{
	if (__atomic_load_n(&is_change_on_unload, __ATOMIC_RELAXED))
		(void)__atomic_add_fetch(&n_gone, 1, __ATOMIC_RELEASE);
}

void fake_journal_change_on_unload(bool is_wanted)
{
	__atomic_store_n(&is_change_on_unload, is_wanted, __ATOMIC_RELAXED);
}

uint64_t modules_gone(void)
{
	return __atomic_load_n(&n_gone, __ATOMIC_ACQUIRE);
}

void fake_journal_unload_unseen(uint32_t n_lookups)
{
	__atomic_store_n(&n_unseen, n_lookups, __ATOMIC_RELAXED);
}

uint32_t fake_journal_n_stacks(void)
{
	return n_rows;
}

const struct stack_row *fake_journal_stack(uint32_t id)
{
	return id ? &rows[id] : NULL;
}

uint32_t fake_journal_path(uint32_t id, uint64_t *out_addresses, uint32_t max, uint32_t *out_end)
{
	uint32_t n = 0;
	while (id && rows[id].module != STACK_END && n < max) {
		out_addresses[n++] = rows[id].offset;
		id = rows[id].parent;
	}
	CHECK(!id || rows[id].module == STACK_END);
	*out_end = id ? (uint32_t)rows[id].offset : 0;
	return n;
}

/* There is no interpreter here, and the test does not look for one. */
const struct python *python_found;

void python_discover(void)
{
}

uint32_t python_stack_take(const struct python *python, struct python_cache **cache,
			   uint32_t native, struct python_join *last)
{
	(void)python;
	(void)cache;
	(void)last;
	return native;
}
