/*
 * protobuf.h - writes messages of Protocol Buffers: varints, fixed 64-bit numbers, and what is as
 * long as it says. https://protobuf.dev/programming-guides/encoding/
 */
#ifndef CULPRIT_TOOLS_PROTOBUF_H
#define CULPRIT_TOOLS_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zeroed one is an empty message; `bytes` is to be freed. */
struct protobuf {
	unsigned char *bytes;
	size_t size;
	size_t capacity;
	bool is_out_of_memory; /* then nothing more is added */
};

void protobuf_add_number(struct protobuf *message, uint32_t field, uint64_t number);
void protobuf_add_fixed64(struct protobuf *message, uint32_t field, uint64_t number);
void protobuf_add_bytes(struct protobuf *message, uint32_t field, const void *bytes, size_t size);
void protobuf_add_string(struct protobuf *message, uint32_t field, const char *string);

/* A message within: what is added between the two is in it. Begin gives what end is to be told. */
size_t protobuf_begin(struct protobuf *message, uint32_t field);
void protobuf_end(struct protobuf *message, size_t begun);

#endif
