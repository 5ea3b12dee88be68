/*
 * print_inspected.c - words for summaries of memory, and what they say together.
 */
#include "print/print_parts.h"

#include <inttypes.h>

#include "report/report_nan.h"

enum { PRODUCERS_SIZE = 4 * 1024 };

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

/* Append "  argument 1 + 8: 0x7f1c0000=#4+0, first 1024 x f32?". */
static void add_where(const struct inspected *inspected, struct text *out)
{
	uint64_t distance = inspected->address - inspected->start;
	bool is_part = inspected->size < inspected->allocation_size - distance;
	text_add(out, "  ");
	report_nan_argument(inspected->parameter, inspected->offset, out);
	text_addf(out, ": 0x%" PRIx64 "=#%" PRIu64 "+%" PRIu64 ", %s%zu x %s%s\n",
		  inspected->address, inspected->number, distance, is_part ? "first " : "",
		  inspected->size / value_type_size(inspected->type),
		  value_type_label(inspected->type), inspected->is_guess ? "?" : "");
}

/* Append which earlier launch the bytes came from, as far as that is known. */
static void add_origin(const struct printed_process *process, uint64_t sequence,
		       const struct inspected *inspected, struct text *out)
{
	const struct spoiled *spoiled = print_producers_spoiled(process, inspected->address);
	char names[PRODUCERS_SIZE];
	struct text producers = text_in(names, sizeof(names));
	bool is_odd = count_odd(&inspected->before) > 0;
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
	if (print_producers_add(process, inspected->address, sequence, &producers))
		text_addf(out, "    previously passed to %s\n", names);
	else if (print_producers_add(process, inspected->number, sequence, &producers))
		text_addf(out, "    allocation previously passed to %s\n", names);
	else if (is_odd)
		text_add(out, "    not passed to any earlier launch on record\n");
}

/* Append the summary before the launch and, if the bytes changed, after it. */
static void add_pointer(const struct printed_process *process, uint64_t sequence,
			const struct inspected *inspected, struct text *out)
{
	add_where(inspected, out);
	text_add(out, "    before  ");
	add_summary(inspected->type, &inspected->before, out);
	text_add(out, !inspected->has_after   ? "; not read afterwards\n"
		      : inspected->is_changed ? "\n"
					      : "; unchanged\n");
	if (inspected->is_changed) {
		text_add(out, "    after   ");
		add_summary(inspected->type, &inspected->after, out);
		text_add(out, "; ");
		if (inspected->n_changed)
			text_addf(out, "%zu ", inspected->n_changed);
		text_add(out, "changed\n");
	}
	add_origin(process, sequence, inspected, out);
}

/* Return an argument that had NaN or infinity before the launch, preferably one only read by it. */
static const struct inspected *find_cause(const struct inspected *inspected, uint32_t n)
{
	const struct inspected *found = NULL;
	for (uint32_t i = 0; i < n; i++)
		if (count_odd(&inspected[i].before) &&
		    (!found || (found->is_changed && !inspected[i].is_changed)))
			found = &inspected[i];
	return found;
}

/*
 * Append "  => argument 0: 1 NaN, made here: ...". `cause` is an argument that had NaN or infinity
 * before the launch; NULL: none had.
 */
static void add_gain(const struct inspected *inspected, const struct inspected *cause,
		     struct text *out)
{
	text_add(out, "  => ");
	report_nan_argument(inspected->parameter, inspected->offset, out);
	text_add(out, ": ");
	add_odd(&inspected->after, out);
	if (!cause) {
		text_add(out, ", made here: none of the inspected arguments had any before\n");
		return;
	}
	text_add(out, cause->is_changed ? ", but " : ", passed on from ");
	report_nan_argument(cause->parameter, cause->offset, out);
	text_add(out, cause->is_changed ? ", which was also written, had some before\n" : "\n");
}

/* For each NaN or infinity that the launch wrote, append whether it made it or passed it on. */
static void add_conclusion(struct printed_process *process, uint64_t sequence,
			   const struct inspected *inspected, uint32_t n, struct text *out)
{
	const struct inspected *cause = find_cause(inspected, n);
	const struct spoiled *known =
		cause ? print_producers_spoiled(process, cause->address) : NULL;
	struct spoiled spoiled = {.first = !cause ? sequence : known ? known->first : 0};
	for (uint32_t i = 0; i < n; i++) {
		size_t n_odd = count_odd(&inspected[i].after);
		if (!inspected[i].is_changed)
			continue;
		if (n_odd > count_odd(&inspected[i].before))
			add_gain(&inspected[i], cause, out);
		spoiled.address = inspected[i].address;
		spoiled.by = n_odd ? sequence : 0;
		print_producers_spoil(process, &spoiled);
	}
}

void print_inspected(struct printed_process *process, uint64_t sequence,
		     const struct inspected *inspected, uint32_t n, struct text *out)
{
	for (uint32_t i = 0; i < n; i++)
		add_pointer(process, sequence, &inspected[i], out);
	add_conclusion(process, sequence, inspected, n, out);
}
