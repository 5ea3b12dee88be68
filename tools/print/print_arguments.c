/*
 * print_arguments.c - looks pointers up once: most launches are given the same ones again.
 */
#include "print/print_arguments.h"

#include <inttypes.h>
#include <string.h>

#include "print/print_number.h"
#include "print/print_places.h"

enum { DECIMAL_BELOW = 1 << 29 }; /* as in reports */

/* A word of 8 bytes. Below 4 GiB lies no memory of a GPU. */
static void add_word(const struct print_moment *at, uint64_t value, struct text *out)
{
	struct range_row range;

	print_hexadecimal(value, out);
	if (value <= UINT32_MAX || !print_place_find(at, value, &range))
		return;
	print_words("=#", out);
	print_decimal(range.number, out);
	print_words("+", out);
	print_decimal(value - range.start, out);
}

static void add_value(const struct print_moment *at, const struct launch_arguments *arguments,
		      const struct parameter_row *parameter, struct text *out)
{
	bool is_kept = parameter->offset <= arguments->n_bytes &&
		       parameter->size <= arguments->n_bytes - parameter->offset;
	uint64_t value = 0;

	if (!is_kept || parameter->size > sizeof(value)) {
		text_addf(out, "{%" PRIu32 " bytes}", parameter->size);
		return;
	}
	memcpy(&value, arguments->bytes + parameter->offset, parameter->size);
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
