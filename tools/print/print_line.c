/*
 * print_line.c - puts a launch into words, out of its record and what came before it in its ring.
 */
#include "print/print_line.h"

#include <inttypes.h>
#include <string.h>

#include "print/print_arguments.h"
#include "print/print_number.h"
#include "print/print_producers.h"
#include "verdict/report/report_names.h"
#include "verdict/report/report_stack.h"
#include "verdict/report/report_words.h"

enum { CACHED_TEXT_SIZE = 1024, NAME_SIZE = 4096, ATTEMPTS = 4 };

/* What a text is about. */
struct subject {
	const struct print_choice *choice;
	struct printed_process *process;
	const struct journal_record *record;
};

/* The kernel's short name; nothing of one that was not chosen. */
static void make_name(const struct subject *subject, struct text *out)
{
	const struct report *report = &subject->process->report;

	if (subject->choice->kernels) {
		char full[NAME_SIZE];
		struct text full_text = text_in(full, sizeof(full));

		report_work_name(report, subject->record, false, &full_text);
		if (regexec(subject->choice->kernels, full, 0, NULL, 0))
			return;
	}
	report_work_name(report, subject->record, true, out);
}

static void make_place(const struct subject *subject, struct text *out)
{
	report_stack(&subject->process->report, subject->record->stack, 1, out);
}

struct cached_text {
	struct text_cache *cache;
	uint32_t key;
	void (*make)(const struct subject *subject, struct text *out);
};

/*
 * The text, which may be in the buffer. While rows of the journal are used again what was read may
 * not belong together: it is then read once more, and not kept where that does not end.
 */
static const char *find_text(const struct cached_text *wanted, const struct subject *subject,
			     char buffer[CACHED_TEXT_SIZE])
{
	const char *text = text_cache_find(wanted->cache, wanted->key);

	for (int i = 0; !text && i < ATTEMPTS; i++) {
		uint64_t before = printed_process_reuses(subject->process);
		struct text made = text_in(buffer, CACHED_TEXT_SIZE);

		wanted->make(subject, &made);
		if (printed_process_reuses(subject->process) != before)
			continue;
		text_cache_add(wanted->cache, wanted->key, buffer);
		return buffer;
	}
	return text ? text : buffer;
}

static void add_ranges(const struct printed_ring *ring, enum nvtx_scope scope,
		       const char *separator, struct text *out)
{
	for (uint8_t i = 0; i < ring->n_open[scope]; i++) {
		const struct record_nvtx *range = &ring->ranges[scope][i];

		text_add(out, i ? separator : "  [");
		text_add_foreign(out, range->text, range->text_size);
		text_add(out, range->is_cut ? "..." : "");
	}
	text_add(out, ring->n_open[scope] ? "]" : "");
}

/* What a launch behind it is in. */
static void take_range(struct printed_ring *ring, const struct record_nvtx *range)
{
	for (int scope = 0; scope < N_NVTX_SCOPES; scope++)
		ring->n_open[scope] =
			range->n_open[scope] < NVTX_MAX_OPEN ? range->n_open[scope] : NVTX_MAX_OPEN;
	if (range->scope >= N_NVTX_SCOPES || range->index >= NVTX_MAX_OPEN)
		return;
	ring->ranges[range->scope][range->index] = *range;
	if (range->text_size > NVTX_TEXT_MAX)
		ring->ranges[range->scope][range->index].text_size = NVTX_TEXT_MAX;
}

static void take_arguments(struct printed_ring *ring, const struct journal_record *record)
{
	struct launch_arguments *arguments = &ring->arguments;
	size_t room = sizeof(arguments->bytes) - arguments->n_bytes;
	size_t n = room < RECORD_PAYLOAD ? room : RECORD_PAYLOAD;

	memcpy(arguments->bytes + arguments->n_bytes, record->argument_bytes, n);
	arguments->n_bytes += n;
}

/* Those that were kept: in the rows before, or of a large structure in a table. */
static void limit_arguments(const struct bundle_view *view, const struct journal_record *record,
			    struct launch_arguments *out)
{
	bool is_cut = record->work == WORK_KERNEL && record->flags & RECORD_ARGUMENTS_CUT;
	size_t n_whole =
		is_cut ? view_whole_arguments(view, record, out->bytes, sizeof(out->bytes)) : 0;

	if (n_whole)
		out->n_bytes = n_whole;
	else if (out->n_bytes > record->launch.argument_bytes)
		out->n_bytes = record->launch.argument_bytes;
}

static void add_number(const struct printed_process *process, const struct journal_record *record,
		       struct text *out)
{
	print_decimal((uint64_t)process->pid, out);
	text_add(out, record->kind == RECORD_CAPTURED ? "  captured  " : "  #");
	if (record->kind == RECORD_CAPTURED)
		return;
	print_decimal(record->sequence, out);
	text_add(out, "  ");
}

static void add_kernel(const struct subject *subject, struct printed_ring *ring, struct text *out)
{
	const struct journal_record *record = subject->record;

	report_launch_shape(record, out);
	text_add(out, "(");
	print_arguments(subject->process, record, subject->choice->batch, &ring->arguments, out);
	text_add(out, ")");
}

static void add_launch(const struct subject *subject, struct printed_ring *ring, const char *name,
		       struct text *out)
{
	struct printed_process *process = subject->process;
	const struct journal_record *record = subject->record;
	const struct cached_text place = {&process->places, record->stack, make_place};
	char buffer[CACHED_TEXT_SIZE];

	add_number(process, record, out);
	text_add(out, name);
	if (record->work == WORK_KERNEL)
		add_kernel(subject, ring, out);
	text_add(out, "  ");
	report_stream_label(&process->report, record->stream, out);
	text_add(out, "  ");
	text_add(out, find_text(&place, subject, buffer));
	if (record->flags & RECORD_IN_RANGES) {
		add_ranges(ring, NVTX_OF_THREAD, " > ", out);
		add_ranges(ring, NVTX_OF_PROCESS, ", ", out);
	}
	text_add(out, "\n");
}

static void tell_launch(const struct subject *subject, struct printed_ring *ring, struct text *out)
{
	const struct journal_record *record = subject->record;
	const struct cached_text kernel = {&subject->process->names, record->launch.function,
					   make_name};
	char buffer[CACHED_TEXT_SIZE];
	struct text graph = text_in(buffer, sizeof(buffer));
	const char *name = buffer;

	if (record->work == WORK_KERNEL)
		name = find_text(&kernel, subject, buffer);
	else if (record->work == WORK_GRAPH && !subject->choice->kernels)
		report_work_name(&subject->process->report, record, true, &graph);
	if (*name)
		add_launch(subject, ring, name, out);
}

static void tell_lost(const struct print_entry *entry, struct text *out)
{
	text_addf(out,
		  "%ld  %" PRIu64 " records of a thread were overwritten before they were read\n",
		  entry->ring->process->pid, entry->n_lost);
	entry->ring->arguments.n_bytes = 0;
}

/* What is to be known of every launch, printed or not. */
static void take_submission(const struct print_choice *choice, struct printed_ring *ring,
			    const struct journal_record *record)
{
	struct printed_process *process = ring->process;

	process->n_seen += record->kind == RECORD_SUBMISSION ? 1 : 0;
	if (record->work != WORK_KERNEL)
		return;
	limit_arguments(&process->view, record, &ring->arguments);
	if (choice->inspects && record->kind == RECORD_SUBMISSION)
		print_producers_note(process, record, &ring->arguments, choice->batch);
}

void print_line(const struct print_choice *choice, const struct print_entry *entry,
		struct text *out)
{
	const struct journal_record *record = &entry->record;
	struct printed_ring *ring = entry->ring;

	if (entry->n_lost) {
		tell_lost(entry, out);
		return;
	}
	switch (record->kind) {
	case RECORD_ARGUMENTS:
		take_arguments(ring, record);
		return;
	case RECORD_NVTX:
		take_range(ring, &record->nvtx);
		return;
	case RECORD_SUBMISSION:
	case RECORD_CAPTURED:
		take_submission(choice, ring, record);
		if (!choice->is_silent)
			tell_launch(&(struct subject){choice, ring->process, record}, ring, out);
		break;
	case RECORD_REJECTION:
		text_addf(out, "%ld  #%" PRIu64 "  was refused by the driver: %" PRId32 "\n",
			  ring->process->pid, record->sequence, record->result);
		break;
	default:
		break;
	}
	ring->arguments.n_bytes = 0;
}
