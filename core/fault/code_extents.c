/*
 * code_extents.c - check columns of addresses, and place program counters in them.
 */
#include "fault/code_extents.h"

#include <string.h>

/*
 * A column places a program counter if it has a start so far below it. It is named only if the
 * start is nearer. Seen on an H100: words that are no addresses of code are much farther away.
 */
static const uint64_t FAR = 64 << 20;
static const uint64_t MAX_CODE = 1 << 20;

/* Each function is compared with so many that follow it, and at most so many are read. */
enum { N_NEIGHBOURS = 64, MAX_ROWS = 1 << 18, MAX_COLUMNS = 16 };

struct column {
	const struct bundle_view *view;
	struct code_sizes sizes;
	uint16_t offset;
	bool may_be_ends; /* read as ends of code, no two overlap */
};

static struct code_size size_of(struct code_sizes sizes, uint32_t function)
{
	static const struct code_size unknown;
	uint32_t place = row_id_place(function);
	return sizes.of && place < sizes.n ? sizes.of[place] : unknown;
}

/* True if the function's instruction at this offset is known, and has its bit. */
static bool is_set_at(const uint8_t *bits, const struct code_size *size, uint64_t offset)
{
	uint64_t bit = offset / CODE_STEP;
	return bits && bit < size->n_accesses && bits[bit / 8] >> bit % 8 & 1;
}

/* True if the instruction at this offset may access memory, or that does not matter. */
static bool may_access(struct code_sizes sizes, const struct code_size *size, uint64_t offset)
{
	return !sizes.are_accesses || !size->accesses || offset / CODE_STEP >= size->n_accesses ||
	       is_set_at(size->accesses, size, offset);
}

/* Return the next row of the column from `*id` on, and set *id to the row after it; NULL: none. */
static const struct code_address_row *next_row(const struct column *column, uint32_t *id)
{
	const struct code_address_row *row = NULL;
	while (*id <= MAX_ROWS && (row = view_code_address(column->view, *id))) {
		(*id)++;
		if (row->offset == column->offset && view_function(column->view, row->function))
			return row;
	}
	return NULL;
}

/*
 * True if both are the same kernel. Functions without a name may be different ones. In a live
 * process their rows may have another use by now.
 */
static bool are_same(const struct bundle_view *view, uint32_t a, uint32_t b)
{
	const struct function_row *one = view_function(view, a);
	const struct function_row *other = view_function(view, b);
	return a == b || (one && other && one->name != 0 && one->name == other->name);
}

/* True if both can be starts of code, or with `are_ends` ends of it. */
static bool are_apart(const struct column *column, const struct code_address_row *a,
		      const struct code_address_row *b, bool are_ends)
{
	const struct code_address_row *low = a->address < b->address ? a : b;
	const struct code_address_row *high = low == a ? b : a;
	const struct code_address_row *between = are_ends ? high : low;
	if (a->address == b->address)
		return are_same(column->view, a->function, b->function);
	return high->address - low->address >= size_of(column->sizes, between->function).least;
}

/* Compare each function with those after it in the table. False: these are no starts of code. */
static bool check_column(struct column *column)
{
	const struct code_address_row *row = NULL;
	column->may_be_ends = true;
	for (uint32_t id = 1; (row = next_row(column, &id));) {
		uint32_t other_id = id;
		for (int i = 0; i < N_NEIGHBOURS; i++) {
			const struct code_address_row *other = next_row(column, &other_id);
			if (!other)
				break;
			if (!are_apart(column, row, other, false))
				return false;
			column->may_be_ends =
				column->may_be_ends && are_apart(column, row, other, true);
		}
	}
	return true;
}

/* Findings of a pass over a column about one program counter. */
struct sought {
	struct code_location nearest;
	const struct code_address_row *row; /* of `nearest` */
	uint32_t n_sized; /* functions of known size at other addresses than `nearest` */
	bool overlaps;    /* another function's code overlaps that of `nearest` */
	bool has_end;     /* with addresses as ends, another function contains it */
};

static void look_at(const struct column *column, const struct code_address_row *row,
		    struct sought *sought)
{
	struct code_size size = size_of(column->sizes, row->function);
	uint64_t pc = sought->nearest.pc;
	if (row->address > pc && row->address - pc <= size.most &&
	    (size.least != size.most ||
	     may_access(column->sizes, &size, size.most - (row->address - pc))))
		sought->has_end = true;
	if (row->address > pc || row->address < sought->nearest.start)
		return;
	sought->nearest.start = row->address;
	sought->nearest.function = row->function;
	sought->row = row;
	sought->nearest.is_inside = row->flags & CODE_CONFIRMED && pc - row->address < size.least &&
				    may_access(column->sizes, &size, pc - row->address);
}

static struct code_location place_in(const struct column *column, uint64_t pc)
{
	const struct code_address_row *row = NULL;
	struct sought sought = {.nearest = {.pc = pc}};
	for (uint32_t id = 1; (row = next_row(column, &id));)
		look_at(column, row, &sought);
	if (!sought.row || pc - sought.nearest.start >= FAR)
		return (struct code_location){.pc = pc};
	for (uint32_t id = 1; (row = next_row(column, &id));) {
		sought.n_sized += row->address != sought.nearest.start &&
				  size_of(column->sizes, row->function).least > 0;
		sought.overlaps = sought.overlaps || !are_apart(column, row, sought.row, false);
	}
	sought.nearest.is_inside = sought.nearest.is_inside && sought.n_sized > 0 &&
				   !sought.overlaps && !(column->may_be_ends && sought.has_end);
	const struct code_size size = size_of(column->sizes, sought.nearest.function);
	sought.nearest.is_awaited = sought.nearest.is_inside &&
				    is_set_at(size.awaited, &size, pc - sought.nearest.start);
	return sought.nearest;
}

/* Place all in this column. Returns false if it places none. */
static bool use_column(const struct column *column, const uint64_t *pcs, struct code_extents *out)
{
	bool is_any = false;
	out->offset = column->offset;
	out->are_inside = true;
	for (uint32_t i = 0; i < out->n; i++) {
		out->locations[i] = place_in(column, pcs[i]);
		out->are_inside = out->are_inside && out->locations[i].is_inside;
		is_any = is_any || out->locations[i].function;
	}
	return is_any;
}

static bool is_new(const uint16_t *offsets, uint32_t n, uint16_t offset)
{
	for (uint32_t i = 0; i < n; i++) {
		if (offsets[i] == offset)
			return false;
	}
	return true;
}

static uint32_t find_offsets(const struct bundle_view *view, uint16_t offsets[MAX_COLUMNS])
{
	const struct code_address_row *row = NULL;
	uint32_t n = 0;
	for (uint32_t id = 1;
	     n < MAX_COLUMNS && id <= MAX_ROWS && (row = view_code_address(view, id)); id++) {
		if (is_new(offsets, n, row->offset))
			offsets[n++] = row->offset;
	}
	return n;
}

/* True if both name the same kernel, or one of them names none. */
static bool agree(const struct bundle_view *view, const struct code_location *a,
		  const struct code_location *b)
{
	return !a->function || !b->function ||
	       (a->start == b->start && are_same(view, a->function, b->function));
}

/*
 * Add a column's places to those of all columns. Prefer one that has the code around all over one
 * that only has starts below.
 */
static void add_column(const struct bundle_view *view, const struct code_extents *found,
		       struct code_location *placed, struct code_extents *out)
{
	bool is_first = out->offset == 0 && out->locations[0].pc == 0;
	bool is_contradictory = out->are_contradictory;
	for (uint32_t i = 0; i < found->n; i++) {
		is_contradictory =
			is_contradictory || !agree(view, &found->locations[i], &placed[i]);
		if (found->locations[i].function)
			placed[i] = found->locations[i];
	}
	if (is_first || (found->are_inside && !out->are_inside))
		*out = *found;
	out->are_contradictory = is_contradictory;
}

/* Name no function whose code starts too far below to be believed. */
static void drop_far(struct code_extents *out)
{
	for (uint32_t i = 0; i < out->n; i++) {
		struct code_location *place = &out->locations[i];
		if (out->are_contradictory ||
		    (!place->is_inside && place->pc - place->start >= MAX_CODE))
			*place = (struct code_location){.pc = place->pc};
	}
}

void code_extents_locate(const struct bundle_view *view, struct code_sizes sizes,
			 const uint64_t *pcs, uint32_t n_pcs, struct code_extents *out)
{
	uint16_t offsets[MAX_COLUMNS];
	uint32_t n_offsets = find_offsets(view, offsets);
	struct code_location placed[EXTENTS_PCS_MAX] = {{.pc = 0}};
	*out = (struct code_extents){.n = n_pcs < EXTENTS_PCS_MAX ? n_pcs : EXTENTS_PCS_MAX};
	for (uint32_t i = 0; i < n_offsets; i++) {
		struct column column = {.view = view, .sizes = sizes, .offset = offsets[i]};
		struct code_extents found = {.n = out->n};
		if (check_column(&column) && use_column(&column, pcs, &found))
			add_column(view, &found, placed, out);
	}
	out->are_inside =
		out->are_inside && !out->are_contradictory && n_pcs == out->n && n_pcs > 0;
	drop_far(out);
}

/*
 * Return the start of the function's code; 0: not known, or its handle was not valid when the
 * address was read.
 */
static uint64_t start_of(const struct bundle_view *view, const struct code_extents *extents,
			 uint32_t function)
{
	const struct column column = {.view = view, .offset = extents->offset};
	const struct code_address_row *row = NULL;
	for (uint32_t id = 1; (row = next_row(&column, &id));) {
		if (row->function == function)
			return row->flags & CODE_CONFIRMED ? row->address : 0;
	}
	return 0;
}

bool code_extents_exclude(const struct bundle_view *view, struct code_sizes sizes,
			  const struct code_extents *extents, uint32_t function)
{
	struct code_size size = size_of(sizes, function);
	uint64_t start = start_of(view, extents, function);
	if (extents->n == 0 || size.most == 0 || start == 0)
		return false;
	for (uint32_t i = 0; i < extents->n; i++) {
		uint64_t pc = extents->locations[i].pc;
		if (pc >= start && pc - start < size.most)
			return false;
	}
	return true;
}

uint32_t code_extents_named(const struct bundle_view *view, const struct code_extents *extents,
			    uint32_t function)
{
	uint64_t start = start_of(view, extents, function);
	uint32_t named = 0;
	for (uint32_t i = 0; start && i < extents->n; i++) {
		if (extents->locations[i].start == start)
			named |= 1U << i;
	}
	return named;
}

bool code_extents_place_alone(const struct bundle_view *view, struct code_sizes sizes, uint64_t pc,
			      uint32_t function, struct code_location *out)
{
	const struct code_address_row *row = NULL;
	struct code_size size = size_of(sizes, function);
	*out = (struct code_location){.pc = pc};
	for (uint32_t id = 1; id <= MAX_ROWS && (row = view_code_address(view, id)); id++) {
		bool is_start = sizes.are_accesses && row->address % CODE_ALIGNMENT == 0 &&
				pc - row->address < size.least &&
				is_set_at(size.accesses, &size, pc - row->address);
		if (row->function != function || !(row->flags & CODE_CONFIRMED) ||
		    (is_start && out->function && out->start != row->address))
			return false;
		if (is_start) {
			out->start = row->address;
			out->function = function;
		}
	}
	return out->function != 0;
}
