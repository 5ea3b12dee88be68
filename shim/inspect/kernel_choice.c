/*
 * kernel_choice.c - ask through a file in memory. The library has no demangler: the C++ runtime's
 * may not be in the process, would allocate, and needs more stack than a thread may have.
 */
#include "inspect/kernel_choice.h"

#include <pthread.h>
#include <regex.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "base/inspection.h"
#include "record/driver/driver.h"
#include "record/files/store.h"
#include "record/journal/bundle.h"
#include "record/objects/functions.h"
#include "record/thread.h"

enum { PAUSE_NS = 200000, MOST_PAUSES = 5000 };

/* Written at the start only, as is driver. */
static struct {
	bool is_set, is_all;
	regex_t wanted;
} choices[N_KERNEL_CHOICES];
static const struct driver *driver; /* the driver's own entry points */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct store store; /* written once, by its first reader; without a base: no answers */
static bool is_alone;      /* no answer came in time: threads do not wait any more */

bool kernel_choice_start(enum kernel_choice choice, const char *kernels,
			 const struct driver *real_driver)
{
	driver = real_driver;
	choices[choice].is_all = !strcmp(kernels, ".");
	choices[choice].is_set =
		!regcomp(&choices[choice].wanted, kernels, REG_EXTENDED | REG_NOSUB);
	return choices[choice].is_set;
}

static void open_store(void)
{
	const char *path = bundle_memory_file(KERNEL_CHOICES_NAME);
	if (path)
		(void)store_open(&store, path, sizeof(struct kernel_choices),
				 sizeof(struct kernel_choices));
}

/* Return where the kernel's answer is; NULL: there will be none. */
static uint32_t *find_answer(enum kernel_choice choice, uint32_t id)
{
	(void)pthread_once(&once, open_store);
	struct kernel_choices *answered = (void *)store.base;
	return id && answered ? &answered->answers[choice][row_id_place(id)] : NULL;
}

/* Pairs with the release store of the answering process. */
static bool has_answer(const uint32_t *answer, uint32_t id, bool *out_is_chosen)
{
	uint32_t value = __atomic_load_n(answer, __ATOMIC_ACQUIRE);
	*out_is_chosen = value & KERNEL_CHOSEN;
	return (value & ~KERNEL_CHOSEN) == id;
}

static bool await_answer(const uint32_t *answer, uint32_t id)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	bool is_chosen = false;
	for (unsigned i = 0; i < MOST_PAUSES; i++) {
		if (has_answer(answer, id, &is_chosen))
			return is_chosen;
		if (__atomic_load_n(&is_alone, __ATOMIC_RELAXED))
			return false;
		(void)nanosleep(&pause, NULL);
	}
	__atomic_store_n(&is_alone, true, __ATOMIC_RELAXED);
	return false;
}

static const char *name_of(CUfunction handle)
{
	const char *name = NULL;
	if (driver->cuFuncGetName(&name, handle) != CUDA_SUCCESS &&
	    driver->cuKernelGetName(&name, (CUkernel)handle) != CUDA_SUCCESS)
		return NULL;
	return name;
}

static bool is_chosen(enum kernel_choice choice, CUfunction handle)
{
	if (!choices[choice].is_set || choices[choice].is_all)
		return choices[choice].is_set;
	struct thread *thread = thread_self();
	const struct function *function = thread ? functions_of(&thread->functions, handle) : NULL;
	uint32_t *answer = find_answer(choice, function ? function->id : 0);
	bool is_known_choice = false;
	if (answer && has_answer(answer, function->id, &is_known_choice))
		return is_known_choice;
	const char *name = name_of(handle);
	if (!name)
		return false;
	if (!regexec(&choices[choice].wanted, name, 0, NULL, 0))
		return true;
	return answer && !strncmp(name, "_Z", 2) && await_answer(answer, function->id);
}

bool kernel_choice_is(CUfunction handle)
{
	return is_chosen(KERNEL_CHOICE_INSPECT, handle);
}

bool kernel_choice_is_for_nan(CUfunction handle)
{
	return is_chosen(KERNEL_CHOICE_NAN, handle);
}
