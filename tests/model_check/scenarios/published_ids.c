/*
 * published_ids.c - a thread writes a row and stores its id in a cache, and another thread that
 * finds the id there uses the row.
 *
 * Variants: "call", the name of a driver call; "range", the name of an NVTX domain, which threads
 * look up and register; "handle", where another thread gave the program the domain's handle.
 */
#include <pthread.h>
#include <string.h>

#include "model.h"
#include "record/host/reserve.h"
#include "record/journal/call_names.h"
#include "record/journal/strings.h"
#include "record/nvtx/nvtx_names.h"

enum { ID = 1, MEMORY = 2 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct nvtx_name *handle; /* atomic */
static uint32_t row;                   /* of the string; 0: not written */
static _Alignas(64) unsigned char memory[MEMORY];
const struct driver_call_facts driver_calls[N_DRIVER_CALLS];

void *reserve_memory(size_t size)
{
	return size <= sizeof(memory) ? memory : NULL;
}

static uint32_t intern(void)
{
	pthread_mutex_lock(&lock);
	if (row != ID)
		row = ID;
	pthread_mutex_unlock(&lock);
	return ID;
}

uint32_t strings_intern_z(const char *string)
{
	(void)string;
	return intern();
}

uint32_t strings_intern(const char *bytes, size_t size)
{
	MODEL_CHECK(size == 0 && bytes);
	return intern();
}

static void name_call(void)
{
	MODEL_CHECK(call_name_id(CALL_cuInit) == ID && row == ID);
}

static void name_range(void)
{
	const struct nvtx_name *name = nvtx_name_of("");
	MODEL_CHECK(nvtx_is_name(name) && nvtx_name_text(name)->size == 0);
	MODEL_CHECK(nvtx_name_string(name) == ID && row == ID);
}

static void make_handle(void)
{
	__atomic_store_n(&handle, nvtx_name_of(""), __ATOMIC_RELAXED);
}

/* The program gave it from one thread to the other in a way that we do not know. */
static void use_handle(void)
{
	const struct nvtx_name *name = __atomic_load_n(&handle, __ATOMIC_RELAXED);
	if (nvtx_is_name(name))
		MODEL_CHECK(nvtx_name_text(name)->size == 0);
}

void scenario_setup(const char *variant)
{
	if (strcmp(variant, "handle") == 0) {
		MODEL_CHECK(nvtx_names_start());
		model_thread(make_handle);
		model_thread(use_handle);
		return;
	}
	bool is_call = strcmp(variant, "call") == 0;
	MODEL_CHECK(nvtx_names_start());
	model_thread(is_call ? name_call : name_range);
	model_thread(is_call ? name_call : name_range);
}

void scenario_end(void)
{
}
