/*
 * pickle.c - write opcodes of Python's pickletools, protocol 2. Numbers are little-endian.
 */
#include "memory/pickle.h"

#include <string.h>

static void write_u32(FILE *out, uint32_t number)
{
	for (int i = 0; i < 4; i++)
		fputc((int)(number >> 8 * i & 0xff), out);
}

/*
 * Write a signed number in as few bytes as possible. The page reads one of more than 8 bytes as
 * another type.
 */
static void write_long(FILE *out, uint64_t number)
{
	int n = 1;
	while (number >> (8 * n - 1))
		n++;
	fputc(0x8a, out); /* LONG1 */
	fputc(n, out);
	for (int i = 0; i < n; i++)
		fputc((int)(number >> 8 * i & 0xff), out);
}

void pickle_begin(FILE *out)
{
	fputs("\x80\x02", out); /* PROTO 2 */
}

void pickle_end(FILE *out)
{
	fputc('.', out);
}

void pickle_string(FILE *out, const char *text)
{
	fputc('X', out); /* BINUNICODE */
	write_u32(out, (uint32_t)strlen(text));
	fputs(text, out);
}

void pickle_word(FILE *out, struct pickle_words *words, const char *text)
{
	uint32_t i = 0;
	while (i < words->n && words->texts[i] != text)
		i++;
	if (i < words->n) {
		fputc('h', out); /* BINGET */
		fputc((int)i, out);
		return;
	}
	pickle_string(out, text);
	if (i == PICKLE_MAX_WORDS)
		return;
	words->texts[words->n++] = text;
	fputc('q', out); /* BINPUT */
	fputc((int)i, out);
}

void pickle_number(FILE *out, uint64_t number)
{
	if (number <= INT32_MAX) {
		fputc('J', out); /* BININT */
		write_u32(out, (uint32_t)number);
		return;
	}
	write_long(out, number <= INT64_MAX ? number : INT64_MAX);
}

void pickle_open_list(FILE *out)
{
	fputs("](", out); /* EMPTY_LIST MARK */
}

void pickle_part_list(FILE *out)
{
	fputs("e(", out); /* APPENDS MARK */
}

void pickle_close_list(FILE *out)
{
	fputc('e', out); /* APPENDS */
}

void pickle_open_dictionary(FILE *out)
{
	fputs("}(", out); /* EMPTY_DICT MARK */
}

void pickle_close_dictionary(FILE *out)
{
	fputc('u', out); /* SETITEMS */
}

void pickle_put(FILE *out, uint32_t number)
{
	fputc('r', out); /* LONG_BINPUT */
	write_u32(out, number);
}

void pickle_get(FILE *out, uint32_t number)
{
	fputc('j', out); /* LONG_BINGET */
	write_u32(out, number);
}
