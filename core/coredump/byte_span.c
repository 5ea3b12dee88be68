/*
 * byte_span.c - the checked reads. Only the callers know what the bytes mean.
 */
#include "coredump/byte_span.h"

#include <string.h>

static bool is_inside(struct byte_span span, uint64_t offset, uint64_t size)
{
	return offset <= span.size && size <= span.size - offset;
}

bool span_part(struct byte_span span, uint64_t offset, uint64_t size, struct byte_span *out)
{
	if (!is_inside(span, offset, size))
		return false;
	/* An empty span may have no address. */
	*out = (struct byte_span){offset ? span.bytes + offset : span.bytes, (size_t)size};
	return true;
}

bool span_copy(struct byte_span span, uint64_t offset, void *out, size_t size)
{
	if (!is_inside(span, offset, size))
		return false;
	memcpy(out, span.bytes + offset, size);
	return true;
}

uint8_t span_u8(struct byte_span span, uint64_t offset)
{
	return offset < span.size ? span.bytes[offset] : 0;
}

uint16_t span_u16(struct byte_span span, uint64_t offset)
{
	uint16_t value = 0;
	(void)span_copy(span, offset, &value, sizeof(value));
	return value;
}

uint32_t span_u32(struct byte_span span, uint64_t offset)
{
	uint32_t value = 0;
	(void)span_copy(span, offset, &value, sizeof(value));
	return value;
}

uint64_t span_u64(struct byte_span span, uint64_t offset)
{
	uint64_t value = 0;
	(void)span_copy(span, offset, &value, sizeof(value));
	return value;
}

const char *span_string(struct byte_span span, uint64_t offset)
{
	if (offset >= span.size || !memchr(span.bytes + offset, '\0', span.size - offset))
		return "";
	return (const char *)span.bytes + offset;
}
