/*
 * function_memory.h - the data about a kernel in memory, which is reused for other kernels.
 */
#ifndef CULPRIT_RECORD_FUNCTION_MEMORY_H
#define CULPRIT_RECORD_FUNCTION_MEMORY_H

#include <stdint.h>

/* Narrower than in the journal: up to thirteen share a cache line with their function. */
struct function_parameter {
	uint16_t offset, size; /* cuda.h: the buffer has at most 32,764 bytes, 4,096 before 12.1 */
};

struct function {
	uint32_t id;           /* in the journal, 0: no room */
	uint32_t n_parameters; /* 0 also if the driver does not say */
	uint32_t size;         /* of the parameter buffer */
	struct function_parameter parameters[];
};

/* Stored before a struct function, in a line of its own. */
struct function_identity {
	uint64_t handle;
	uint64_t module;    /* 0: unknown */
	uint64_t confirmed; /* atomic: generation of the driver's last answer, or FUNCTION_ENDING */
	uint32_t name;      /* the string that it holds, 0: the driver does not say */
	uint32_t first_parameter; /* a block in parameters, of `capacity` rows; 0: none */
	uint32_t capacity;        /* room for so many parameters */
	uint16_t is_listed;
	uint16_t image; /* as in its row */
	struct function *next_of_module, *previous_of_module;
	uint64_t object; /* see code_addresses.h. 0: not known, 1: owed. Under the store's lock */
} __attribute__((aligned(64)));

struct function_identity *function_identity(const struct function *function);

/*
 * Return memory for a kernel with so many parameters, zero except for what function_store_put()
 * fills in; NULL if out of memory. Any thread.
 */
struct function *function_memory_take(uint32_t n_parameters);

/* Release a function that no thread uses any more, with its name and its image. Any thread. */
void function_memory_give(struct function *function);

#endif
