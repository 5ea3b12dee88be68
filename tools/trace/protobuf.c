/*
 * protobuf.c - the part of the wire format that traces need.
 */
#include "trace/protobuf.h"

#include <stdlib.h>
#include <string.h>

/* Wire types. */
enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_LENGTH = 2, WIRE_BITS = 3 };
enum { MAX_VARINT = 10 };

static bool has_room(struct protobuf *message, size_t size)
{
	size_t capacity = message->capacity ? message->capacity : 256;
	if (message->is_out_of_memory)
		return false;
	if (message->capacity - message->size >= size)
		return true;
	while (capacity - message->size < size)
		capacity *= 2;
	unsigned char *bytes = realloc(message->bytes, capacity);
	message->is_out_of_memory = !bytes;
	if (!bytes)
		return false;
	message->bytes = bytes;
	message->capacity = capacity;
	return true;
}

static size_t write_varint(unsigned char *out, uint64_t number)
{
	size_t size = 0;
	for (; number > 0x7f; number >>= 7)
		out[size++] = (unsigned char)(number | 0x80);
	out[size++] = (unsigned char)number;
	return size;
}

static void add_varint(struct protobuf *message, uint64_t number)
{
	if (has_room(message, MAX_VARINT))
		message->size += write_varint(message->bytes + message->size, number);
}

static void add_tag(struct protobuf *message, uint32_t field, unsigned wire)
{
	add_varint(message, (uint64_t)field << WIRE_BITS | wire);
}

static void add_raw(struct protobuf *message, const void *bytes, size_t size)
{
	if (!size || !has_room(message, size))
		return;
	memcpy(message->bytes + message->size, bytes, size);
	message->size += size;
}

void protobuf_add_number(struct protobuf *message, uint32_t field, uint64_t number)
{
	add_tag(message, field, WIRE_VARINT);
	add_varint(message, number);
}

void protobuf_add_fixed64(struct protobuf *message, uint32_t field, uint64_t number)
{
	unsigned char bytes[sizeof(number)];
	for (size_t index = 0; index < sizeof(bytes); index++)
		bytes[index] = (unsigned char)(number >> 8 * index);
	add_tag(message, field, WIRE_FIXED64);
	add_raw(message, bytes, sizeof(bytes));
}

void protobuf_add_bytes(struct protobuf *message, uint32_t field, const void *bytes, size_t size)
{
	add_tag(message, field, WIRE_LENGTH);
	add_varint(message, size);
	add_raw(message, bytes, size);
}

void protobuf_add_string(struct protobuf *message, uint32_t field, const char *string)
{
	protobuf_add_bytes(message, field, string, strlen(string));
}

size_t protobuf_begin(struct protobuf *message, uint32_t field)
{
	add_tag(message, field, WIRE_LENGTH);
	return message->size;
}

/* Insert the length before the message. Its own size is known only now, so the message is moved. */
void protobuf_end(struct protobuf *message, size_t begun)
{
	size_t size = message->size - begun;
	unsigned char length[MAX_VARINT];
	size_t n = write_varint(length, size);
	if (!has_room(message, n))
		return;
	memmove(message->bytes + begun + n, message->bytes + begun, size);
	memcpy(message->bytes + begun, length, n);
	message->size += n;
}
