/*
 * print_arguments.c - print arguments as numbers, pointers or structures.
 */
#include "print/print_parts.h"

#include <inttypes.h>
#include <string.h>

#include "numbers/print_number.h"

enum {
	DECIMAL_BELOW = 1 << 29, /* as in reports */
	ADDRESS_BITS = 48,       /* of a process: 47 on x86-64, 48 on aarch64 */
	SEARCHED_BYTES = 64,     /* largest structure to search: each non-pointer costs a search */
};

static void add_place(uint64_t value, const struct range_row *range, struct text *out)
{
	print_hexadecimal(value, out);
	print_words("=#", out);
	print_decimal(range->number, out);
	print_words("+", out);
	print_decimal(value - range->start, out);
}

/* GPU memory is above 4 GiB, and the process's addresses are below 2^48. */
static bool find_place(const struct print_moment *at, uint64_t value, struct range_row *out)
{
	return value > UINT32_MAX && !(value >> ADDRESS_BITS) &&
	       print_location_find(at, value, out);
}

/* Append a value of up to 8 bytes. */
static void add_word(const struct print_moment *at, uint64_t value, struct text *out)
{
	struct range_row range;
	if (find_place(at, value, &range))
		add_place(value, &range, out);
	else
		print_hexadecimal(value, out);
}

/*
 * Append "{24 bytes: 0x7f6c34808a00=#3+18432}": a structure's size and, if it is small, the words
 * that point into an allocation. Libraries pass tensors in such structures.
 */
static void add_structure(const struct print_moment *at, const unsigned char *bytes, uint32_t size,
			  struct text *out)
{
	unsigned n_added = 0;
	print_words("{", out);
	print_decimal(size, out);
	print_words(" bytes", out);
	for (uint32_t i = 0; bytes && i + 8 <= size && size <= SEARCHED_BYTES; i += 8) {
		uint64_t value = 0;
		memcpy(&value, bytes + i, sizeof(value));
		struct range_row range;
		if (!find_place(at, value, &range))
			continue;
		print_bytes(n_added++ ? ", " : ": ", 2, out);
		add_place(value, &range, out);
	}
	print_words("}", out);
}

static void add_value(const struct print_moment *at, const struct launch_arguments *arguments,
		      const struct parameter_row *parameter, struct text *out)
{
	bool is_kept = parameter->offset <= arguments->n_bytes &&
		       parameter->size <= arguments->n_bytes - parameter->offset;
	const unsigned char *bytes = is_kept ? arguments->bytes + parameter->offset : NULL;
	uint64_t value = 0;
	if (!bytes || parameter->size > sizeof(value)) {
		add_structure(at, bytes, parameter->size, out);
		return;
	}
	memcpy(&value, bytes, parameter->size);
	if (value < DECIMAL_BELOW)
		print_decimal(value, out);
	else
		add_word(at, value, out);
}

void print_arguments(struct printed_process *process, const struct journal_record *record,
		     uint64_t batch, struct launch_arguments *arguments, struct text *out)
{
	const struct print_moment at = {process, record->sequence, batch};
	const struct function_row *row = view_function(&process->view, record->launch.function);
	uint32_t n = row ? row->n_parameters : UINT32_MAX;
	if (n == UINT32_MAX)
		print_words("?", out);
	for (uint32_t i = 0; n != UINT32_MAX && i < n; i++) {
		const struct parameter_row *parameter =
			row->first_parameter <= UINT32_MAX - i
				? view_parameter(&process->view, row->first_parameter + i)
				: NULL;
		if (!parameter || out->cut)
			return;
		if (i)
			print_words(", ", out);
		add_value(&at, arguments, parameter, out);
	}
}
