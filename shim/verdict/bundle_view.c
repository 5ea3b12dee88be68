/*
 * bundle_view.c - checked access to the rows of a bundle. Everything that a hostile or torn file
 * could say is checked here, at the use; nothing is cached but each file's bounds.
 */
#include "bundle_view.h"

#include <errno.h>
#include <string.h>

#include "bundle_words.h"

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
	[JOURNAL_PYTHON_FRAMES] = sizeof(struct python_frame_row),
	[JOURNAL_PYTHON_CODES] = sizeof(struct python_code_row),
	[JOURNAL_PYTHON_LINES] = sizeof(struct python_lines_row),
	[JOURNAL_GRAPHS] = sizeof(struct graph_row),
	[JOURNAL_GRAPH_NODES] = sizeof(struct graph_node_row),
	[JOURNAL_STACK_CHECKS] = sizeof(struct stack_check_row),
};

uint64_t view_live(const uint64_t *member)
{
	return __atomic_load_n(member, __ATOMIC_ACQUIRE);
}

/* Strings and line tables run across rows, so theirs cannot grow in a later version. */
static bool is_row_size_good(const struct file_header *header)
{
	uint32_t known = known_row_sizes[header->kind];

	if (header->kind == JOURNAL_STRINGS || header->kind == JOURNAL_PYTHON_LINES)
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

const struct python_frame_row *view_python_frame(const struct bundle_view *view, uint32_t id)
{
	return find_row(view, JOURNAL_PYTHON_FRAMES, id);
}

const struct python_code_row *view_python_code(const struct bundle_view *view, uint32_t id)
{
	return find_row(view, JOURNAL_PYTHON_CODES, id);
}

const struct module_row *view_module(const struct bundle_view *view, uint32_t id)
{
	return find_row(view, JOURNAL_MODULES, id);
}

const struct range_row *view_range(const struct bundle_view *view, uint32_t id)
{
	return find_row(view, JOURNAL_RANGES, id);
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

void view_copy_words(uint64_t *out, const uint64_t *words, size_t n_words)
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
	view_copy_words(words, (const uint64_t *)(const void *)row,
			sizeof(words) / sizeof(words[0]));
	memcpy(out, words, sizeof(*out));
	/* The number tells a reused row even if both uses were seen in the same state. */
	return __atomic_load_n(&row->state, __ATOMIC_RELAXED) == state && out->state == state &&
	       __atomic_load_n(&row->number, __ATOMIC_RELAXED) == out->number;
}

/* A row that begins with its number, 0 while it is written (row_pool.c). */
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

/* The innermost native node: the stack itself, or what a stack with Python joins to it. */
static uint32_t native_stack(const struct bundle_view *view, uint32_t stack_id)
{
	const struct stack_row *row = view_stack(view, stack_id);

	if (!row || row->module != STACK_PYTHON)
		return stack_id;
	return row->parent < stack_id ? row->parent : 0;
}

size_t view_stack_frames(const struct bundle_view *view, uint32_t stack_id, uint32_t *out_ids,
			 size_t max)
{
	uint32_t id = native_stack(view, stack_id);
	const struct stack_row *row = view_stack(view, id);
	size_t n_frames = 0;

	while (row && row->module != STACK_END && n_frames < max) {
		out_ids[n_frames++] = id;
		if (row->parent >= id)
			break;
		id = row->parent;
		row = view_stack(view, id);
	}
	return n_frames;
}

uint32_t view_stack_end(const struct bundle_view *view, uint32_t stack_id)
{
	uint32_t id = native_stack(view, stack_id);
	const struct stack_row *row = view_stack(view, id);

	while (row && row->module != STACK_END && row->parent < id) {
		id = row->parent;
		row = view_stack(view, id);
	}
	uint32_t end = view->tables[JOURNAL_STACKS].lost > 0 ? STACK_END_FULL : 0;
	if (row && row->module == STACK_END)
		end |= (uint32_t)row->offset & (N_STACK_ENDS - 1);
	return end;
}

size_t view_python_frames(const struct bundle_view *view, uint32_t stack_id, uint32_t *out_ids,
			  size_t max)
{
	const struct stack_row *stack = view_stack(view, stack_id);
	bool is_python = stack && stack->module == STACK_PYTHON && stack->offset <= UINT32_MAX;
	uint32_t id = is_python ? (uint32_t)stack->offset : 0;
	const struct python_frame_row *row = view_python_frame(view, id);
	size_t n_frames = 0;

	while (row && n_frames < max) {
		out_ids[n_frames++] = id;
		if (row->parent >= id)
			break;
		id = row->parent;
		row = view_python_frame(view, id);
	}
	return n_frames;
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
