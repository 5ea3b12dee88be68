/*
 * bundle_view.c - checked access to the rows of a bundle. Everything that a hostile or torn file
 * may contain is checked here, at each use. Only each file's bounds are cached.
 */
#include "view/bundle_view.h"

#include <errno.h>
#include <string.h>

#include "view/bundle_words.h"

static const uint32_t known_row_sizes[N_JOURNAL_FILES] = {
#define JOURNAL_FILE(number, name, file, row, ...) [JOURNAL_##name] = sizeof(struct row),
#include "base/journal_files.def"
#undef JOURNAL_FILE
};

uint64_t view_live(const uint64_t *member)
{
	return __atomic_load_n(member, __ATOMIC_ACQUIRE);
}

uint64_t view_reuses(const void *bytes)
{
	const struct file_header *header = bytes;
	/* For rows that were read before the call. Pairs with the fence in table_note_reuse(). */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return view_live(&header->n_reused);
}

/* Some contents span several rows, so the size of such rows cannot grow in a later version. */
static bool is_row_size_good(const struct file_header *header)
{
	uint32_t known = known_row_sizes[header->kind];
	if (header->kind == JOURNAL_STRINGS || header->kind == JOURNAL_PYTHON_LINES ||
	    header->kind == JOURNAL_IMAGE_BYTES)
		return header->row_size == known;
	return header->row_size >= known && header->row_size % sizeof(uint64_t) == 0;
}

static int check_header(const struct file_header *header, size_t size)
{
	/* Acquire: the magic is stored last, so the rest of a live file's header is valid. */
	if ((uintptr_t)header % sizeof(uint64_t) != 0 || size < sizeof(*header) ||
	    view_live(&header->magic) != JOURNAL_MAGIC)
		return -EBADMSG;
	if (__atomic_load_n(&header->incompatible_flags, __ATOMIC_RELAXED) &
	    ~(uint32_t)JOURNAL_INCOMPATIBLE_KNOWN)
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
	if (error)
		return error;
	bool is_ring = header->kind == JOURNAL_RING;
	/* Acquire: matches the release store that publishes the rows below this count. */
	uint64_t stated = view_live(is_ring ? &header->capacity : &header->n_rows);
	uint64_t present = (size - header->header_size) / header->row_size;

	uint64_t newest = stated;
	bool is_turning = header->kind == JOURNAL_STACKS || header->kind == JOURNAL_PYTHON_FRAMES;
	if (is_turning && header->capacity > 0 && stated > header->capacity)
		stated = header->capacity;

	struct view_rows rows = {
		.first = (const unsigned char *)bytes + header->header_size,
		.row_size = header->row_size,
		.n_rows = stated < present ? stated : present,
		.capacity = stated,
		.lost = view_live(&header->lost),
		.newest = is_turning ? newest : 0,
		.n_reused = view_live(&header->n_reused),
		.owed = is_ring ? view_live(&header->owed) : 0,
	};

	if (is_ring && header->slot >= view->n_rings)
		view->n_rings = header->slot + 1;
	*(is_ring ? &view->rings[header->slot] : &view->tables[header->kind]) = rows;
	if (out_cut)
		*out_cut = stated > present;
	return 0;
}

/*
 * Return the newest id of a turning table whose row may be in reuse; 0 before its first turn. The
 * first row is in reuse before a row is published that shows the turn.
 */
static uint64_t newest_gone(const struct view_rows *rows)
{
	if (rows->newest > rows->capacity)
		return rows->newest - rows->capacity + 1;
	return rows->newest > 0 && rows->n_reused > 0 ? 1 : 0;
}

static const void *row_at(const struct view_rows *rows, uint64_t index)
{
	return index < rows->n_rows ? rows->first + index * rows->row_size : NULL;
}

static const void *find_row(const struct bundle_view *view, enum journal_file file, uint32_t id)
{
	const struct view_rows *rows = &view->tables[file];
	uint64_t gone = newest_gone(rows);
	if (id == 0)
		return NULL;
	if (gone == 0)
		return row_at(rows, id - 1);
	return id > gone && id <= rows->newest ? row_at(rows, (id - 1) % rows->capacity) : NULL;
}

/* Return the word that holds a counted row's use, above `*out_shift` other bits; else NULL. */
static const uint16_t *use_word(enum journal_file file, const void *row, uint32_t *out_shift)
{
	*out_shift = 0;
	switch (file) {
	case JOURNAL_FUNCTIONS:
		return &((const struct function_row *)row)->use;
	case JOURNAL_MODULES:
		return &((const struct module_row *)row)->use;
	case JOURNAL_CHANNELS:
		return &((const struct channel_row *)row)->use;
	case JOURNAL_KERNEL_STATES:
		return &((const struct kernel_state_row *)row)->use;
	case JOURNAL_PYTHON_CODES:
		*out_shift = PYTHON_CODE_USE_SHIFT;
		return (const uint16_t *)row + PYTHON_CODE_USE_OFFSET / sizeof(uint16_t);
	default:
		return NULL;
	}
}

/* Return false if the table is not counted. */
static bool find_use_of(enum journal_file file, const void *row, uint32_t *out)
{
	uint32_t shift = 0;
	const uint16_t *word = use_word(file, row, &shift);
	if (word)
		*out = (uint32_t)__atomic_load_n(word, __ATOMIC_ACQUIRE) >> shift;
	return word != NULL;
}

/* Return the row if it still has the id's use. Pairs with the release store in row_uses.c. */
static const void *find_use(const struct bundle_view *view, enum journal_file file, uint32_t id)
{
	const void *row = find_row(view, file, row_id_place(id));
	uint32_t use = 0;
	return row && find_use_of(file, row, &use) && use == row_id_use(id) ? row : NULL;
}

uint32_t view_id_at(const struct bundle_view *view, enum journal_file file, uint32_t place)
{
	const struct view_rows *rows = &view->tables[file];
	const void *row = place > 0 ? row_at(rows, place - 1) : NULL;
	uint32_t use = 0;
	if (!row || newest_gone(rows) > UINT32_MAX)
		return 0;
	if (find_use_of(file, row, &use))
		return place > ROW_ID_MAX || use > ROW_USE_MAX ? 0 : row_id_of(place, use);
	if (newest_gone(rows) == 0)
		return place;
	/* The newest id that maps to this row. */
	uint64_t id = rows->newest - (rows->newest - place) % rows->capacity;
	return id > newest_gone(rows) && id <= UINT32_MAX ? (uint32_t)id : 0;
}

const struct thread_row *view_thread(const struct bundle_view *view, uint32_t tid)
{
	const struct view_rows *rows = &view->tables[JOURNAL_THREADS];
	const struct thread_row *newest = NULL;
	/* A tid may be reused after its thread exits, and so may a row. */
	for (uint64_t i = 0; i < rows->n_rows; i++) {
		const struct thread_row *thread = row_at(rows, i);
		if (thread->tid == tid && (!newest || thread->start_ns >= newest->start_ns))
			newest = thread;
	}
	return newest;
}

/* The rows that are found by their id alone, in a table that is counted (find_use) or not. */
#define ROW(type, function, find, table)                                         \
	const struct type *function(const struct bundle_view *view, uint32_t id) \
	{                                                                        \
		return find(view, JOURNAL_##table, id);                          \
	}
ROW(context_row, view_context, find_row, CONTEXTS)
ROW(stream_row, view_stream, find_row, STREAMS)
ROW(function_row, view_function, find_use, FUNCTIONS)
ROW(parameter_row, view_parameter, find_row, PARAMETERS)
ROW(stack_row, view_stack, find_row, STACKS)
ROW(python_frame_row, view_python_frame, find_row, PYTHON_FRAMES)
ROW(python_code_row, view_python_code, find_use, PYTHON_CODES)
ROW(module_row, view_module, find_use, MODULES)
ROW(range_row, view_range, find_row, RANGES)
ROW(whole_arguments_row, view_whole_arguments_row, find_row, WHOLE_ARGUMENTS)
ROW(image_row, view_image, find_row, IMAGES)
ROW(channel_row, view_channel, find_use, CHANNELS)
ROW(kernel_state_row, view_kernel_state, find_use, KERNEL_STATES)
ROW(wait_row, view_wait, find_row, WAITS)
ROW(host_mapping_row, view_host_mapping, find_row, HOST_MAPPINGS)
ROW(fault_row, view_fault, find_row, FAULTS)
ROW(code_address_row, view_code_address, find_row, CODE_ADDRESSES)
ROW(check_row, view_check, find_row, CHECKS)
ROW(graph_check_row, view_graph_check, find_row, GRAPH_CHECKS)
ROW(rejection_row, view_rejection, find_row, REJECTIONS)
#undef ROW

const void *view_image_bytes(const struct bundle_view *view, const struct image_row *image)
{
	const struct view_rows *rows = &view->tables[JOURNAL_IMAGE_BYTES];
	const void *first = find_row(view, JOURNAL_IMAGE_BYTES, image->bytes);
	return first && image->size <= (rows->n_rows - image->bytes + 1) * IMAGE_UNIT ? first
										      : NULL;
}

const struct snapshot_row *view_snapshot(const struct bundle_view *view)
{
	return find_row(view, JOURNAL_SNAPSHOTS, 1);
}

const struct reading_row *view_reading(const struct bundle_view *view, uint32_t number)
{
	return number > 0 ? find_row(view, JOURNAL_SNAPSHOTS, number + 1) : NULL;
}

const struct stack_check_row *view_stack_check(const struct bundle_view *view)
{
	return find_row(view, JOURNAL_STACK_CHECKS, 1);
}

const struct failure_row *view_failure(const struct bundle_view *view)
{
	return find_row(view, JOURNAL_FAILURE, 1);
}

const char *view_string(const struct bundle_view *view, uint32_t id, size_t *out_length)
{
	const struct view_rows *rows = &view->tables[JOURNAL_STRINGS];
	const unsigned char *row = find_row(view, JOURNAL_STRINGS, id);
	uint32_t length = 0;
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

bool view_range_copy(const struct bundle_view *view, uint32_t id, struct range_row *out)
{
	const struct range_row *row = view_range(view, id);
	uint64_t words[sizeof(*out) / sizeof(uint64_t)];
	static_assert(sizeof(words) == sizeof(*out), "a range is whole words");
	if (!row)
		return false;
	uint32_t state = __atomic_load_n(&row->state, __ATOMIC_ACQUIRE);
	if (state != RANGE_LIVE && state != RANGE_FREED)
		return false;
	view_copy_words(words, (const uint64_t *)(const void *)row,
			sizeof(words) / sizeof(words[0]));
	memcpy(out, words, sizeof(*out));
	/* The number reveals a reused row even if both uses were seen in the same state. */
	return __atomic_load_n(&row->state, __ATOMIC_RELAXED) == state && out->state == state &&
	       __atomic_load_n(&row->number, __ATOMIC_RELAXED) == out->number;
}

/* Copy a row that begins with its number, which is 0 while the row is written (row_pool.c). */
static bool copy_numbered(const uint64_t *row, uint64_t *out, size_t n_words)
{
	uint64_t number = row ? view_live(row) : 0;
	if (number == 0)
		return false;
	view_copy_words(out, row, n_words);
	return out[0] == number && view_live(row) == number;
}

bool view_graph_copy(const struct bundle_view *view, uint32_t id, struct graph_row *out)
{
	uint64_t words[sizeof(*out) / sizeof(uint64_t)];
	static_assert(sizeof(words) == sizeof(*out), "a graph is whole words");
	if (!copy_numbered(find_row(view, JOURNAL_GRAPHS, id), words, sizeof(words) / 8))
		return false;
	memcpy(out, words, sizeof(*out));
	return true;
}

bool view_graph_node_copy(const struct bundle_view *view, uint32_t id, struct graph_node_row *out)
{
	uint64_t words[sizeof(*out) / sizeof(uint64_t)];
	static_assert(sizeof(words) == sizeof(*out), "a node is whole words");
	if (!copy_numbered(find_row(view, JOURNAL_GRAPH_NODES, id), words, sizeof(words) / 8))
		return false;
	memcpy(out, words, sizeof(*out));
	return true;
}

const uint8_t *view_python_lines(const struct bundle_view *view, const struct python_code_row *code,
				 size_t *out_size)
{
	const struct view_rows *rows = &view->tables[JOURNAL_PYTHON_LINES];
	const uint8_t *first = find_row(view, JOURNAL_PYTHON_LINES, code->lines);
	uint64_t room = first ? (rows->n_rows - (code->lines - 1)) * PYTHON_LINES_UNIT : 0;
	*out_size = code->lines_size <= room && !code->is_lines_cut ? code->lines_size : 0;
	return *out_size > 0 ? first : NULL;
}

const struct fault_row *view_fault_summary(const struct bundle_view *view, enum fault_kind kind)
{
	uint64_t n_rows = view->tables[JOURNAL_FAULTS].n_rows;
	for (uint32_t id = 1; id <= n_rows && id <= FAULT_ROWS_MAX; id++) {
		const struct fault_row *row = view_fault(view, id);
		if (row->kind == kind)
			return row;
	}
	return NULL;
}

bool view_rejection_is_memory(const struct bundle_view *view, const struct rejection_row *row)
{
	return strcmp(view_string(view, row->what, NULL), REJECTED_MEMORY) == 0;
}
