/*
 * print_inspection.c - read the inspections that a process recorded, which are untrusted input, and
 * summarise them.
 */
#include "print/print_inspection.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/inspection.h"
#include "files/input.h"
#include "graph_findings/graph_findings_text.h"
#include "print/print_producers.h"

enum { BLOCK_SIZE = 64 * 1024, PRODUCERS_SIZE = 4 * 1024 };
#define MAX_SIZE                     \
	(sizeof(struct inspection) + \
	 INSPECTION_MAX_POINTERS *   \
		 (sizeof(struct inspection_pointer) + (size_t)2 * INSPECTION_MAX_BYTES))

/* A summary of the bytes that one pointer points to. */
struct looked {
	const struct inspection_pointer *pointer;
	size_t size; /* of the captured bytes that belong to this pointer */
	enum value_type type;
	bool has_after;
	size_t n_changed;
	struct value_summary before, after;
};

/*
 * Return how many of the captured bytes belong to the pointer. Caching allocators hand out parts of
 * one allocation at multiples of PART_SIZE. If another pointer of the launch is at such an offset,
 * another part starts there.
 */
static size_t own_size(const struct inspection *head, const struct inspection_pointer *pointers,
		       const struct inspection_pointer *pointer)
{
	enum { PART_SIZE = 512 };
	size_t size = pointer->n_before;
	for (uint32_t i = 0; i < head->n_pointers; i++)
		if (pointers[i].number == pointer->number &&
		    pointers[i].address > pointer->address &&
		    pointers[i].address - pointer->address < size &&
		    (pointers[i].address - pointers[i].start) % PART_SIZE == 0)
			size = pointers[i].address - pointer->address;
	return size;
}

static void summarise(enum value_type wanted, const struct inspection_pointer *pointer, size_t size,
		      const unsigned char *before, struct looked *out)
{
	const unsigned char *after = before + pointer->n_before;
	bool has_after = pointer->n_after == pointer->n_before;
	*out = (struct looked){.pointer = pointer, .size = size, .has_after = has_after};
	out->type = wanted ? wanted : values_guess(has_after ? after : before, size);
	values_summarise(out->type, before, size, &out->before);
	if (!has_after)
		return;
	values_summarise(out->type, after, size, &out->after);
	out->n_changed = values_count_changed(out->type, before, after, size);
}

/* Return the number of NaN and infinite values. */
static size_t count_odd(const struct value_summary *summary)
{
	return summary->n_nan + summary->n_infinite;
}

static void add_odd(const struct value_summary *summary, struct text *out)
{
	if (summary->n_nan)
		text_addf(out, "%zu NaN", summary->n_nan);
	if (summary->n_infinite)
		text_addf(out, "%s%zu infinite", summary->n_nan ? ", " : "", summary->n_infinite);
}

/* Append "min 0, max 2, mean 1, 1 NaN, the first at [7]". */
static void add_summary(enum value_type type, const struct value_summary *summary, struct text *out)
{
	bool is_integer = value_type_is_integer(type);
	char numbers[128];
	snprintf(numbers, sizeof(numbers),
		 is_integer ? "min %.0f, max %.0f, mean %g" : "min %g, max %g, mean %g",
		 summary->min, summary->max, summary->mean);
	text_add(out, count_odd(summary) < summary->n ? numbers : "no finite value");
	if (!count_odd(summary))
		return;
	text_add(out, ", ");
	add_odd(summary, out);
	text_addf(out, ", the first at [%zu]", summary->first_odd);
}

/* Append "argument 1", or "argument 1 + 8" for a pointer inside a structure. */
static void add_argument(const struct looked *looked, struct text *out)
{
	text_addf(out, "argument %" PRIu32, looked->pointer->parameter);
	if (looked->pointer->offset)
		text_addf(out, " + %" PRIu32, looked->pointer->offset);
}

/* Append "  argument 1 + 8: 0x7f1c0000=#4+0, first 1024 x f32?". */
static void add_where(const struct looked *looked, bool is_guess, struct text *out)
{
	const struct inspection_pointer *pointer = looked->pointer;
	bool is_part = looked->size < pointer->size - (pointer->address - pointer->start);
	text_add(out, "  ");
	add_argument(looked, out);
	text_addf(out, ": 0x%" PRIx64 "=#%" PRIu64 "+%" PRIu64 ", %s%zu x %s%s\n", pointer->address,
		  pointer->number, pointer->address - pointer->start, is_part ? "first " : "",
		  looked->size / value_type_size(looked->type), value_type_word(looked->type),
		  is_guess ? "?" : "");
}

/* Append which earlier launch the bytes came from, as far as that is known. */
static void add_origin(const struct printed_process *process, const struct inspection *head,
		       const struct looked *looked, struct text *out)
{
	const struct spoiled *spoiled = print_producers_spoiled(process, looked->pointer->address);
	char names[PRODUCERS_SIZE];
	struct text producers = text_in(names, sizeof(names));
	bool is_odd = count_odd(&looked->before) > 0;
	if (is_odd && spoiled) {
		text_add(out, "    from    ");
		print_producers_name(process, spoiled->by, out);
		if (spoiled->first && spoiled->first != spoiled->by) {
			text_add(out, "\n    made by ");
			print_producers_name(process, spoiled->first, out);
		}
		text_add(out, "\n");
		return;
	}
	if (print_producers_add(process, looked->pointer->address, head->sequence, &producers))
		text_addf(out, "    previously passed to %s\n", names);
	else if (print_producers_add(process, looked->pointer->number, head->sequence, &producers))
		text_addf(out, "    allocation previously passed to %s\n", names);
	else if (is_odd)
		text_add(out, "    not passed to any earlier launch on record\n");
}

/* Append the summary before the launch and, if the bytes changed, after it. */
static void add_pointer(const struct printed_process *process, const struct inspection *head,
			const struct looked *looked, bool is_guess, struct text *out)
{
	add_where(looked, is_guess, out);
	text_add(out, "    before  ");
	add_summary(looked->type, &looked->before, out);
	text_add(out, !looked->has_after  ? "; not read afterwards\n"
		      : looked->n_changed ? "\n"
					  : "; unchanged\n");
	if (looked->n_changed) {
		text_add(out, "    after   ");
		add_summary(looked->type, &looked->after, out);
		text_addf(out, "; %zu changed\n", looked->n_changed);
	}
	add_origin(process, head, looked, out);
}

/* Return an argument that had NaN or infinity before the launch, preferably one only read by it. */
static const struct looked *find_cause(const struct looked *looked, uint32_t n)
{
	const struct looked *found = NULL;
	for (uint32_t i = 0; i < n; i++)
		if (count_odd(&looked[i].before) &&
		    (!found || (found->n_changed && !looked[i].n_changed)))
			found = &looked[i];
	return found;
}

/*
 * Append "  => argument 0: 1 NaN, made here: ...". `cause` is an argument that had NaN or infinity
 * before the launch; NULL: none had.
 */
static void add_gain(const struct looked *looked, const struct looked *cause, struct text *out)
{
	text_add(out, "  => ");
	add_argument(looked, out);
	text_add(out, ": ");
	add_odd(&looked->after, out);
	if (!cause) {
		text_add(out, ", made here: none of the inspected arguments had any before\n");
		return;
	}
	text_add(out, cause->n_changed ? ", but " : ", passed on from ");
	add_argument(cause, out);
	text_add(out, cause->n_changed ? ", which was also written, had some before\n" : "\n");
}

/* For each NaN or infinity that the launch wrote, append whether it made it or passed it on. */
static void add_conclusion(struct printed_process *process, const struct inspection *head,
			   const struct looked *looked, uint32_t n, struct text *out)
{
	const struct looked *cause = find_cause(looked, n);
	const struct spoiled *known =
		cause ? print_producers_spoiled(process, cause->pointer->address) : NULL;
	struct spoiled spoiled = {.first = !cause ? head->sequence : known ? known->first : 0};
	for (uint32_t i = 0; i < n; i++) {
		size_t n_odd = count_odd(&looked[i].after);
		if (!looked[i].n_changed)
			continue;
		if (n_odd > count_odd(&looked[i].before))
			add_gain(&looked[i], cause, out);
		spoiled.address = looked[i].pointer->address;
		spoiled.by = n_odd ? head->sequence : 0;
		print_producers_spoil(process, &spoiled);
	}
}

/* True if the record is consistent. Its bytes follow the pointers. */
static bool is_sound(const struct inspection *head, const struct inspection_pointer *pointers)
{
	uint64_t size = sizeof(*head) + head->n_pointers * sizeof(*pointers);
	for (uint32_t i = 0; i < head->n_pointers; i++) {
		if (pointers[i].n_before > INSPECTION_MAX_BYTES ||
		    pointers[i].n_after > INSPECTION_MAX_BYTES ||
		    pointers[i].address < pointers[i].start ||
		    pointers[i].address - pointers[i].start >= pointers[i].size)
			return false;
		size += pointers[i].n_before + pointers[i].n_after;
	}
	return size == head->size;
}

static void add_block(struct printed_process *process, enum value_type type,
		      const struct inspection *head, struct text *out)
{
	const struct inspection_pointer *pointers = (const void *)(head + 1);
	const unsigned char *bytes = (const void *)(pointers + head->n_pointers);
	static struct looked looked[INSPECTION_MAX_POINTERS]; /* used by one thread only */
	uint32_t n = 0;
	text_addf(out, "%ld  inspected ", process->pid);
	print_producers_launch(process, head->sequence, out);
	if (head->failure)
		text_addf(out, "; waiting for it returned %" PRId32, head->failure);
	text_add(out, "\n");
	for (uint32_t i = 0; i < head->n_pointers; i++) {
		if (pointers[i].n_before)
			summarise(type, &pointers[i], own_size(head, pointers, &pointers[i]), bytes,
				  &looked[n++]);
		bytes += pointers[i].n_before + pointers[i].n_after;
	}
	for (uint32_t i = 0; i < n; i++)
		add_pointer(process, head, &looked[i], !type, out);
	add_conclusion(process, head, looked, n, out);
	if (head->is_last)
		text_addf(out, "%ld  inspection stopped after %d MiB of data\n", process->pid,
			  INSPECTIONS_MAX_BYTES >> 20);
}

/* Read the next record. Return 0, -EAGAIN if it is incomplete so far, or -EBADMSG if invalid. */
static int read_next(int fd, uint64_t at, unsigned char *out)
{
	const struct inspection *head = (const void *)out;
	uint64_t least = sizeof(*head);
	if (pread(fd, out, sizeof(*head), (off_t)at) != (ssize_t)sizeof(*head))
		return -EAGAIN;
	if (head->magic != INSPECTION_MAGIC || head->n_pointers > INSPECTION_MAX_POINTERS)
		return -EBADMSG;
	least += head->n_pointers * sizeof(struct inspection_pointer);
	if (head->size > MAX_SIZE || head->size < least)
		return -EBADMSG;
	if (pread(fd, out, head->size, (off_t)at) != (ssize_t)head->size)
		return -EAGAIN;
	return is_sound(head, (const void *)(head + 1)) ? 0 : -EBADMSG;
}

/* Graphs have a file of their own. */
static void print_graphs(struct printed_process *process, FILE *out)
{
	struct graph_findings_reader reader = {.fd = process->fd,
					       .pid = process->pid,
					       .report = &process->report,
					       .at = process->n_graph_findings};
	graph_findings_print(&reader, out);
	process->n_graph_findings = reader.at;
}

void print_inspections(struct printed_process *process, enum value_type type, bool is_end,
		       FILE *out)
{
	static _Alignas(uint64_t) unsigned char record[MAX_SIZE];
	static char block[BLOCK_SIZE];
	const struct inspection *head = (const void *)record;
	int fd = input_open_file(process->fd, INSPECTIONS_NAME);
	while (fd >= 0 && !read_next(fd, process->n_inspected, record) &&
	       (is_end || print_producers_are_known(process, head->sequence))) {
		struct text text = text_in(block, sizeof(block));
		add_block(process, type, head, &text);
		fwrite(block, 1, (size_t)(text.at - block), out);
		process->n_inspected += head->size;
	}
	if (fd >= 0)
		close(fd);
	print_graphs(process, out);
}
