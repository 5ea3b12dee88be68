/*
 * print_inspection.c - reads what a process wrote of launches, which is foreign input, and says
 * what is in it.
 */
#include "print/print_inspection.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/inspection.h"
#include "files/input.h"
#include "print/print_producers.h"

enum { BLOCK_SIZE = 32 * 1024 };
#define MAX_SIZE                     \
	(sizeof(struct inspection) + \
	 INSPECTION_MAX_POINTERS *   \
		 (sizeof(struct inspection_pointer) + (size_t)2 * INSPECTION_MAX_BYTES))

static void add_summary(enum value_type type, const unsigned char *bytes, size_t size,
			struct text *out)
{
	struct value_summary summary;
	char numbers[128];

	values_summarise(type, bytes, size, &summary);
	snprintf(numbers, sizeof(numbers),
		 value_type_is_integer(type) ? "min %.0f, max %.0f, mean %g"
					     : "min %g, max %g, mean %g",
		 summary.min, summary.max, summary.mean);
	text_add(out, summary.n_nan + summary.n_infinite < summary.n ? numbers : "no number");
	if (summary.n_nan)
		text_addf(out, ", %zu NaN", summary.n_nan);
	if (summary.n_infinite)
		text_addf(out, ", %zu infinite", summary.n_infinite);
}

static void add_where(const struct inspection_pointer *pointer, struct text *out)
{
	text_addf(out, "  %" PRIu32, pointer->parameter);
	if (pointer->offset)
		text_addf(out, " + %" PRIu32, pointer->offset);
	text_addf(out, ": #%" PRIu64 "+%" PRIu64 ", ", pointer->number,
		  pointer->address - pointer->start);
	if (pointer->n_before < pointer->size - (pointer->address - pointer->start))
		text_add(out, "first ");
	text_addf(out, "%" PRIu32 " bytes as ", pointer->n_before);
}

/* "before: ...", and what the launch has made of it. */
static void add_pointer(const struct printed_process *process, enum value_type wanted,
			const struct inspection *head, const struct inspection_pointer *pointer,
			const unsigned char *before, struct text *out)
{
	const unsigned char *after = before + pointer->n_before;
	bool has_after = pointer->n_after == pointer->n_before;
	enum value_type type =
		wanted ? wanted : values_guess(has_after ? after : before, pointer->n_before);
	size_t n_changed =
		has_after ? values_count_changed(type, before, after, pointer->n_before) : 0;

	add_where(pointer, out);
	text_addf(out, "%s%s: ", value_type_word(type), wanted ? "" : "?");
	add_summary(type, before, pointer->n_before, out);
	if (!has_after)
		text_add(out, "; not read afterwards");
	else if (!n_changed)
		text_add(out, "; unchanged");
	else
		text_addf(out, "; %zu changed: ", n_changed);
	if (n_changed)
		add_summary(type, after, pointer->n_before, out);
	text_add(out, "\n     given before to ");
	print_producers_add(process, pointer->number, head->sequence, out);
	text_add(out, "\n");
}

/* Is it what the library writes? Its bytes lie behind the pointers. */
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

	text_addf(out, "%ld  inspected ", process->pid);
	print_producers_name(process, head->sequence, out);
	if (head->failure)
		text_addf(out, "; waiting for it returned %" PRId32, head->failure);
	text_add(out, "\n");
	for (uint32_t i = 0; i < head->n_pointers; i++) {
		if (pointers[i].n_before)
			add_pointer(process, type, head, &pointers[i], bytes, out);
		bytes += pointers[i].n_before + pointers[i].n_after;
	}
	if (head->is_last)
		text_addf(out, "%ld  no more is inspected: %d MiB were\n", process->pid,
			  INSPECTIONS_MAX_BYTES >> 20);
}

/* The next one of the file, if all of it is there: -EAGAIN else, -EBADMSG if it is none. */
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
}
