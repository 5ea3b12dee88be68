/*
 * nvtx_abi.h - the part that culprit uses of the binary interface between a program's copy of
 * NVTX 3 and a tool. It is declared here because NVIDIA's headers may be missing at build time, and
 * each describes one version. tests/nvtx compares the two.
 */
#ifndef CULPRIT_ENTRY_NVTX_ABI_H
#define CULPRIT_ENTRY_NVTX_ABI_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

typedef void (*nvtx_function)(void);

/* Returns the copy's table of this number. */
typedef const void *(*nvtx_export_table)(uint32_t id);

enum { NVTX_TABLE_CALLBACKS = 1 };

/*
 * module_functions returns an array for a module: pointers to the function pointers that the copy
 * calls through. *out_size is its size, including the unused index 0. Returns 1; 0: no such module.
 */
struct nvtx_callbacks {
	size_t struct_size;
	int (*module_functions)(int module, nvtx_function ***out_functions, unsigned *out_size);
};

enum { NVTX_MODULE_CORE = 1, NVTX_MODULE_DOMAINS = 5 };

enum nvtx_core {
	NVTX_RANGE_START_EX = 4,
	NVTX_RANGE_START_A,
	NVTX_RANGE_START_W,
	NVTX_RANGE_END,
	NVTX_RANGE_PUSH_EX,
	NVTX_RANGE_PUSH_A,
	NVTX_RANGE_PUSH_W,
	NVTX_RANGE_POP,
};

enum nvtx_domains {
	NVTX_DOMAIN_RANGE_START_EX = 2,
	NVTX_DOMAIN_RANGE_END,
	NVTX_DOMAIN_RANGE_PUSH_EX,
	NVTX_DOMAIN_RANGE_POP,
	NVTX_DOMAIN_REGISTER_STRING_A = 10,
	NVTX_DOMAIN_REGISTER_STRING_W,
	NVTX_DOMAIN_CREATE_A,
	NVTX_DOMAIN_CREATE_W,
	NVTX_DOMAIN_DESTROY,
};

/*
 * The copy's extensions, each with a look-up of its own. A function's number is its slot, which is
 * 0 until a tool stores a function there.
 */
struct nvtx_segment {
	size_t id;
	size_t n_slots;
	nvtx_function *slots;
};

struct nvtx_extension {
	uint16_t version;
	uint16_t size; /* of the whole structure */
	uint16_t module;
	uint16_t compatibility;
	size_t n_segments;
	struct nvtx_segment *segments;
	void *exports;
	const void *info;
};

enum { NVTX_EXTENSION_PAYLOAD = 2 };

/* Ranges with binary data. A function of the core may start or end the same range. */
enum nvtx_payload {
	NVTX_RANGE_PUSH_PAYLOAD = 3,
	NVTX_RANGE_POP_PAYLOAD,
	NVTX_RANGE_START_PAYLOAD,
	NVTX_RANGE_END_PAYLOAD,
};

enum nvtx_message_type {
	NVTX_MESSAGE_ASCII = 1,
	NVTX_MESSAGE_WIDE,
	NVTX_MESSAGE_REGISTERED,
};

/* The part of the event's description that we read. */
struct nvtx_attributes {
	uint16_t version;
	uint16_t size; /* of the whole structure, as the program's header has it */
	uint32_t category;
	int32_t color_type;
	uint32_t color;
	int32_t payload_type;
	int32_t reserved;
	uint64_t payload;
	int32_t message_type; /* enum nvtx_message_type */
	union {
		const char *ascii;
		const wchar_t *wide;
		const void *registered;
	} message;
};

#endif
