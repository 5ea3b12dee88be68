/*
 * bundle_view.c - checked access to the rows of a bundle. Everything that a hostile or torn file
 * could say is checked here, at the use; nothing is cached but each file's bounds.
 */
#include "bundle_view.h"

#include <errno.h>
#include <string.h>

enum { RECORD_WORDS = sizeof(struct journal_record) / sizeof(uint64_t) };
static_assert(RECORD_WORDS * sizeof(uint64_t) == sizeof(struct journal_record),
	      "a record is whole words");

static const uint32_t known_row_sizes[N_JOURNAL_FILES] = {
	[JOURNAL_RING] = sizeof(struct journal_record),
	[JOURNAL_STRINGS] = sizeof(struct string_row),
	[JOURNAL_THREADS] = sizeof(struct thread_row),
	[JOURNAL_CONTEXTS] = sizeof(struct context_row),
	[JOURNAL_STREAMS] = sizeof(struct stream_row),
	[JOURNAL_FUNCTIONS] = sizeof(struct function_row),
	[JOURNAL_PARAMETERS] = sizeof(struct parameter_row),
	[JOURNAL_STACKS] = sizeof(struct stack_row),
	[JOURNAL_MODULES] = sizeof(struct module_row),
	[JOURNAL_RANGES] = sizeof(struct range_row),
	[JOURNAL_FAILURE] = sizeof(struct failure_row),
};

uint64_t view_live(const uint64_t *member)
{
	return __atomic_load_n(member, __ATOMIC_ACQUIRE);
}

/* Strings run across rows, so theirs cannot grow in a later version. */
static bool is_row_size_good(const struct file_header *header)
{
	uint32_t known = known_row_sizes[header->kind];

	if (header->kind == JOURNAL_STRINGS)
		return header->row_size == known;
	return header->row_size >= known && header->row_size % sizeof(uint64_t) == 0;
}

static int check_header(const struct file_header *header, size_t size)
{
	if ((uintptr_t)header % sizeof(uint64_t) != 0 || size < sizeof(*header) ||
	    header->magic != JOURNAL_MAGIC)
		return -EBADMSG;
	if (header->incompatible_flags & ~(uint32_t)JOURNAL_INCOMPATIBLE_KNOWN)
		return -EPROTONOSUPPORT;
	if (header->kind < JOURNAL_RING || header->kind >= N_JOURNAL_FILES ||
	    header->header_size < sizeof(*header) || header->header_size > size ||
	    header->header_size % sizeof(uint64_t) != 0 || !is_row_size_good(header))
		return -EBADMSG;
	if (header->kind == JOURNAL_RING && header->slot >= VIEW_MAX_RINGS)
		return -ENOSPC;
	return 0;
}

int bundle_view_add(struct bundle_view *view, const void *bytes, size_t size, bool *out_cut)
{
	const struct file_header *header = bytes;
	int error = check_header(header, size);
	bool is_ring;
	uint64_t stated;
	uint64_t present;

	if (error)
		return error;
	is_ring = header->kind == JOURNAL_RING;
	/* Acquire: matches the release store that publishes the rows below this count. */
	stated = view_live(is_ring ? &header->capacity : &header->n_rows);
	present = (size - header->header_size) / header->row_size;

	struct view_rows rows = {
		.first = (const unsigned char *)bytes + header->header_size,
		.row_size = header->row_size,
		.n_rows = stated < present ? stated : present,
		.capacity = stated,
		.lost = view_live(&header->lost),
	};

	if (is_ring) {
		view->rings[header->slot] = rows;
		if (header->slot >= view->n_rings)
			view->n_rings = header->slot + 1;
	} else {
		view->tables[header->kind] = rows;
	}
	if (out_cut)
		*out_cut = stated > present;
	return 0;
}

static const void *find_row(const struct bundle_view *view, enum journal_file file, uint32_t id)
{
	const struct view_rows *rows = &view->tables[file];

	if (id == 0 || id > rows->n_rows)
		return NULL;
	return rows->first + (id - (size_t)1) * rows->row_size;
}

const struct thread_row *view_thread(const struct bundle_view *view, uint32_t tid)
{
	uint64_t n_rows = view->tables[JOURNAL_THREADS].n_rows;

	/* A tid may come back after its thread ended: the newest row is at the end. */
	for (uint32_t id = n_rows < UINT32_MAX ? (uint32_t)n_rows : UINT32_MAX; id > 0; id--) {
		const struct thread_row *thread = find_row(view, JOURNAL_THREADS, id);

		if (thread->tid == tid)
			return thread;
	}
	return NULL;
}

const struct context_row *view_context(const struct bundle_view *view, uint32_t id)
{
	return find_row(view, JOURNAL_CONTEXTS, id);
}

const struct stream_row *view_stream(const struct bundle_view *view, uint32_t id)
{
	return find_row(view, JOURNAL_STREAMS, id);
}

const struct function_row *view_function(const struct bundle_view *view, uint32_t id)
{
	return find_row(view, JOURNAL_FUNCTIONS, id);
}

const struct parameter_row *view_parameter(const struct bundle_view *view, uint32_t id)
{
	return find_row(view, JOURNAL_PARAMETERS, id);
}

const struct stack_row *view_stack(const struct bundle_view *view, uint32_t id)
{
	return find_row(view, JOURNAL_STACKS, id);
}

const struct module_row *view_module(const struct bundle_view *view, uint32_t id)
{
	return find_row(view, JOURNAL_MODULES, id);
}

const struct range_row *view_range(const struct bundle_view *view, uint32_t id)
{
	return find_row(view, JOURNAL_RANGES, id);
}

const struct failure_row *view_failure(const struct bundle_view *view)
{
	return find_row(view, JOURNAL_FAILURE, 1);
}

const char *view_string(const struct bundle_view *view, uint32_t id, size_t *out_length)
{
	const struct view_rows *rows = &view->tables[JOURNAL_STRINGS];
	const unsigned char *row = find_row(view, JOURNAL_STRINGS, id);
	uint32_t length;

	if (out_length)
		*out_length = 0;
	if (!row)
		return "";
	memcpy(&length, row, sizeof(length));
	if (sizeof(length) + length + (uint64_t)1 > (rows->n_rows - (id - 1)) * STRING_UNIT ||
	    row[sizeof(length) + length] != '\0')
		return "";
	if (out_length)
		*out_length = length;
	return (const char *)row + sizeof(length);
}

/*
 * Words are loaded with acquire, so that none of them moves below the second look at the word that
 * guards them, and no tool sees a race with the owner's atomic stores.
 */
static void copy_words(uint64_t *out, const uint64_t *words, size_t n_words)
{
	for (size_t i = 0; i < n_words; i++)
		out[i] = __atomic_load_n(&words[i], __ATOMIC_ACQUIRE);
}

bool view_range_copy(const struct bundle_view *view, uint32_t id, struct range_row *out)
{
	const struct range_row *row = view_range(view, id);
	uint64_t words[sizeof(*out) / sizeof(uint64_t)];
	uint32_t state;

	static_assert(sizeof(words) == sizeof(*out), "a range is whole words");
	if (!row)
		return false;
	state = __atomic_load_n(&row->state, __ATOMIC_ACQUIRE);
	if (state != RANGE_LIVE && state != RANGE_FREED)
		return false;
	copy_words(words, (const uint64_t *)(const void *)row, sizeof(words) / sizeof(words[0]));
	memcpy(out, words, sizeof(*out));
	/* The number tells a reused row even if both uses were seen in the same state. */
	return __atomic_load_n(&row->state, __ATOMIC_RELAXED) == state && out->state == state &&
	       __atomic_load_n(&row->number, __ATOMIC_RELAXED) == out->number;
}

size_t view_stack_frames(const struct bundle_view *view, uint32_t stack_id, uint32_t *out_ids,
			 size_t max)
{
	const struct stack_row *row = view_stack(view, stack_id);
	uint32_t id = stack_id;
	size_t n_frames = 0;

	while (row && n_frames < max) {
		out_ids[n_frames++] = id;
		if (row->parent >= id)
			break;
		id = row->parent;
		row = view_stack(view, id);
	}
	return n_frames;
}

bool view_record(const struct bundle_view *view, uint32_t slot, uint64_t position,
		 struct journal_record *out)
{
	const struct view_rows *ring = slot < view->n_rings ? &view->rings[slot] : NULL;
	uint64_t words[RECORD_WORDS];
	const uint64_t *row;

	if (!ring || position >= ring->n_rows)
		return false;
	row = (const uint64_t *)(const void *)(ring->first + (size_t)position * ring->row_size);
	copy_words(words, row, RECORD_WORDS);
	if (words[0] == 0 || (words[0] - 1) % ring->capacity != position ||
	    __atomic_load_n(row, __ATOMIC_RELAXED) != words[0])
		return false;
	memcpy(out, words, sizeof(*out));
	return true;
}

static uint64_t load_commit(const struct view_rows *ring, uint64_t position)
{
	const void *row = ring->first + (size_t)position * ring->row_size;

	return view_live(row);
}

/* A row that is being written looks like one that never was; its neighbour tells. */
static bool is_written(const struct view_rows *ring, uint64_t position)
{
	return load_commit(ring, position) != 0 ||
	       (position + 1 < ring->n_rows && load_commit(ring, position + 1) != 0);
}

uint64_t view_written(const struct bundle_view *view, uint32_t slot)
{
	const struct view_rows *ring = slot < view->n_rings ? &view->rings[slot] : NULL;
	uint64_t low = 0;
	uint64_t high = ring ? ring->n_rows : 0;

	if (high >= 2 && is_written(ring, high - 2))
		return high;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (is_written(ring, middle))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t view_oldest(const struct bundle_view *view, uint32_t slot)
{
	uint64_t n_written = view_written(view, slot);
	const struct view_rows *ring = slot < view->n_rings ? &view->rings[slot] : NULL;
	uint64_t newest = 0;
	uint64_t after_newest = 0;

	if (!ring || n_written < ring->n_rows)
		return 0;
	for (uint64_t i = 0; i < ring->n_rows; i++) {
		uint64_t commit = load_commit(ring, i);

		if (commit > newest && (commit - 1) % ring->capacity == i) {
			newest = commit;
			after_newest = i + 1;
		}
	}
	/* A ring that has not wrapped has nothing old behind its newest record. */
	return newest > ring->capacity && after_newest < ring->n_rows ? after_newest : 0;
}

size_t view_arguments(const struct bundle_view *view, uint32_t slot,
		      const struct journal_record *record, void *out, size_t capacity)
{
	uint64_t number = record->commit - 1;
	uint64_t n_rows = record->launch.n_argument_rows;
	uint64_t n_places = slot < view->n_rings ? view->rings[slot].capacity : 0;
	size_t wanted = record->launch.argument_bytes;
	size_t n_copied = 0;

	if (record->commit == 0 || n_rows > number || n_rows >= n_places)
		return 0;
	if (wanted > capacity)
		wanted = capacity;
	for (uint64_t i = number - n_rows; i < number && n_copied < wanted; i++) {
		struct journal_record row;
		size_t n = wanted - n_copied < RECORD_PAYLOAD ? wanted - n_copied : RECORD_PAYLOAD;

		if (!view_record(view, slot, i % n_places, &row) || row.commit != i + 1 ||
		    row.kind != RECORD_ARGUMENTS)
			break;
		memcpy((unsigned char *)out + n_copied, row.argument_bytes, n);
		n_copied += n;
	}
	return n_copied;
}
