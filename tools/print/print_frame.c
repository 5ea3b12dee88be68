/*
 * print_frame.c - a hash table of line frames, in which a new entry replaces an old one. Names and
 * locations are slow to find and are cached separately: launches that differ only in their grid
 * share them.
 */
#include "print/print_parts.h"

#include <stdlib.h>

#include "numbers/print_number.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "report/report_stack.h"

enum { CACHED_TEXT_SIZE = 1024, NAME_SIZE = 4096, ATTEMPTS = 4, KEY_WORDS = 8 };

/* The launch that a text describes. */
struct subject {
	const struct print_choice *choice;
	struct printed_process *process;
	const struct journal_record *record;
};

/* Append the kernel's short name; nothing if the kernel was not chosen. */
static void make_name(const struct subject *subject, struct text *out)
{
	const struct report *report = &subject->process->report;
	if (subject->choice->kernels) {
		char full[NAME_SIZE];
		struct text full_text = text_in(full, sizeof(full));
		const struct function_row *function =
			view_function(report->view, subject->record->launch.function);
		report_work_name(report, subject->record, false, &full_text);
		if (!kernel_names_match(subject->choice->kernels, full,
					function ? view_string(report->view, function->name, NULL)
						 : NULL))
			return;
	}
	report_work_name(report, subject->record, true, out);
}

static void make_location(const struct subject *subject, struct text *out)
{
	report_stack(&subject->process->report, subject->record->stack, 1, out);
}

struct cached_text {
	struct text_cache *cache;
	uint32_t key;
	void (*make)(const struct subject *subject, struct text *out);
};

/* Rows that were reused since the last update of the tables must not be read by its counts. */
static void refresh(struct printed_process *process)
{
	if (!printed_process_is_fresh(process))
		printed_process_refresh(process);
}

/*
 * Return the text, which may be in `buffer`. If the process reused rows while the text was made, it
 * may be mixed up: make it again, and do not cache it if that keeps happening.
 */
static const char *find_text(const struct cached_text *wanted, const struct subject *subject,
			     char buffer[CACHED_TEXT_SIZE])
{
	const char *text = text_cache_find(wanted->cache, wanted->key);
	for (int i = 0; !text && i < ATTEMPTS; i++) {
		refresh(subject->process);
		struct text made = text_in(buffer, CACHED_TEXT_SIZE);
		wanted->make(subject, &made);
		if (!printed_process_is_fresh(subject->process))
			continue;
		text_cache_add(wanted->cache, wanted->key, buffer);
		return buffer;
	}
	return text ? text : buffer;
}

static void add_head(const struct subject *subject, struct text *out)
{
	const struct cached_text wanted = {&subject->process->names,
					   subject->record->launch.function, make_name};
	char buffer[CACHED_TEXT_SIZE];
	const char *name = find_text(&wanted, subject, buffer);
	if (!*name)
		return;
	text_add(out, name);
	report_launch_shape(subject->record, out);
	text_add(out, "(");
}

static void add_tail(const struct subject *subject, struct text *out)
{
	const struct cached_text wanted = {&subject->process->locations, subject->record->stack,
					   make_location};
	text_add(out, "  ");
	report_stream_label(&subject->process->report, subject->record->stream, out);
	text_add(out, "  ");
	char buffer[CACHED_TEXT_SIZE];
	text_add(out, find_text(&wanted, subject, buffer));
}

/* The key has both the stream's row and its handle, because the row may be reused. */
static struct line_key key_of(const struct printed_process *process,
			      const struct journal_record *record)
{
	const struct stream_row *stream = view_stream(&process->view, record->stream);
	struct line_key key = {.stream_handle = stream ? stream->handle : 0,
			       .stream = record->stream,
			       .stack = record->stack,
			       .work = record->work};
	if (record->work != WORK_KERNEL)
		return key;
	key.flags = record->flags & RECORD_COOPERATIVE;
	key.function = record->launch.function;
	key.shared_bytes = record->launch.shared_bytes;
	memcpy(key.grid, record->launch.grid, sizeof(key.grid));
	memcpy(key.block, record->launch.block, sizeof(key.block));
	memcpy(key.cluster, record->launch.cluster, sizeof(key.cluster));
	return key;
}

static size_t index_of(const struct line_key *key)
{
	uint64_t hash = 0;
	uint64_t words[KEY_WORDS];
	static_assert(sizeof(words) == sizeof(*key), "a key is whole words, without gaps");
	memcpy(words, key, sizeof(words));
	for (size_t i = 0; i < KEY_WORDS; i++)
		hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15ull; /* 2^64 over the golden ratio */
	return (size_t)(hash >> 32) % N_LINE_FRAMES;
}

const struct line_frame *print_frame_find(const struct print_choice *choice,
					  struct printed_process *process,
					  const struct journal_record *record)
{
	static char buffer[3 * CACHED_TEXT_SIZE];
	static struct line_frame unkept;
	const struct subject subject = {choice, process, record};
	struct line_key key = key_of(process, record);
	struct line_frame *frame = &process->frames[index_of(&key)];
	struct text text = text_in(buffer, sizeof(buffer));
	if (frame->text && !memcmp(&frame->key, &key, sizeof(key)))
		return frame;
	refresh(process);
	if (record->work == WORK_KERNEL)
		add_head(&subject, &text);
	unkept = (struct line_frame){.key = key, .n_head = (uint32_t)(text.at - buffer)};
	unkept.text = buffer;
	add_tail(&subject, &text);
	unkept.n_tail = (uint32_t)(text.at - buffer) - unkept.n_head;
	if (!printed_process_is_fresh(process))
		return &unkept; /* rows were reused meanwhile: the text may be mixed up */
	free(frame->text);
	*frame = unkept;
	frame->text = strdup(buffer);
	return frame->text ? frame : &unkept;
}
