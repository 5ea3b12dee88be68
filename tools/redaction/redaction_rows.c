/*
 * redaction_rows.c - rewrite the rows of a bundle in memory, which the bundle owns. Rows that are
 * not valid records are zeroed as well.
 */
#include "redaction/redaction_parts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_arguments.h"

enum { N_TEXTS = 1 << 17, SMALL_ADDRESS = 1 << 24 };

/* A hash table that numbers distinct texts; number 0 marks a free slot. */
struct texts {
	uint64_t hashes[N_TEXTS];
	uint32_t numbers[N_TEXTS];
	uint32_t n;
};

struct interval {
	uint64_t start;
	uint64_t end;
};

/* Working memory for one bundle. */
struct rewriting {
	struct bundle_view *view;
	struct interval *memory; /* all memory ever allocated, by address, disjoint */
	size_t n_memory;
	struct texts *texts;
	struct launch_arguments *arguments;
};

static int compare_starts(const void *left, const void *right)
{
	const struct interval *a = left;
	const struct interval *b = right;
	return a->start < b->start ? -1 : a->start > b->start;
}

/* Join the intervals that touch. They are sorted by their starts. */
static void join_memory(struct rewriting *rewriting, size_t n)
{
	struct interval *all = rewriting->memory;
	for (size_t i = 0; i < n; i++) {
		struct interval *last = rewriting->n_memory ? &all[rewriting->n_memory - 1] : NULL;
		if (last && all[i].start <= last->end)
			last->end = all[i].end > last->end ? all[i].end : last->end;
		else
			all[rewriting->n_memory++] = all[i];
	}
}

/*
 * Collect the addresses for which memory_find_place() finds an allocation, except those before one,
 * so that each argument can be checked fast. Return 0 or -ENOMEM.
 */
static int find_memory(struct rewriting *rewriting)
{
	uint64_t n_ranges = rewriting->view->tables[JOURNAL_RANGES].n_rows;
	struct interval *all = calloc(n_ranges ? n_ranges : 1, sizeof(*all));
	size_t n = 0;
	if (!all)
		return -ENOMEM;
	for (uint64_t id = 1; id <= n_ranges && id <= UINT32_MAX; id++) {
		struct range_row range;
		if (view_range_copy(rewriting->view, (uint32_t)id, &range) &&
		    range_has_address(range.kind) &&
		    range.size < UINT64_MAX - MEMORY_CLOSE - range.start)
			all[n++] = (struct interval){range.start,
						     range.start + range.size + MEMORY_CLOSE};
	}
	qsort(all, n, sizeof(*all), compare_starts);
	rewriting->memory = all;
	join_memory(rewriting, n);
	return 0;
}

static bool is_memory(const struct rewriting *rewriting, uint64_t address)
{
	size_t low = 0;
	size_t high = rewriting->n_memory;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (rewriting->memory[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < rewriting->n_memory && rewriting->memory[low].start <= address;
}

static uint64_t hash_text(const char *text, size_t size)
{
	uint64_t hash = 14695981039346656037ull; /* FNV-1a */
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (unsigned char)text[i]) * 1099511628211ull;
	return hash ? hash : 1;
}

/* Return the number of a text, or 0 if there are too many. */
static uint32_t number_of(struct texts *texts, const char *text, size_t size)
{
	uint64_t hash = hash_text(text, size);
	size_t at = (size_t)(hash % N_TEXTS);
	while (texts->numbers[at] && texts->hashes[at] != hash)
		at = (at + 1) % N_TEXTS;
	if (!texts->numbers[at]) {
		if (texts->n >= N_TEXTS / 2)
			return 0;
		texts->hashes[at] = hash;
		texts->numbers[at] = ++texts->n;
	}
	return texts->numbers[at];
}

static void rewrite_domain(const struct bundle_view *view, uint32_t domain)
{
	size_t length = 0;
	const char *string = view_string(view, domain, &length);
	/* The bundle owns the bytes, but "" may be a constant. */
	if (domain && length)
		memset((char *)(uintptr_t)string, 'x', length);
}

static void rewrite_nvtx(const struct rewriting *rewriting, struct record_nvtx *range)
{
	size_t size = range->text_size < NVTX_TEXT_MAX ? range->text_size : NVTX_TEXT_MAX;
	uint32_t number = number_of(rewriting->texts, range->text, size);
	char text[NVTX_TEXT_MAX];
	int length = snprintf(text, sizeof(text), "text %u", number);
	memset(range->text, 0, sizeof(range->text));
	if (size) {
		memcpy(range->text, text, (size_t)length);
		range->text_size = (uint8_t)length;
	}
	rewrite_domain(rewriting->view, range->domain);
}

/* Set the mask for the argument bytes that are pointers to known memory. */
static void find_kept(const struct rewriting *rewriting, unsigned char *out_mask)
{
	const struct launch_arguments *arguments = rewriting->arguments;
	uint32_t first = arguments->function ? arguments->function->first_parameter : 0;
	uint64_t value = 0;
	memset(out_mask, 0, REPORT_MAX_ARGUMENT_BYTES);
	for (uint32_t i = 0; i < arguments->n && first <= UINT32_MAX - i; i++) {
		const struct parameter_row *parameter = view_parameter(rewriting->view, first + i);
		if (!parameter)
			return;
		if (parameter->size != sizeof(value) || arguments->n_bytes < sizeof(value) ||
		    parameter->offset > arguments->n_bytes - sizeof(value))
			continue;
		memcpy(&value, arguments->bytes + parameter->offset, sizeof(value));
		if (is_memory(rewriting, value))
			memset(out_mask + parameter->offset, 0xff, sizeof(value));
	}
}

/* Set the bytes to keep of a launch's arguments in `masks`, which has a payload for each row. */
static void mark_launch(const struct rewriting *rewriting, uint32_t slot,
			const struct journal_record *record, unsigned char *masks)
{
	static unsigned char mask[REPORT_MAX_ARGUMENT_BYTES];
	const struct view_rows *ring = &rewriting->view->rings[slot];
	struct submission submission = {.slot = slot, .record = *record};
	uint64_t n_rows = record->launch.n_argument_rows;
	uint64_t number = record->commit - 1;
	report_read_arguments(rewriting->view, &submission, rewriting->arguments);
	find_kept(rewriting, mask);
	for (uint64_t i = 0; i < n_rows && (i + 1) * RECORD_PAYLOAD <= sizeof(mask); i++) {
		uint64_t position = (number - n_rows + i) % ring->capacity;
		if (n_rows <= number && n_rows < ring->capacity && position < ring->n_rows)
			memcpy(masks + position * RECORD_PAYLOAD, mask + i * RECORD_PAYLOAD,
			       RECORD_PAYLOAD);
	}
}

static void rewrite_row(const struct rewriting *rewriting, uint32_t slot, uint64_t position,
			const unsigned char *mask)
{
	const struct view_rows *ring = &rewriting->view->rings[slot];
	void *row = (void *)(uintptr_t)(ring->first + position * ring->row_size);
	struct journal_record record;
	if (!view_record(rewriting->view, slot, position, &record)) {
		memset(row, 0, ring->row_size);
		return;
	}
	if (record.kind == RECORD_NVTX)
		rewrite_nvtx(rewriting, &record.nvtx);
	for (size_t i = 0; record.kind == RECORD_ARGUMENTS && i < RECORD_PAYLOAD; i++)
		record.argument_bytes[i] &= mask[i];
	memcpy(row, &record, sizeof(record));
}

static int rewrite_ring(const struct rewriting *rewriting, uint32_t slot)
{
	const struct view_rows *ring = &rewriting->view->rings[slot];
	unsigned char *masks = calloc(ring->n_rows ? ring->n_rows : 1, RECORD_PAYLOAD);
	struct journal_record record;
	if (!masks)
		return -ENOMEM;
	for (uint64_t i = 0; i < ring->n_rows; i++)
		if (view_record(rewriting->view, slot, i, &record) && record.work == WORK_KERNEL &&
		    record.kind == RECORD_SUBMISSION)
			mark_launch(rewriting, slot, &record, masks);
	for (uint64_t i = 0; i < ring->n_rows; i++)
		rewrite_row(rewriting, slot, i, masks + i * RECORD_PAYLOAD);
	free(masks);
	return 0;
}

static void rewrite_nodes(const struct rewriting *rewriting)
{
	static unsigned char mask[REPORT_MAX_ARGUMENT_BYTES];
	const struct view_rows *nodes = &rewriting->view->tables[JOURNAL_GRAPH_NODES];
	for (uint64_t i = 0; i < nodes->n_rows; i++) {
		void *row = (void *)(uintptr_t)(nodes->first + i * nodes->row_size);
		struct graph_node_row node;
		memcpy(&node, row, sizeof(node));
		report_read_node_arguments(rewriting->view, NULL, &node, rewriting->arguments);
		find_kept(rewriting, mask);
		for (size_t at = 0; at < sizeof(node.arguments); at++)
			node.arguments[at] &= mask[at];
		memcpy(row, &node, sizeof(node));
	}
}

/*
 * A faulting address may be data that the program took for a pointer. Keep small ones and those
 * near known memory, as for arguments.
 */
static void rewrite_faults(const struct rewriting *rewriting)
{
	const struct view_rows *faults = &rewriting->view->tables[JOURNAL_FAULTS];
	for (uint64_t i = 0; i < faults->n_rows; i++) {
		void *row = (void *)(uintptr_t)(faults->first + i * faults->row_size);
		struct fault_row fault;
		memcpy(&fault, row, sizeof(fault));
		if (fault.address < SMALL_ADDRESS || is_memory(rewriting, fault.address))
			continue;
		fault.address = 0;
		fault.flags &= (uint16_t) ~(FAULT_ADDRESS_PAGE | FAULT_ADDRESS_BYTE);
		memcpy(row, &fault, sizeof(fault));
	}
}

/* Keep the numbers of NaN and infinities, and whether the memory was written. */
static void rewrite_results(struct check_result *before, struct check_result *after)
{
	bool is_written = before->checksum != after->checksum;
	before->min = before->max = before->sum = 0;
	after->min = after->max = after->sum = 0;
	before->checksum = 0;
	after->checksum = is_written;
}

static void rewrite_checks(const struct rewriting *rewriting)
{
	const struct view_rows *launches = &rewriting->view->tables[JOURNAL_CHECKS];
	const struct view_rows *nodes = &rewriting->view->tables[JOURNAL_GRAPH_CHECKS];
	for (uint64_t i = 0; i < launches->n_rows; i++) {
		void *row = (void *)(uintptr_t)(launches->first + i * launches->row_size);
		struct check_row launch;
		memcpy(&launch, row, sizeof(launch));
		rewrite_results(&launch.before, &launch.after);
		memcpy(row, &launch, sizeof(launch));
	}
	for (uint64_t i = 0; i < nodes->n_rows; i++) {
		void *row = (void *)(uintptr_t)(nodes->first + i * nodes->row_size);
		struct graph_check_row node;
		memcpy(&node, row, sizeof(node));
		rewrite_results(&node.before, &node.after);
		memcpy(row, &node, sizeof(node));
	}
}

int redaction_rows(struct bundle *bundle)
{
	struct rewriting rewriting = {.view = &bundle->view,
				      .texts = calloc(1, sizeof(struct texts)),
				      .arguments = calloc(1, sizeof(struct launch_arguments))};
	int result = rewriting.texts && rewriting.arguments ? 0 : -ENOMEM;
	if (!result)
		result = find_memory(&rewriting);
	for (uint32_t slot = 0; slot < bundle->view.n_rings && !result; slot++)
		if (bundle->view.rings[slot].first)
			result = rewrite_ring(&rewriting, slot);
	if (!result) {
		rewrite_nodes(&rewriting);
		rewrite_faults(&rewriting);
		rewrite_checks(&rewriting);
	}
	bundle->view.is_redacted = true;
	free(rewriting.memory);
	free(rewriting.texts);
	free(rewriting.arguments);
	return result;
}
