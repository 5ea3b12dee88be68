/*
 * memory_producers.c - walks each ring backwards from its newest record, as long as it may have
 * newer producers than those already found.
 */
#include "memory/memory_producers.h"

#include <string.h>

/* Most launches of a ring whose parameters are read: some milliseconds in a failing process. */
enum { MAX_LAUNCHES = 16 * 1024, MAX_PARAMETERS = 32 };

struct search {
	const struct bundle_view *view;
	uint64_t sequence; /* of the suspect */
	const struct memory_piece *pieces;
	uint32_t n_pieces;
	struct memory_producers *found;
};

static bool is_touched(const struct memory_piece *piece, uint64_t address, uint64_t bytes)
{
	return address >= piece->start ? address - piece->start < piece->size
				       : piece->start - address < bytes;
}

/* Find the piece that the access touches; false if none. */
static bool find_piece(const struct search *search, uint64_t address, uint64_t bytes,
		       uint32_t *out_piece)
{
	for (uint32_t i = 0; i < search->n_pieces; i++) {
		if (!is_touched(&search->pieces[i], address, bytes))
			continue;
		*out_piece = i;
		return true;
	}
	return false;
}

static bool touches_by_parameter(const struct search *search, uint32_t slot,
				 const struct journal_record *record, uint32_t *out_piece)
{
	const struct function_row *function = view_function(search->view, record->launch.function);
	unsigned char bytes[2 * RECORD_PAYLOAD];
	size_t n_bytes = view_arguments(search->view, slot, record, bytes, sizeof(bytes));
	for (uint32_t i = 0; function && function->n_parameters != UINT32_MAX &&
			     i < function->n_parameters && i < MAX_PARAMETERS;
	     i++) {
		const struct parameter_row *row =
			view_parameter(search->view, function->first_parameter + i);
		uint64_t value = 0;
		if (!row || row->size != sizeof(value) || row->offset > n_bytes ||
		    row->size > n_bytes - row->offset)
			continue;
		memcpy(&value, bytes + row->offset, sizeof(value));
		if (find_piece(search, value, 1, out_piece))
			return true;
	}
	return false;
}

static bool touches(const struct search *search, uint32_t slot, const struct journal_record *record,
		    uint32_t *out_piece)
{
	switch (record->work) {
	case WORK_KERNEL:
		return touches_by_parameter(search, slot, record, out_piece);
	case WORK_COPY:
	case WORK_MEMSET:
		return record->memory.bytes > 0 && find_piece(search, record->memory.destination,
							      record->memory.bytes, out_piece);
	default:
		return false;
	}
}

/* True if both are from the same code location, of which the newest is enough. */
static bool is_same_place(const struct journal_record *a, const struct journal_record *b)
{
	return a->work == b->work && a->stack == b->stack && a->call == b->call &&
	       (a->work != WORK_KERNEL || a->launch.function == b->launch.function);
}

static void drop(struct memory_producers *found, uint32_t at)
{
	found->n--;
	for (; at < found->n; at++)
		found->rows[at] = found->rows[at + 1];
}

static void keep(struct memory_producers *found, const struct journal_record *record,
		 uint32_t piece)
{
	for (uint32_t i = 0; i < found->n; i++) {
		if (!is_same_place(&found->rows[i].record, record))
			continue;
		if (found->rows[i].record.sequence > record->sequence)
			return;
		drop(found, i);
		break;
	}
	uint32_t at = found->n < MEMORY_MAX_PRODUCERS ? found->n++ : found->n - 1;
	for (; at > 0 && found->rows[at - 1].record.sequence < record->sequence; at--)
		found->rows[at] = found->rows[at - 1];
	found->rows[at] = (struct memory_producer){.record = *record, .piece = piece};
}

/* True if a record with this number may be among the newest. */
static bool is_of_interest(const struct memory_producers *found, uint64_t sequence)
{
	return found->n < MEMORY_MAX_PRODUCERS ||
	       sequence > found->rows[found->n - 1].record.sequence;
}

static void search_ring(const struct search *search, uint32_t slot)
{
	uint64_t n_written = view_written(search->view, slot);
	uint64_t oldest = view_oldest(search->view, slot);
	uint32_t n_launches = 0;
	uint32_t piece = 0;
	struct journal_record record;
	for (uint64_t i = n_written; i > 0 && n_launches < MAX_LAUNCHES; i--) {
		if (!view_record(search->view, slot, (oldest + i - 1) % n_written, &record) ||
		    record.kind != RECORD_SUBMISSION || record.result != 0 ||
		    record.sequence >= search->sequence)
			continue;
		if (!is_of_interest(search->found, record.sequence))
			return;
		n_launches++;
		if (touches(search, slot, &record, &piece))
			keep(search->found, &record, piece);
	}
}

void memory_find_producers(const struct bundle_view *view, uint64_t sequence,
			   const struct memory_piece *pieces, uint32_t n,
			   struct memory_producers *out)
{
	const struct search search = {view, sequence, pieces, n, out};
	*out = (struct memory_producers){.n = 0};
	for (uint32_t slot = 0; n > 0 && slot < view->n_rings; slot++)
		search_ring(&search, slot);
}
