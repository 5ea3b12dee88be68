/*
 * nvtx_text.c - bounded copies of the application's strings. The host's locale is not used, since
 * it may change.
 */
#include "record/nvtx/nvtx_text.h"

#include <string.h>

static bool is_continuation(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Return where the last character starts that a cut at `size` would split. */
static size_t whole_characters(const char *string, size_t size)
{
	size_t start = size;
	/* A character has at most three continuation bytes; more is not UTF-8. */
	while (start > 0 && size - start < 3 && is_continuation(string[start]))
		start--;
	return is_continuation(string[start]) ? size : start;
}

void nvtx_text_set(struct nvtx_text *text, const char *string)
{
	size_t size = string ? strnlen(string, NVTX_TEXT_MAX + 1) : 0;
	text->is_cut = size > NVTX_TEXT_MAX;
	if (text->is_cut)
		size = whole_characters(string, NVTX_TEXT_MAX);
	memcpy(text->bytes, size ? string : "", size);
	text->size = (uint8_t)size;
}

/* Encode a character as UTF-8; return the number of bytes, 1 to 4. */
static size_t encode(uint32_t character, char out[4])
{
	static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
	bool is_none = character > 0x10ffff || (character >= 0xd800 && character <= 0xdfff);
	if (is_none || character < 0x80) {
		out[0] = (char)(is_none ? '?' : character);
		return 1;
	}
	size_t size = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
	for (size_t i = size - 1; i > 0; i--, character >>= 6)
		out[i] = (char)(0x80 | (character & 0x3f));
	out[0] = (char)(leads[size] | character);
	return size;
}

void nvtx_text_set_wide(struct nvtx_text *text, const wchar_t *string)
{
	size_t size = 0;
	text->is_cut = false;
	char bytes[4];
	for (; string && *string && !text->is_cut; string++) {
		size_t more = encode((uint32_t)*string, bytes);
		text->is_cut = size + more > NVTX_TEXT_MAX;
		if (text->is_cut)
			break;
		memcpy(text->bytes + size, bytes, more);
		size += more;
	}
	text->size = (uint8_t)size;
}
