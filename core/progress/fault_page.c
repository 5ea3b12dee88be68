/*
 * fault_page.c - compare pages with operands of copies and with pointers among arguments.
 */
#include "progress/progress_parts.h"

#include <string.h>

enum { MAX_ARGUMENT_BYTES = 1024, N_AREAS = 3 };

/* An area past the end of an allocation is compared with it up to so far away. */
static const uint64_t NEAR = (uint64_t)1 << 30;

struct area {
	uint64_t start, end;
};

/* The page itself, the memory that was there, and the live memory that ends before it. */
struct areas {
	struct area of[N_AREAS];
};

static bool meets(struct area area, uint64_t start, uint64_t bytes)
{
	return start < area.end && bytes > 0 && (start >= area.start || area.start - start < bytes);
}

static struct area page_of(const struct fault_row *row)
{
	uint64_t size = fault_page_size(row);
	uint64_t start = row->address & -size;
	return (struct area){start, start + size};
}

/* True if the operands of this copy, memset or memory operation touch the page. */
static bool touches(const struct record_memory *memory, uint8_t work, const struct fault_row *row)
{
	struct area page = page_of(row);
	return meets(page, memory->destination, memory->bytes) ||
	       (work == WORK_COPY && meets(page, memory->source, memory->bytes));
}

/* How one copy, memset or memory operation fits the pages. */
struct page_fit {
	bool is_at_page;   /* it touches a page that was reported */
	bool is_elsewhere; /* its memory and all pages are known, and it touches none */
};

static struct page_fit fit_of(const struct bundle_view *view, const struct journal_record *record)
{
	const struct fault_row *row = NULL;
	bool is_known = record->memory.bytes > 0;
	struct page_fit fit = {.is_at_page = false};
	for (uint32_t id = 1; (row = view_fault(view, id)); id++) {
		if (row->kind != FAULT_EVENT && row->kind != FAULT_MMU)
			continue;
		if (!(row->flags & FAULT_ADDRESS_PAGE))
			is_known = false;
		else if (touches(&record->memory, record->work, row))
			fit.is_at_page = true;
	}
	fit.is_elsewhere = is_known && !fit.is_at_page;
	return fit;
}

/* Find the areas around the first page. */
static struct areas find_areas(const struct bundle_view *view, const struct fault_row *fault)
{
	uint64_t n_ranges = view->tables[JOURNAL_RANGES].n_rows;
	struct areas areas = {.of = {page_of(fault)}};
	uint64_t page = areas.of[0].start;
	uint64_t newest = 0;
	struct range_row row;
	for (uint64_t id = 1; id <= n_ranges && id <= UINT32_MAX; id++) {
		if (!view_range_copy(view, (uint32_t)id, &row) || !range_has_address(row.kind))
			continue;
		struct area area = {row.start, row.start + row.size};
		if (meets(area, page, fault_page_size(fault)) && row.number > newest) {
			areas.of[1] = area;
			newest = row.number;
		} else if (row.state == RANGE_LIVE && area.end <= page && page - area.end < NEAR &&
			   area.end > areas.of[2].end) {
			areas.of[2] = area;
		}
	}
	return areas;
}

static bool has_pointer(const struct areas *areas, const unsigned char *bytes, size_t size)
{
	for (size_t at = 0; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t)) {
		uint64_t word = 0;
		memcpy(&word, bytes + at, sizeof(word));
		for (int i = 0; i < N_AREAS; i++) {
			/* Small numbers are no pointers to the first page. */
			if (meets(areas->of[i], word, 1) && (areas->of[i].start || word == 0))
				return true;
		}
	}
	return false;
}

static void mark_one(const struct bundle_view *view, const struct areas *areas, bool clears,
		     struct open_work *open)
{
	unsigned char bytes[MAX_ARGUMENT_BYTES];
	struct journal_record record;
	if (!view_record(view, open->slot, open->position, &record) ||
	    record.sequence != open->sequence || record.kind != RECORD_SUBMISSION)
		return;
	switch (record.work) {
	case WORK_KERNEL: {
		size_t size = view_arguments(view, open->slot, &record, bytes, sizeof(bytes));
		open->is_at_fault =
			has_pointer(areas, bytes, size < sizeof(bytes) ? size : sizeof(bytes));
		break;
	}
	case WORK_COPY:
	case WORK_MEMSET:
	case WORK_MEMOP: {
		struct page_fit fit = fit_of(view, &record);
		open->is_elsewhere = clears && fit.is_elsewhere;
		open->is_at_fault = fit.is_at_page;
		break;
	}
	default:
		break;
	}
}

void fault_page_mark(struct progress *progress, const struct fault_story *story)
{
	if (story->kind != FAULT_STORY_MEMORY || !story->memory ||
	    !(story->memory->flags & FAULT_ADDRESS_PAGE))
		return;
	bool clears = story->are_events_whole && story->are_pages_confirmed &&
		      !(progress->moment.flags & FAILURE_SHARED);
	const struct areas areas = find_areas(progress->view, story->memory);
	for (uint32_t i = 0; i < progress->n_open; i++)
		mark_one(progress->view, &areas, clears, &progress->open[i]);
	for (uint32_t i = 0; i < progress->n_unordered; i++)
		mark_one(progress->view, &areas, clears, &progress->unordered[i].open);
}
