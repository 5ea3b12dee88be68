/*
 * report_code.c - names of what was submitted, shortened for people.
 */
#include <inttypes.h>
#include <string.h>

#include "report.h"
#include "short_name.h"

static void add_kernel_name(const struct report *report, const struct journal_record *record,
			    bool is_short, struct text *out)
{
	const struct function_row *function = view_function(report->view, record->launch.function);
	const struct symbol_source *symbols = report->symbols;
	size_t length = 0;
	const char *name = function ? view_string(report->view, function->name, &length) : "";
	const char *readable = length > 0 && symbols && symbols->demangle
				       ? symbols->demangle(symbols->state, name)
				       : NULL;

	if (length == 0)
		text_addf(out, "the kernel 0x%" PRIx64, function ? function->handle : 0);
	else if (is_short)
		short_name_add_kernel(readable ? readable : name, out);
	else
		text_add_foreign(out, readable ? readable : name,
				 readable ? strlen(readable) : length);
}

void report_work_name(const struct report *report, const struct journal_record *record,
		      bool is_short, struct text *out)
{
	size_t length;
	const char *call = view_string(report->view, record->call, &length);

	if (record->work == WORK_KERNEL)
		add_kernel_name(report, record, is_short, out);
	else if (record->work == WORK_GRAPH)
		text_addf(out, "graph 0x%" PRIx64 ", replay %" PRIu64, record->graph.handle,
			  record->graph.replay);
	else if (length > 0)
		text_add_foreign(out, call, length);
	else
		text_add(out, "an unknown call");
}
