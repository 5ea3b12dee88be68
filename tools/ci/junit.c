/*
 * junit.c - writes XML by hand: only five characters need escapes.
 */
#include "ci/ci.h"

#include <string.h>

#include "base/text.h"

/* Texts are already printable except for line ends, but names are untrusted. */
static void print_escaped(const char *string, FILE *out)
{
	size_t size = strlen(string);
	size_t length = 0;
	for (size_t at = 0; at < size; at += length) {
		uint32_t code = text_character(string + at, size - at, &length);
		bool is_plain = length && (code == '\n' || text_is_printable(code));
		length = length ? length : 1;
		if (!is_plain)
			fputc('?', out);
		else if (code == '&')
			fputs("&amp;", out);
		else if (code == '<')
			fputs("&lt;", out);
		else if (code == '>')
			fputs("&gt;", out);
		else if (code == '"')
			fputs("&quot;", out);
		else
			fwrite(string + at, 1, length, out);
	}
}

static void print_attribute(const char *name, const char *value, FILE *out)
{
	fprintf(out, " %s=\"", name);
	print_escaped(value, out);
	fputc('"', out);
}

/*
 * The name is the same in every run, so that a server recognises the case: it has the error, the
 * function, the file and the fingerprint, but no line and no process.
 */
static void print_name(const struct ci_finding *finding, FILE *out)
{
	fputs(" name=\"", out);
	print_escaped(finding->name, out);
	if (*finding->function)
		fputs(" in ", out);
	print_escaped(finding->function, out);
	if (*finding->file)
		fputs(", ", out);
	print_escaped(finding->file, out);
	fputs(" [", out);
	print_escaped(finding->fingerprint, out);
	fputs("]\"", out);
}

static void print_case(const struct ci_finding *finding, FILE *out)
{
	fputs("  <testcase", out);
	print_attribute("classname", *finding->program ? finding->program : "culprit", out);
	print_name(finding, out);
	fputs(" time=\"0\">\n   <failure", out);
	print_attribute("type", finding->rule, out);
	print_attribute("message", finding->message, out);
	fputc('>', out);
	print_escaped(finding->text, out);
	fputs("</failure>\n  </testcase>\n", out);
}

int junit_print(const struct ci_findings *findings, FILE *out)
{
	fprintf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
		" <testsuite name=\"culprit\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
		"time=\"0\">\n",
		findings->n ? findings->n : 1, findings->n);
	for (size_t index = 0; index < findings->n; index++)
		print_case(&findings->rows[index], out);
	if (!findings->n)
		fputs("  <testcase classname=\"culprit\" name=\"no GPU failure seen\" "
		      "time=\"0\"/>\n",
		      out);
	fputs(" </testsuite>\n</testsuites>\n", out);
	return 0;
}
