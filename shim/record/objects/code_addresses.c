/*
 * code_addresses.c - ask for kernels' functions, and read words of the driver's objects.
 */
#include "record/objects/code_addresses.h"

#include <pthread.h>
#include <string.h>

#include "base/hot.h"
#include "base/journal_format.h"
#include "record/driver/captures.h"
#include "record/driver/driver.h"
#include "record/host/own_memory.h"
#include "record/journal/bundle.h"
#include "record/objects/function_store.h"

enum { N_WORDS = CODE_OBJECT_SIZE / sizeof(uint64_t), MAX_OWED = 1024 };

/* A kernel is dropped after being passed over so often: its context may have been destroyed. */
enum { MAX_PASSES = 256 };

/* Below are sizes and counts, which may be multiples of CODE_ALIGNMENT, too. */
static const uint64_t LEAST_ADDRESS = 1 << 20;
static const uint64_t END_OF_ADDRESSES = (uint64_t)1 << 57;

static bool are_wanted;  /* written at start-up only */
static bool has_stopped; /* atomic: no more questions */

/* Handles that were launched in that context. Guarded by the lock, except the number. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct waiting_kernel {
	CUfunction handle;
	CUcontext context;
	uint32_t n_passes;
} waiting[MAX_OWED];
READ_MOSTLY uint32_t code_addresses_owed;

void code_addresses_start(bool wanted)
{
	are_wanted = wanted;
}

void code_addresses_stop_asking(void)
{
	__atomic_store_n(&has_stopped, true, __ATOMIC_RELAXED);
}

static CUcontext current_context(void)
{
	CUcontext context = NULL;
	return real.cuCtxGetCurrent(&context) == CUDA_SUCCESS ? context : NULL;
}

/* Under the lock. */
static void set_n_owed(uint32_t n)
{
	__atomic_store_n(&code_addresses_owed, n, __ATOMIC_RELAXED);
}

/* Remove and return the next one of this context; and those passed over too often. */
static bool take_owed(CUcontext context, struct waiting_kernel *out)
{
	bool is_found = false;
	pthread_mutex_lock(&lock);
	for (uint32_t i = code_addresses_owed; i > 0 && !is_found; i--) {
		struct waiting_kernel *next = &waiting[i - 1];
		is_found = next->context == context;
		if (!is_found && next->n_passes++ < MAX_PASSES)
			continue;
		*out = *next;
		*next = waiting[code_addresses_owed - 1];
		set_n_owed(code_addresses_owed - 1);
	}
	pthread_mutex_unlock(&lock);
	return is_found;
}

static void put_owed(CUfunction handle, CUcontext context)
{
	pthread_mutex_lock(&lock);
	if (code_addresses_owed < MAX_OWED) {
		waiting[code_addresses_owed] =
			(struct waiting_kernel){.handle = handle, .context = context};
		set_n_owed(code_addresses_owed + 1);
	}
	pthread_mutex_unlock(&lock);
}

/* Return the function of a handle that is a kernel's or a function's; 0: the driver fails. */
static uint64_t ask_driver(CUfunction handle)
{
	CUfunction function = NULL;
	if (!driver_knows(CALL_cuKernelGetFunction))
		return (uintptr_t)handle;
	switch (real.cuKernelGetFunction(&function, (CUkernel)handle)) {
	case CUDA_SUCCESS:
		return (uintptr_t)function;
	case CUDA_ERROR_INVALID_HANDLE:
		return (uintptr_t)handle;
	default:
		return 0;
	}
}

/*
 * Ask about a handle that is still known, and drop any other: its kernel may have been unloaded, or
 * destroyed with its context, and the driver may crash. After an unload the next launch owes it
 * again. Store the answer within the question, for which unloading waits.
 */
static void ask(CUfunction handle, uint64_t generation)
{
	if (!function_store_begin_question((uintptr_t)handle, generation))
		return;
	function_store_set_object((uintptr_t)handle, ask_driver(handle));
	function_store_end_question((uintptr_t)handle);
}

void code_addresses_ask(uint64_t generation)
{
	struct waiting_kernel next;
	if (__atomic_load_n(&has_stopped, __ATOMIC_RELAXED))
		return;
	CUcontext context = current_context();
	if (!context || __atomic_load_n(&captures_under_way, __ATOMIC_ACQUIRE))
		return;
	while (take_owed(context, &next))
		ask(next.handle, generation);
}

void code_addresses_discovered(CUfunction handle, uint64_t generation)
{
	if (!are_wanted)
		return;
	if (code_addresses_are_owed())
		code_addresses_ask(generation);
	/* Its function may be another one by now. */
	function_store_set_object((uintptr_t)handle, 0);
}

void code_addresses_launched(CUfunction handle, CUcontext context)
{
	if (are_wanted && function_store_owe_object((uintptr_t)handle))
		put_owed(handle, context);
}

/* A reading of all objects, for the table. */
struct reading {
	struct own_memory memory;
	uint64_t generation; /* that of handles which are certainly valid */
	uint32_t n_functions;
	bool may_be[N_WORDS]; /* may the word at this place be the code's address? */
};

/* Find the object of the function in a row. False: none, or not known. */
static bool object_in(const struct reading *reading, uint32_t place, struct known_object *out)
{
	return function_store_object(place, reading->generation, out) && out->object != 0;
}

static bool may_be_code(struct own_memory *memory, uint64_t word)
{
	uint64_t ignored = 0;
	return word % CODE_ALIGNMENT == 0 && word >= LEAST_ADDRESS && word < END_OF_ADDRESSES &&
	       !own_memory_read(memory, word, &ignored, sizeof(ignored));
}

/* Remove the words that are not an address in this object. A kernel not loaded yet has zeros. */
static void filter(struct reading *reading, const uint64_t *words, bool *is_used)
{
	for (uint32_t i = 0; i < N_WORDS; i++) {
		reading->may_be[i] = reading->may_be[i] &&
				     (words[i] == 0 || may_be_code(&reading->memory, words[i]));
		is_used[i] = is_used[i] || words[i] != 0;
	}
}

static bool is_any_confirmed(const struct reading *reading)
{
	for (uint32_t place = 1; place <= reading->n_functions; place++) {
		struct known_object known;
		if (object_in(reading, place, &known) && known.is_confirmed)
			return true;
	}
	return false;
}

/*
 * Find the words that may be an address in all objects. An unconfirmed handle may be of a destroyed
 * context and its object anything, so these only count if there are no others.
 */
static void find_words(struct reading *reading)
{
	bool is_used[N_WORDS] = {false};
	bool is_confirmed = is_any_confirmed(reading);
	memset(reading->may_be, true, sizeof(reading->may_be));
	for (uint32_t place = 1; place <= reading->n_functions; place++) {
		struct known_object known;
		uint64_t words[N_WORDS];
		if (object_in(reading, place, &known) && known.is_confirmed == is_confirmed &&
		    own_memory_read(&reading->memory, known.object, words, sizeof(words)))
			filter(reading, words, is_used);
	}
	for (uint32_t i = 0; i < N_WORDS; i++)
		reading->may_be[i] = reading->may_be[i] && is_used[i];
}

static void write_words(struct reading *reading, const struct known_object *known)
{
	uint64_t words[N_WORDS];
	uint32_t n = 0;
	if (!own_memory_read(&reading->memory, known->object, words, sizeof(words)))
		return;
	for (uint32_t i = 0; i < N_WORDS && n < CODE_WORDS_MAX; i++) {
		if (!reading->may_be[i] || !may_be_code(&reading->memory, words[i]))
			continue;
		struct code_address_row row = {
			.address = words[i],
			.function = known->id,
			.offset = (uint16_t)(i * sizeof(uint64_t)),
			.flags = known->is_confirmed ? CODE_CONFIRMED : 0,
		};
		(void)table_append(bundle_table(JOURNAL_CODE_ADDRESSES), &row, 1);
		n++;
	}
}

void code_addresses_write(uint64_t generation)
{
	struct reading reading = {.generation = generation, .n_functions = function_store_size()};
	if (!are_wanted || reading.n_functions == 0 ||
	    bundle_open_late(JOURNAL_CODE_ADDRESSES) != 0)
		return;
	code_addresses_ask(generation);
	if (own_memory_open(&reading.memory) != 0)
		return;
	find_words(&reading);
	for (uint32_t place = 1; place <= reading.n_functions; place++) {
		struct known_object known;
		if (object_in(&reading, place, &known))
			write_words(&reading, &known);
	}
	own_memory_close(&reading.memory);
}
