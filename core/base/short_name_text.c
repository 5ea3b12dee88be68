/*
 * short_name_text.c - writes names within their bounds.
 */
#include "base/short_name_text.h"

/* Limit for all arguments together. The first may identify a kernel, and CUTLASS's are long. */
enum { MAX_ARGUMENT_BYTES = 64 };

static const char ellipsis[] = "…";

struct template_text template_text_begin(struct text *out)
{
	text_add(out, "<");
	return (struct template_text){.out = out};
}

void template_text_cut(struct template_text *arguments)
{
	if (!arguments->is_cut)
		text_add(arguments->out, arguments->n > 0 ? ", " : "");
	if (!arguments->is_cut)
		text_add(arguments->out, ellipsis);
	arguments->is_cut = true;
}

bool template_text_add(struct template_text *arguments, const char *bytes, size_t length,
		       bool is_whole)
{
	bool is_first = arguments->n == 0;
	/* Name a template among the arguments only if it is the first argument. */
	if (arguments->n_bytes + length > MAX_ARGUMENT_BYTES || length == 0 ||
	    (!is_whole && !is_first)) {
		template_text_cut(arguments);
		return false;
	}
	text_add(arguments->out, is_first ? "" : ", ");
	text_add_foreign(arguments->out, bytes, length);
	if (!is_whole) {
		text_add(arguments->out, "<");
		text_add(arguments->out, ellipsis);
		text_add(arguments->out, ">");
	}
	arguments->n++;
	arguments->n_bytes += length;
	return true;
}

void template_text_end(struct template_text *arguments)
{
	text_add(arguments->out, ">");
}

/* Return the length to cut at, never within a character of several bytes. */
static size_t cut_at(const char *name, size_t length)
{
	while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80)
		length--;
	return length;
}

void short_name_add_cut(const char *name, size_t length, struct text *out)
{
	bool is_long = length > SHORT_NAME_MAX;
	text_add_foreign(out, name, is_long ? cut_at(name, SHORT_NAME_MAX) : length);
	text_add(out, is_long ? ellipsis : "");
}
