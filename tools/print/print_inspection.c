/*
 * print_inspection.c - read the inspections that a process recorded, which are untrusted input, and
 * summarise them.
 */
#include "print/print_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/inspection.h"
#include "files/input.h"
#include "graph_findings/graph_findings_text.h"

enum { BLOCK_SIZE = 64 * 1024 };
#define MAX_SIZE                     \
	(sizeof(struct inspection) + \
	 INSPECTION_MAX_POINTERS *   \
		 (sizeof(struct inspection_pointer) + (size_t)2 * INSPECTION_MAX_BYTES))

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
		      const unsigned char *before, struct inspected *out)
{
	const unsigned char *after = before + pointer->n_before;
	bool has_after = pointer->n_after == pointer->n_before;
	*out = (struct inspected){.address = pointer->address,
				  .number = pointer->number,
				  .start = pointer->start,
				  .allocation_size = pointer->size,
				  .parameter = pointer->parameter,
				  .offset = pointer->offset,
				  .size = size,
				  .is_guess = !wanted,
				  .has_after = has_after};
	out->type = wanted ? wanted : values_guess(has_after ? after : before, size);
	values_summarise(out->type, before, size, &out->before);
	if (!has_after)
		return;
	values_summarise(out->type, after, size, &out->after);
	out->n_changed = values_count_changed(out->type, before, after, size);
	out->is_changed = out->n_changed > 0;
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
	static struct inspected inspected[INSPECTION_MAX_POINTERS]; /* used by one thread only */
	uint32_t n = 0;
	text_addf(out, "%ld  inspected ", process->pid);
	print_producers_launch(process, head->sequence, out);
	if (head->failure)
		text_addf(out, "; waiting for it returned %" PRId32, head->failure);
	text_add(out, "\n");
	for (uint32_t i = 0; i < head->n_pointers; i++) {
		if (pointers[i].n_before)
			summarise(type, &pointers[i], own_size(head, pointers, &pointers[i]), bytes,
				  &inspected[n++]);
		bytes += pointers[i].n_before + pointers[i].n_after;
	}
	print_inspected(process, head->sequence, inspected, n, out);
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

/* Graphs have a table of their own. */
static void print_graphs(struct printed_process *process, FILE *out)
{
	struct graph_findings_reader reader = {.pid = process->pid,
					       .report = &process->report,
					       .n_printed = process->n_graph_checks};
	graph_findings_print(&reader, out);
	process->n_graph_checks = reader.n_printed;
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
