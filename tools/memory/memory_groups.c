/*
 * memory_groups.c - name the group of each allocation, and sum up by name.
 */
#include "memory/memory_groups.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory_labels.h"
#include "report/report_runtime_frames.h"
#include "report/report_stack.h"
#include "timeline/thread_index.h"

enum { NAME_SIZE = 1024, MAX_FRAMES = 4, MAX_NODES = 256 };

/* Append the innermost module that is neither a CUDA runtime library nor an interpreter. */
static void add_library(const struct analysis *analysis, uint32_t stack, struct text *out)
{
	const struct bundle_view *view = analysis->report.view;
	uint32_t nodes[MAX_NODES];
	size_t n = view_stack_frames(view, stack, nodes, MAX_NODES);
	for (size_t i = 0; i < n; i++) {
		const struct stack_row *row = view_stack(view, nodes[i]);
		const struct module_row *module = row ? view_module(view, row->module) : NULL;
		size_t length = 0;
		const char *path = module ? view_string(view, module->path, &length) : "";
		if (!module || report_is_runtime_frame(path, NULL) || report_is_interpreter(path))
			continue;
		text_add_foreign(out, path, length);
		return;
	}
	text_add(out, "unknown");
}

static void add_name(const struct analysis *analysis, const struct thread_index *threads,
		     const struct range_row *row, enum memory_by by, struct text *out)
{
	switch (by) {
	case MEMORY_BY_STACK:
		report_stack(&analysis->report, row->stack, MAX_FRAMES, out);
		break;
	case MEMORY_BY_LIBRARY:
		add_library(analysis, row->stack, out);
		break;
	case MEMORY_BY_THREAD:
		thread_index_label(threads, row->tid, out);
		break;
	case MEMORY_BY_KIND:
		text_add(out, memory_kind_label(row->kind));
		break;
	}
}

/* Return a number that is the same for rows of one group. Names are made only once per number. */
static uint64_t key_of(const struct range_row *row, enum memory_by by)
{
	switch (by) {
	case MEMORY_BY_THREAD:
		return row->tid;
	case MEMORY_BY_KIND:
		return row->kind;
	default:
		return row->stack;
	}
}

struct piece {
	uint64_t key;
	const struct range_row *row;
};

static int compare_keys(const void *one, const void *other)
{
	const struct piece *a = one;
	const struct piece *b = other;
	return (a->key > b->key) - (a->key < b->key);
}

static int compare_names(const void *one, const void *other)
{
	const struct memory_group *a = one;
	const struct memory_group *b = other;
	return strcmp(a->name, b->name);
}

static int compare_sizes(const void *one, const void *other)
{
	const struct memory_group *a = one;
	const struct memory_group *b = other;
	uint64_t left = (int64_t)a->bytes < 0 ? -a->bytes : a->bytes;
	uint64_t right = (int64_t)b->bytes < 0 ? -b->bytes : b->bytes;
	return left != right ? (left < right ? 1 : -1) : strcmp(a->name, b->name);
}

static size_t collect(const struct memory *memory, enum memory_by by, struct memory_groups *out,
		      struct piece *pieces)
{
	size_t n = 0;
	for (size_t i = 0; i < memory->n; i++) {
		enum memory_place place = memory_place_of(&memory->rows[i]);
		if (place == MEMORY_NO_ROOM)
			continue;
		out->bytes[place] += memory->rows[i].size;
		out->n_pieces[place]++;
		pieces[n++] = (struct piece){key_of(&memory->rows[i], by), &memory->rows[i]};
	}
	qsort(pieces, n, sizeof(*pieces), compare_keys);
	return n;
}

/* Make one group for each key. `pieces` is sorted by key. */
static int name_groups(const struct analysis *analysis, const struct thread_index *threads,
		       const struct piece *pieces, size_t n, enum memory_by by,
		       struct memory_groups *out)
{
	char name[NAME_SIZE];
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || pieces[i].key != pieces[i - 1].key) {
			struct text text = text_in(name, sizeof(name));
			add_name(analysis, threads, pieces[i].row, by, &text);
			out->rows[out->n].name = strdup(name);
			if (!out->rows[out->n].name)
				return -ENOMEM;
			out->rows[out->n++].stack = pieces[i].row->stack;
		}
		out->rows[out->n - 1].bytes += pieces[i].row->size;
		out->rows[out->n - 1].n++;
	}
	return 0;
}

/* Merge the groups that have the same name. */
static void merge(struct memory_groups *groups)
{
	size_t n = 0;
	qsort(groups->rows, groups->n, sizeof(groups->rows[0]), compare_names);
	for (size_t i = 0; i < groups->n; i++) {
		if (n > 0 && !strcmp(groups->rows[n - 1].name, groups->rows[i].name)) {
			groups->rows[n - 1].bytes += groups->rows[i].bytes;
			groups->rows[n - 1].n += groups->rows[i].n;
			free(groups->rows[i].name);
		} else {
			groups->rows[n++] = groups->rows[i];
		}
	}
	groups->n = n;
}

int memory_groups_make(const struct analysis *analysis, const struct memory *memory,
		       enum memory_by by, struct memory_groups *out)
{
	struct piece *pieces = calloc(memory->n + 1, sizeof(*pieces));
	struct thread_index threads;
	int result = thread_index_make(analysis->report.view, &threads);
	*out = (struct memory_groups){.rows = calloc(memory->n + 1, sizeof(out->rows[0]))};
	if (!pieces || !out->rows)
		result = -ENOMEM;
	if (!result)
		result = name_groups(analysis, &threads, pieces, collect(memory, by, out, pieces),
				     by, out);
	thread_index_free(&threads);
	free(pieces);
	if (result) {
		memory_groups_free(out);
		return result;
	}
	merge(out);
	qsort(out->rows, out->n, sizeof(out->rows[0]), compare_sizes);
	return 0;
}

void memory_groups_free(struct memory_groups *groups)
{
	for (size_t i = 0; groups->rows && i < groups->n; i++)
		free(groups->rows[i].name);
	free(groups->rows);
}

static void drop_equal(struct memory_groups *groups)
{
	size_t n = 0;
	for (size_t i = 0; i < groups->n; i++) {
		if (groups->rows[i].bytes || groups->rows[i].n)
			groups->rows[n++] = groups->rows[i];
		else
			free(groups->rows[i].name);
	}
	groups->n = n;
}

int memory_groups_subtract(struct memory_groups *groups, const struct memory_groups *before)
{
	size_t n = groups->n + before->n;
	struct memory_group *rows = reallocarray(groups->rows, n + 1, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	groups->rows = rows;
	for (size_t i = 0; i < before->n; i++) {
		struct memory_group row = before->rows[i];
		row.name = strdup(row.name);
		if (!row.name)
			return -ENOMEM;
		row.bytes = -row.bytes;
		row.n = -row.n;
		rows[groups->n++] = row;
	}
	merge(groups);
	drop_equal(groups);
	qsort(groups->rows, groups->n, sizeof(rows[0]), compare_sizes);
	return 0;
}
