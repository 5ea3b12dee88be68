/*
 * function_store.h - the kernels that the journal knows: their rows, and the data about each in
 * memory. A kernel is known by its handle until its module or library is unloaded, or its handle
 * turns out to mean another kernel. Its row, name and memory are reused long after that
 * (row_uses.h).
 *
 * Concurrency: the driver is never called under the store's one lock. It is asked first; its answer
 * is then compared with the known kernel, or replaces it. Launches read a struct function without
 * the lock: that of an unloaded kernel is unchanged until 16 Ki other kernels are unloaded, too.
 */
#ifndef CULPRIT_RECORD_FUNCTION_STORE_H
#define CULPRIT_RECORD_FUNCTION_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "record/objects/function_memory.h"

/* A thread is unloading the kernel's module or library. Until that has returned, the kernel is
 * still known, and must not be asked about. */
#define FUNCTION_ENDING UINT64_MAX

/*
 * Add a kernel from function_memory_take(), after asking the driver, with its name held, and give
 * it a row. If the same is already known of the handle, or something later is, return that instead
 * and release this kernel's memory. Any thread.
 */
const struct function *function_store_put(struct function *function);

/* Return the kernel of a handle, NULL: unknown. Any thread. */
const struct function *function_store_find(uint64_t handle);

/*
 * Mark the kernels of a module or library as ending (FUNCTION_ENDING): a thread is about to unload
 * it. Any thread.
 */
void function_store_end(uint64_t code);

/*
 * Forget the kernels of an unloaded module or library, with their handles, unless another thread
 * has loaded something with its handle by now. Any thread.
 */
void function_store_forget(uint64_t code);

/* Forget what had this handle before a module or library was loaded with it. Any thread. */
void function_store_loaded(uint64_t code);

/*
 * True if the driver may be asked about the handle: it is not being unloaded, and was not unloaded
 * a moment ago (gone_handles.h). Until the question's end, a thread that unloads it sees the
 * question. Any thread.
 *
 * If the program does not pass the handle now, it may have been destroyed long ago: pass a
 * generation. Then it must also be the handle of a known kernel, confirmed in that generation, and
 * its origin must be known, so that unloading waits. 0: the program passes it.
 */
bool function_store_begin_question(uint64_t handle, uint64_t generation);
void function_store_end_question(uint64_t handle);

/* True if a thread is asking about a handle known to be from it. Any thread. */
bool function_store_is_asked(uint64_t code);

/* The driver's object of a function (CUfunction), and the row of the handle that was launched. */
struct known_object {
	uint64_t object; /* 0: not known */
	uint32_t id;
	bool is_confirmed; /* the driver answered for the handle in that generation */
};

/* Set the object of a known handle; 0: not known. Any thread. */
void function_store_set_object(uint64_t handle, uint64_t object);

/*
 * Note that the driver is to be asked for the object. False: it is known, or was noted before, or
 * the handle is unknown. Any thread.
 */
bool function_store_owe_object(uint64_t handle);

/* Return the handle of the function of a row's id; 0: it is not known any more. Any thread. */
uint64_t function_store_handle(uint32_t id);

/* Return the number of rows in the journal. Any thread. */
uint32_t function_store_size(void);

/*
 * Find the object of the function in row `place`, from 1. False: that function is not known any
 * more, or is being unloaded. Any thread.
 */
bool function_store_object(uint32_t place, uint64_t generation, struct known_object *out);

/*
 * Note a new handle, obtained from that module, library or kernel. Forget what had the handle
 * before if that was ending, or was unloaded. Any thread.
 */
void function_store_handed_out(uint64_t handle, uint64_t from);

#endif
