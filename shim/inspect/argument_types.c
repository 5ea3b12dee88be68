/*
 * argument_types.c - a table of the newest kernels by id.
 */
#include "inspect/argument_types.h"

#include <assert.h>
#include <pthread.h>

#include "base/check_format.h"
#include "checks/mangled_types.h"
#include "record/driver/driver.h"
#include "record/objects/functions.h"

enum { N_KNOWN = 512, HINT_SHIFT = 8 };

static_assert(sizeof(((struct argument_types *)0)->types) == MANGLED_MAX_PARAMETERS, "as read");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the table */
static struct argument_types known[N_KNOWN];
static const struct driver *driver; /* written at the start only, as is wanted */
static uint32_t wanted;

void argument_types_start(const struct driver *real_driver, uint32_t type)
{
	driver = real_driver;
	wanted = type;
}

/* False: the kernel is being unloaded. */
static bool read_types(CUfunction handle, struct argument_types *out)
{
	const char *name = NULL;
	struct mangled_types types;
	if (!functions_begin_question(handle))
		return false;
	if ((driver->cuFuncGetName(&name, handle) == CUDA_SUCCESS ||
	     driver->cuKernelGetName(&name, (CUkernel)handle) == CUDA_SUCCESS) &&
	    name && mangled_types_read(name, &types)) {
		out->n = types.n;
		out->consts = types.consts;
		out->only_float = types.only_float;
		for (uint32_t i = 0; i < types.n; i++)
			out->types[i] = types.types[i];
	}
	functions_end_question(handle);
	return true;
}

void argument_types_find(uint32_t function, CUfunction handle, struct argument_types *out)
{
	struct argument_types *place = &known[function % N_KNOWN];
	*out = (struct argument_types){.function = function};
	pthread_mutex_lock(&lock);
	bool is_known = place->function == function;
	if (is_known)
		*out = *place;
	pthread_mutex_unlock(&lock);
	if (is_known || !read_types(handle, out))
		return;
	pthread_mutex_lock(&lock);
	*place = *out;
	pthread_mutex_unlock(&lock);
}

uint32_t argument_types_of(const struct argument_types *types, uint32_t parameter, uint32_t offset)
{
	if (wanted)
		return wanted;
	if (!offset && parameter < types->n && types->types[parameter])
		return types->types[parameter];
	return CHECK_GUESS | (uint32_t)types->only_float << HINT_SHIFT;
}

bool argument_types_is_const(const struct argument_types *types, uint32_t parameter,
			     uint32_t offset)
{
	return !offset && parameter < types->n && (types->consts >> parameter & 1);
}
