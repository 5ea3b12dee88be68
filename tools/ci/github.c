/*
 * github.c - workflow commands: lines in which '%', line ends and, in a property, ':' and ',' are
 * escaped as numbers.
 */
#include "ci/ci.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

enum { MAX_ANNOTATIONS = 10 };

static void print_escaped(const char *string, bool is_property, FILE *out)
{
	size_t size = strlen(string);
	size_t length = 0;
	for (size_t at = 0; at < size; at += length) {
		uint32_t code = text_character(string + at, size - at, &length);
		length = length ? length : 1;
		if (code == '%' || code == '\n' || code == '\r' ||
		    (is_property && (code == ':' || code == ',')))
			fprintf(out, "%%%02X", (unsigned)code);
		else if (text_is_printable(code) && code)
			fwrite(string + at, 1, length, out);
		else
			fputc('?', out);
	}
}

static void print_annotation(const struct ci_finding *finding, FILE *out)
{
	fputs("::error ", out);
	if (*finding->file) {
		fputs("file=", out);
		print_escaped(finding->file, true, out);
		fprintf(out, ",line=%u,", (unsigned)finding->line);
	}
	fputs("title=", out);
	print_escaped(finding->name, true, out);
	fputs("::", out);
	print_escaped(finding->text, false, out);
	fputc('\n', out);
}

int github_print(const struct ci_findings *findings, FILE *out)
{
	for (size_t index = 0; index < findings->n && index < MAX_ANNOTATIONS; index++)
		print_annotation(&findings->rows[index], out);
	return 0;
}
