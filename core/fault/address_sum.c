/*
 * address_sum.c - try each pair of words of a parameter buffer.
 */
#include "fault/address_sum.h"

#include <string.h>

/* Larger buffers are searched up to here. */
enum { MAX_BYTES = 512, MAX_WORDS = MAX_BYTES / 2, N_SCALES = 5 };

/* Small numbers are no pointers. Words between the limits below are pointers, not two numbers. */
static const uint64_t LEAST_POINTER = 1 << 16;
static const uint64_t LEAST_WHOLE = (uint64_t)1 << 40;
static const uint64_t END_OF_ADDRESSES = (uint64_t)1 << 57;

/* An address so near to the pointer's memory may be that of any work that goes past its end. */
static const uint64_t NEAR = 1 << 20;

/* A number among the arguments, of four or eight bytes. */
struct word {
	uint32_t at, size;
};

struct words {
	const unsigned char *bytes;
	uint32_t n;
	struct word of[MAX_WORDS];
};

/* The wanted address, in [start, start + span). */
struct target {
	const struct bundle_view *view;
	uint64_t start, span;
	uint64_t least; /* a smaller product says nothing */
};

static uint64_t value_of(const unsigned char *bytes, struct word word)
{
	uint64_t value = 0;
	memcpy(&value, bytes + word.at, word.size);
	return value;
}

static void add_word(struct words *words, size_t at, uint32_t size, size_t end)
{
	if (at + size <= end && words->n < MAX_WORDS)
		words->of[words->n++] = (struct word){(uint32_t)at, size};
}

/* Add what a structure, or an unknown buffer, may hold from `at` to `end`. */
static void add_all(struct words *words, size_t at, size_t end)
{
	for (at = (at + 7) / 8 * 8; at + sizeof(uint64_t) <= end; at += sizeof(uint64_t)) {
		struct word whole = {(uint32_t)at, sizeof(uint64_t)};
		uint64_t value = value_of(words->bytes, whole);
		add_word(words, at, whole.size, end);
		if (value >= LEAST_WHOLE && value < END_OF_ADDRESSES)
			continue;
		add_word(words, at, sizeof(uint32_t), end);
		add_word(words, at + sizeof(uint32_t), sizeof(uint32_t), end);
	}
	add_word(words, at, sizeof(uint32_t), end);
}

static void add_parameter(struct words *words, const struct parameter_row *row, size_t size)
{
	size_t end = (size_t)row->offset + row->size;
	if (row->size == sizeof(uint32_t) || row->size == sizeof(uint64_t))
		add_word(words, row->offset, row->size, size);
	else if (row->size > sizeof(uint64_t))
		add_all(words, row->offset, end < size ? end : size);
}

static void list_words(const struct bundle_view *view, const struct function_row *function,
		       size_t size, struct words *out)
{
	bool is_known = function && function->n_parameters != UINT32_MAX;
	out->n = 0;
	if (!is_known)
		add_all(out, 0, size);
	for (uint32_t i = 0; is_known && i < function->n_parameters; i++) {
		const struct parameter_row *row =
			view_parameter(view, function->first_parameter + i);
		if (!row || row->offset >= size)
			break;
		add_parameter(out, row, size);
	}
}

/* Note whether the pointer is into known memory, and the address far from all of that. */
static void find_memory(const struct bundle_view *view, struct address_sum *sum)
{
	uint64_t n_rows = view->tables[JOURNAL_RANGES].n_rows;
	uint64_t address = sum->pointer + (uint64_t)sum->product;
	bool is_near = view->tables[JOURNAL_RANGES].lost > 0;
	struct range_row row;
	for (uint64_t id = 1; id <= n_rows && id <= UINT32_MAX; id++) {
		if (!view_range_copy(view, (uint32_t)id, &row) || !range_has_address(row.kind) ||
		    sum->pointer - row.start >= row.size)
			continue;
		sum->is_known = true;
		is_near = is_near || address + NEAR - row.start < row.size + 2 * NEAR;
	}
	sum->is_far = sum->is_known && !is_near;
}

static uint64_t size_of_product(int64_t product)
{
	return product < 0 ? -(uint64_t)product : (uint64_t)product;
}

static bool is_better(const struct address_sum *sum, const struct address_sum *best)
{
	if (sum->is_known != best->is_known)
		return sum->is_known;
	return size_of_product(sum->product) > size_of_product(best->product);
}

/* Try the factor of the sum with each scale, and keep the best sum in *best. */
static void try_factor(const struct target *target, struct address_sum sum,
		       struct address_sum *best)
{
	for (uint32_t i = 0; i < N_SCALES; i++) {
		sum.scale = 1U << i;
		sum.product = (int64_t)((uint64_t)sum.factor << i);
		if (sum.pointer + (uint64_t)sum.product - target->start >= target->span ||
		    size_of_product(sum.product) < target->least)
			continue;
		sum.is_known = sum.is_far = false;
		find_memory(target->view, &sum);
		if (best->scale == 0 || is_better(&sum, best))
			*best = sum;
	}
}

/* Try each other word as the factor. A number of four bytes may have a sign. */
static void try_pointer(const struct target *target, const struct words *words,
			struct address_sum sum, struct address_sum *best)
{
	for (uint32_t i = 0; i < words->n; i++) {
		const struct word *word = &words->of[i];
		if (word->at < sum.pointer_at + sizeof(uint64_t) &&
		    sum.pointer_at < word->at + word->size)
			continue;
		sum.factor_at = word->at;
		sum.factor = (int64_t)value_of(words->bytes, *word);
		try_factor(target, sum, best);
		if (word->size == sizeof(uint32_t)) {
			sum.factor = (int32_t)sum.factor;
			try_factor(target, sum, best);
		}
	}
}

bool address_sum_find(const struct bundle_view *view, const struct fault_row *row,
		      const struct function_row *function, const unsigned char *bytes, size_t size,
		      struct address_sum *out)
{
	bool is_page = row->flags & FAULT_ADDRESS_PAGE;
	const struct target target = {.view = view,
				      .start = row->address,
				      .span = is_page ? fault_page_size(row) : 1,
				      .least = is_page ? fault_page_size(row) : 1};
	struct words words = {.bytes = bytes};
	*out = (struct address_sum){.scale = 0};
	if (!(row->flags & (FAULT_ADDRESS_PAGE | FAULT_ADDRESS_BYTE)))
		return false;
	list_words(view, function, size < MAX_BYTES ? size : MAX_BYTES, &words);
	for (uint32_t i = 0; i < words.n; i++) {
		struct address_sum sum = {.pointer_at = words.of[i].at};
		sum.pointer = value_of(bytes, words.of[i]);
		if (words.of[i].size == sizeof(uint64_t) && sum.pointer >= LEAST_POINTER)
			try_pointer(&target, &words, sum, out);
	}
	return out->scale != 0;
}
