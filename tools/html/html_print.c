/*
 * html_print.c - a small printf that escapes strings.
 */
#include "html/html_parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"

static const char *entity_of(uint32_t code)
{
	switch (code) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void html_add_foreign(FILE *out, const char *bytes, size_t size)
{
	for (size_t at = 0; at < size;) {
		size_t length = 0;
		uint32_t code = text_character(bytes + at, size - at, &length);
		const char *entity = length ? entity_of(code) : NULL;
		if (entity)
			fputs(entity, out);
		else if (length && text_is_printable(code))
			fwrite(bytes + at, 1, length, out);
		else
			fputc('?', out);
		at += length ? length : 1;
	}
}

static void add_string(FILE *out, const char *string)
{
	html_add_foreign(out, string ? string : "", string ? strlen(string) : 0);
}

/* Print one conversion, whose '%' is before `at`. Return where the format continues. */
static const char *convert(FILE *out, const char *at, va_list *arguments)
{
	bool is_large = *at == 'j';
	bool is_size = *at == 'z';
	at += is_large || is_size ? 1 : 0;
	switch (*at) {
	case 's':
		add_string(out, va_arg(*arguments, const char *));
		break;
	case 'd':
		fprintf(out, "%d", va_arg(*arguments, int));
		break;
	case 'x':
		fprintf(out, "%jx", va_arg(*arguments, uintmax_t));
		break;
	case 'u':
		if (is_large)
			fprintf(out, "%ju", va_arg(*arguments, uintmax_t));
		else if (is_size)
			fprintf(out, "%zu", va_arg(*arguments, size_t));
		else
			fprintf(out, "%u", va_arg(*arguments, unsigned));
		break;
	default:
		fputc('%', out);
	}
	return at + 1;
}

void html_print(FILE *out, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	while (*format) {
		const char *next = strchrnul(format, '%');
		fwrite(format, 1, (size_t)(next - format), out);
		format = *next ? convert(out, next + 1, &arguments) : next;
	}
	va_end(arguments);
}
