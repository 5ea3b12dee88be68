/*
 * protobuf.h - write Protocol Buffers messages: varints, fixed 64-bit numbers, and fields with a
 * length. See https://protobuf.dev/programming-guides/encoding/
 */
#ifndef CULPRIT_TOOLS_PROTOBUF_H
#define CULPRIT_TOOLS_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zeroed struct is an empty message. The caller frees `bytes`. */
struct protobuf {
	unsigned char *bytes;
	size_t size;
	size_t capacity;
	bool is_out_of_memory; /* set on failure; nothing more is added then */
};

void protobuf_add_number(struct protobuf *message, uint32_t field, uint64_t number);
void protobuf_add_fixed64(struct protobuf *message, uint32_t field, uint64_t number);
void protobuf_add_bytes(struct protobuf *message, uint32_t field, const void *bytes, size_t size);
void protobuf_add_string(struct protobuf *message, uint32_t field, const char *string);

/*
 * Start and end a nested message, which is everything added in between. Pass the result of
 * protobuf_begin() to protobuf_end().
 */
size_t protobuf_begin(struct protobuf *message, uint32_t field);
void protobuf_end(struct protobuf *message, size_t begun);

#endif
