/*
 * report_origin.c - the lines that say where work was submitted from: Python first, then what lies
 * between it and the driver.
 */
#include <inttypes.h>
#include <string.h>

#include "report_lines.h"
#include "report_stack.h"

enum { MAX_FRAMES = 8, MAX_NATIVE_FRAMES = 6, MAX_NOTES = 4, FILE_NAME_SIZE = 4096 };

/* What a file that a compiler wrote says about its own line. */
static void add_notes(const struct report *report, const struct python_frame *frame,
		      struct text *out)
{
	const struct symbol_source *symbols = report->symbols;
	const char *notes[MAX_NOTES];
	size_t n = 0;

	if (symbols && symbols->notes && frame->line > 0)
		n = symbols->notes(symbols->state, frame->file.bytes, frame->line, notes,
				   MAX_NOTES);
	for (size_t i = 0; i < n; i++) {
		begin_line(out, "");
		text_add_foreign(out, notes[i], strlen(notes[i]));
		end_line(out);
	}
}

static void add_generated(const struct report *report, uint32_t stack, struct text *out)
{
	struct python_frame frame;

	if (!report_python_generated(report, stack, &frame))
		return;
	begin_line(out, "generated code");
	text_add_foreign(out, frame.file.bytes, frame.file.length);
	if (frame.line > 0)
		text_addf(out, ":%" PRIu32, frame.line);
	end_line(out);
	add_notes(report, &frame, out);
}

/* The line is taken back where it has nothing to say. */
static void add_line_or_none(const struct text *before, bool is_there, struct text *out)
{
	if (is_there) {
		end_line(out);
		return;
	}
	*out = *before;
	*out->at = '\0';
}

void add_origin(const struct report *report, uint32_t stack, struct text *out)
{
	struct text before;

	begin_line(out, "launched from");
	report_stack(report, stack, MAX_FRAMES, out);
	end_line(out);
	if (!report_has_python(report, stack))
		return;
	before = *out;
	begin_line(out, "through");
	add_line_or_none(&before, report_python_through(report, stack, out), out);
	add_generated(report, stack, out);
	before = *out;
	begin_line(out, "native");
	add_line_or_none(&before, report_native_beside(report, stack, MAX_NATIVE_FRAMES, out), out);
}
