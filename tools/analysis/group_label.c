/*
 * group_label.c - the key is the fingerprint and the verdict. Keys are found by a hash, since a
 * folder may have reports of many thousand mistakes.
 */
#include "analysis/group_label.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fingerprint.h"
#include "base/hash.h"
#include "base/text.h"
#include "report/report_labels.h"

enum { MIN_SLOTS = 64 };

struct group_of_key {
	char key[GROUP_KEY_SIZE];
};

void group_label_make(const struct analysis *analysis, struct group_label *out)
{
	const struct report_process *process = &analysis->process.report;
	struct text name = text_in(out->name, sizeof(out->name));
	struct fingerprint fingerprint;
	fingerprint_of(analysis, &fingerprint);
	out->key[0] = '\0';
	out->failed_ns =
		process_wall_ns(analysis->bundle->meta, analysis->verdict->failure.time_ns);
	if (fingerprint.id[0])
		(void)snprintf(out->key, sizeof(out->key), "%s %s", fingerprint.id,
			       report_verdict_label(analysis->verdict->class));
	text_addf(&name, "pid %ld", process->pid);
	if (process->rank)
		text_addf(&name, ", rank %s", process->rank);
	text_add(&name, ": ");
	text_add_foreign(&name, analysis->bundle->path, strlen(analysis->bundle->path));
}

/* Return the slot of the key, or the empty one where it belongs. */
static size_t *find_slot(const struct group_index *index, const char *key)
{
	size_t at = (size_t)(hash_string(key) % index->n_slots);
	while (index->slots[at] && strcmp(index->rows[index->slots[at] - 1].key, key) != 0)
		at = (at + 1) % index->n_slots;
	return &index->slots[at];
}

/* Make room for one more group. Return false if out of memory. */
static bool make_room(struct group_index *index)
{
	size_t n_slots = index->n_slots ? index->n_slots * 2 : MIN_SLOTS;
	if (index->n * 2 < index->n_slots)
		return true;
	struct group_of_key *rows = reallocarray(index->rows, n_slots, sizeof(*rows));
	size_t *slots = calloc(n_slots, sizeof(*slots));
	if (rows)
		index->rows = rows;
	if (!rows || !slots) {
		free(slots);
		return false;
	}
	free(index->slots);
	index->slots = slots;
	index->n_slots = n_slots;
	for (size_t number = 0; number < index->n; number++)
		if (*index->rows[number].key)
			*find_slot(index, index->rows[number].key) = number + 1;
	return true;
}

size_t group_index_find(struct group_index *index, const char *key, bool *out_is_new)
{
	if (!make_room(index))
		return SIZE_MAX;
	size_t *slot = *key ? find_slot(index, key) : NULL;
	*out_is_new = !slot || !*slot;
	if (!*out_is_new)
		return *slot - 1;
	(void)snprintf(index->rows[index->n].key, GROUP_KEY_SIZE, "%s", key);
	if (slot)
		*slot = index->n + 1;
	return index->n++;
}

void group_index_free(struct group_index *index)
{
	free(index->rows);
	free(index->slots);
	memset(index, 0, sizeof(*index));
}
