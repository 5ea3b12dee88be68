/*
 * function_store.h - the kernels that the journal knows: their rows, and what is kept of each in
 * memory. A kernel stays known by its handle until its module or library is unloaded or its handle
 * is found to mean another; its row, its name and its memory are then used again, long after
 * (row_uses.h).
 *
 * Concurrency: one lock, under which the driver is never called: it is asked first, then what it
 * said is compared with what is known, or takes its place. Launches read a struct function without
 * it: of a kernel that is gone it stays as it is until 16 Ki other kernels have gone too.
 */
#ifndef CULPRIT_RECORD_FUNCTION_STORE_H
#define CULPRIT_RECORD_FUNCTION_STORE_H

#include <stdbool.h>
#include <stdint.h>

/* As in the journal, but narrow: up to thirteen are in one cache line with their function. */
struct function_parameter {
	uint16_t offset, size; /* cuda.h: the buffer has at most 32,764 bytes, 4,096 before 12.1 */
};

struct function {
	uint32_t id;           /* in the journal, 0: no room */
	uint32_t n_parameters; /* 0 also when the driver would not tell */
	uint32_t size;         /* of the parameter buffer */
	struct function_parameter parameters[];
};

/* What lies before a struct function, in a line of its own. */
struct function_identity {
	uint64_t handle;
	uint64_t module;          /* 0 unknown */
	uint64_t confirmed;       /* atomic: the generation in which the driver said so last, or: */
	uint32_t name;            /* string that it holds, 0: the driver would not tell */
	uint32_t first_parameter; /* a block in parameters, of `capacity` rows; 0 none */
	uint32_t capacity;        /* parameters that there is room for */
	uint16_t is_listed;
	uint16_t image; /* as in its row */
	struct function *next_of_module, *previous_of_module;
} __attribute__((aligned(64)));

/* A thread unloads its module or library: it stays what it is until that has returned, and nobody
 * asks. */
#define FUNCTION_ENDING UINT64_MAX

struct function_identity *function_identity(const struct function *function);

/*
 * Memory for a kernel of so many parameters, all zero but for what function_store_put() fills in;
 * NULL: there is none. Any thread.
 */
struct function *function_store_take(uint32_t n_parameters);

/*
 * Makes a kernel known that function_store_take() gave and the driver was asked about, its name
 * held: gives it its row. If that says what is known of the handle anyway, or something later is
 * known, that is the answer, and the other's memory goes back. Any thread.
 */
const struct function *function_store_put(struct function *function);

/* The kernel of a handle, NULL: none is known. Any thread. */
const struct function *function_store_find(uint64_t handle);

/*
 * A thread is about to unload this module or library: what is known to be from it is ending, see
 * FUNCTION_ENDING. Any thread.
 */
void function_store_end(uint64_t code);

/*
 * It has been unloaded: forgets its kernels, whose handles have gone; but not if another thread has
 * loaded something by now that has its handle. Any thread.
 */
void function_store_forget(uint64_t code);

/* A module or library was loaded: forgets what had its handle before. Any thread. */
void function_store_loaded(uint64_t code);

/*
 * May the driver be asked about the handle? Not if it has gone a moment ago (gone_handles.h), or is
 * just going. If so, then until the end of the question, who unloads it knows of it. Any thread.
 */
bool function_store_begin_question(uint64_t handle);
void function_store_end_question(uint64_t handle);

/* Is there such a question about something that is known to be from it? Any thread. */
bool function_store_is_asked(uint64_t code);

/*
 * The handle is that of something new, got from that module, library or kernel: forgets what had it
 * if that was ending, or has gone. Any thread.
 */
void function_store_handed_out(uint64_t handle, uint64_t from);

#endif
