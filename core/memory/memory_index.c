/*
 * memory_index.c - a binary tree without pointers. The middle row of a part is its root, and each
 * root stores the farthest reach of all rows in its part.
 */
#include "memory/memory_index.h"

#include "view/row_sort.h"

struct memory_index_row {
	uint64_t start;
	uint32_t id;
	uint32_t group; /* for row_sort(): 0 */
};

/* Ends of a row: one past the last address that counts as close. */
struct memory_index_end {
	uint64_t reach;
	uint64_t farthest; /* greatest reach in the part whose root is this row */
};
static_assert(sizeof(struct memory_index_row) == sizeof(struct memory_index_end),
	      "they take turns in the same memory");

static uint64_t n_rows_of(const struct bundle_view *view)
{
	uint64_t n_rows = view->tables[JOURNAL_RANGES].n_rows;
	return n_rows < UINT32_MAX ? n_rows : UINT32_MAX - 1;
}

size_t memory_index_scratch(const struct bundle_view *view)
{
	return 2 * (n_rows_of(view) + 1) * sizeof(struct memory_index_row);
}

static uint64_t add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t reach_of(const struct bundle_view *view, uint32_t id)
{
	struct range_row row;
	if (!view_range_copy(view, id, &row))
		return 0;
	return add(add(row.start, row.size), MEMORY_CLOSE);
}

/* Rows [first, end) of a tree. At most two parts of each of its 32 levels are pending at once. */
struct part {
	uint32_t first, end;
	bool are_halves_done;
};
enum { MAX_PARTS = 3 * 32 };

static uint32_t middle_of(const struct part *part)
{
	return part->first + (part->end - part->first) / 2;
}

/* Push both halves, without the root between them. */
static uint32_t push_halves(const struct part *part, struct part *parts, uint32_t n)
{
	uint32_t middle = middle_of(part);
	if (part->first < middle)
		parts[n++] = (struct part){.first = part->first, .end = middle};
	if (middle + 1 < part->end)
		parts[n++] = (struct part){.first = middle + 1, .end = part->end};
	return n;
}

/* Set the root's farthest reach after both halves are done. */
static void note_root(struct memory_index_end *ends, const struct part *part)
{
	struct part halves[2];
	uint32_t n = push_halves(part, halves, 0);
	struct memory_index_end *root = &ends[middle_of(part)];
	root->farthest = root->reach;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t farthest = ends[middle_of(&halves[i])].farthest;
		if (farthest > root->farthest)
			root->farthest = farthest;
	}
}

static void note_farthest(struct memory_index_end *ends, uint32_t n_rows)
{
	struct part parts[MAX_PARTS] = {{.end = n_rows}};
	uint32_t n = n_rows > 0 ? 1 : 0;
	while (n > 0) {
		struct part *part = &parts[n - 1];
		if (part->are_halves_done) {
			note_root(ends, part);
			n--;
		} else {
			part->are_halves_done = true;
			n = push_halves(part, parts, n);
		}
	}
}

static uint32_t list_rows(const struct bundle_view *view, struct memory_index_row *out)
{
	uint64_t n_rows = n_rows_of(view);
	uint32_t n = 0;
	struct range_row row;
	for (uint32_t id = 1; id <= n_rows; id++) {
		if (view_range_copy(view, id, &row) &&
		    (range_has_address(row.kind) || row.kind == RANGE_RESERVED))
			out[n++] = (struct memory_index_row){.start = row.start, .id = id};
	}
	return n;
}

void memory_index_make(const struct bundle_view *view, void *scratch, struct memory_index *out)
{
	static const struct row_shape shape = {sizeof(struct memory_index_row),
					       offsetof(struct memory_index_row, group),
					       offsetof(struct memory_index_row, start)};
	struct memory_index_row *rows = scratch;
	struct memory_index_row *listed = rows + n_rows_of(view) + 1;
	struct memory_index_end *ends = (struct memory_index_end *)(void *)listed;
	*out = (struct memory_index){.n = list_rows(view, listed), .rows = rows, .ends = ends};
	uint32_t starts[2];
	row_sort(&shape, listed, out->n, rows, 1, starts);
	for (uint32_t i = 0; i < out->n; i++)
		ends[i].reach = reach_of(view, rows[i].id);
	note_farthest(ends, out->n);
}

void memory_index_visit(const struct memory_index *index, uint64_t address,
			void (*visit)(uint32_t id, void *argument), void *argument)
{
	struct part parts[MAX_PARTS] = {{.end = index->n}};
	uint32_t n = index->n > 0 ? 1 : 0;
	while (n > 0) {
		struct part part = parts[--n];
		uint32_t middle = middle_of(&part);
		const struct memory_index_row *row = &index->rows[middle];
		if (index->ends[middle].farthest <= address)
			continue;
		if (part.first < middle)
			parts[n++] = (struct part){.first = part.first, .end = middle};
		/* Skip a row that starts too far after the address, and all rows after it. */
		if (row->start >= add(address, MEMORY_CLOSE))
			continue;
		if (index->ends[middle].reach > address)
			visit(row->id, argument);
		if (middle + 1 < part.end)
			parts[n++] = (struct part){.first = middle + 1, .end = part.end};
	}
}
