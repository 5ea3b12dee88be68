/*
 * function_memory.c - lists of free memory, by size.
 */
#include "record/objects/function_memory.h"

#include <pthread.h>

#include "record/host/arena.h"
#include "record/journal/strings.h"
#include "record/objects/images.h"

/* Size classes: no parameters, up to 4, up to 8... up to MAX_PARAMETERS of functions.c. */
enum { N_SIZES = 12, LEAST_CAPACITY = 4 };

/* Guards the free ones; taken under those of function_store.c and row_uses.h. */
static pthread_mutex_t free_lock = PTHREAD_MUTEX_INITIALIZER;
static struct function *free_functions[N_SIZES]; /* by next_of_module */

struct function_identity *function_identity(const struct function *function)
{
	return (struct function_identity *)(uintptr_t)function - 1;
}

static uint32_t size_of(uint32_t n_parameters)
{
	uint32_t size = n_parameters > 0;
	for (uint32_t n = LEAST_CAPACITY; n < n_parameters; n *= 2)
		size++;
	return size;
}

static uint32_t capacity_of(uint32_t size)
{
	return size ? (uint32_t)LEAST_CAPACITY << (size - 1) : 0;
}

static struct function *make(uint32_t capacity)
{
	struct function_identity *identity =
		arena_alloc(sizeof(*identity) + sizeof(struct function) +
			    capacity * sizeof(struct function_parameter));
	if (!identity)
		return NULL;
	identity->capacity = capacity;
	return (struct function *)(void *)(identity + 1);
}

struct function *function_memory_take(uint32_t n_parameters)
{
	uint32_t size = size_of(n_parameters);
	pthread_mutex_lock(&free_lock);
	struct function *function = free_functions[size];
	if (function)
		free_functions[size] = function_identity(function)->next_of_module;
	pthread_mutex_unlock(&free_lock);
	if (!function)
		return make(capacity_of(size));
	struct function_identity *identity = function_identity(function);
	*identity = (struct function_identity){.first_parameter = identity->first_parameter,
					       .capacity = identity->capacity};
	*function = (struct function){0};
	return function;
}

void function_memory_give(struct function *function)
{
	struct function_identity *identity = function_identity(function);
	strings_drop(identity->name);
	images_drop(identity->image);
	pthread_mutex_lock(&free_lock);
	uint32_t size = size_of(identity->capacity);
	identity->next_of_module = free_functions[size];
	free_functions[size] = function;
	pthread_mutex_unlock(&free_lock);
}
