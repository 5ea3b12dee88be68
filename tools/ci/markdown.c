/*
 * markdown.c - headings, spans of code and blocks of code.
 */
#include "ci/ci.h"

#include <string.h>

#include "base/text.h"

enum { MAX_SIZE = 900 * 1024, FRAME_SIZE = 512 };

static size_t longest_run(const char *string, char of)
{
	size_t longest = 0;
	for (size_t length = 0; *string; string++) {
		length = *string == of ? length + 1 : 0;
		longest = length > longest ? length : longest;
	}
	return longest;
}

static void print_repeated(char c, size_t n, FILE *out)
{
	while (n--)
		fputc(c, out);
}

/* Only as many backticks as at its start end a span. */
static void print_code(const char *string, FILE *out)
{
	size_t n_ticks = longest_run(string, '`') + 1;
	size_t size = strlen(string);
	size_t length = 0;
	print_repeated('`', n_ticks, out);
	fputs(n_ticks > 1 ? " " : "", out);
	for (size_t at = 0; at < size; at += length) {
		uint32_t code = text_character(string + at, size - at, &length);
		length = length ? length : 1;
		if (text_is_printable(code) && code)
			fwrite(string + at, 1, length, out);
		else
			fputc('?', out);
	}
	fputs(n_ticks > 1 ? " " : "", out);
	print_repeated('`', n_ticks, out);
}

static void print_location(const struct ci_finding *finding, FILE *out)
{
	if (!*finding->file)
		return;
	fputs("- at ", out);
	print_code(finding->file, out);
	fprintf(out, ", line %u", (unsigned)finding->line);
	if (*finding->function) {
		fputs(", in ", out);
		print_code(finding->function, out);
	}
	fputc('\n', out);
}

static void print_block(const char *text, FILE *out)
{
	size_t n_ticks = longest_run(text, '`');
	n_ticks = n_ticks < 3 ? 3 : n_ticks + 1;
	fputc('\n', out);
	print_repeated('`', n_ticks, out);
	fprintf(out, "text\n%s", text);
	print_repeated('`', n_ticks, out);
	fputs("\n\n", out);
}

static void print_finding(const struct ci_finding *finding, FILE *out)
{
	fputs("### ", out);
	print_code(finding->message, out);
	fputs("\n\n", out);
	print_location(finding, out);
	if (finding->n_others)
		fprintf(out, "- %zu more of the same\n", finding->n_others);
	if (*finding->fingerprint)
		fprintf(out, "- fingerprint `%s`\n", finding->fingerprint);
	print_block(finding->text, out);
	fputs("<details><summary>The full report</summary>\n", out);
	print_block(finding->full, out);
	fputs("</details>\n\n", out);
}

int markdown_print(const struct ci_findings *findings, FILE *out)
{
	size_t size = 0;
	for (size_t index = 0; index < findings->n; index++) {
		const struct ci_finding *finding = &findings->rows[index];
		size += strlen(finding->text) + strlen(finding->full) + strlen(finding->message) +
			FRAME_SIZE;
		if (size > MAX_SIZE) {
			fprintf(out, "and %zu more\n", findings->n - index);
			break;
		}
		print_finding(finding, out);
	}
	return 0;
}
