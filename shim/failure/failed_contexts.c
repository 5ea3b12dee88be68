/*
 * failed_contexts.c - ask the driver in each context, and remember which have failed.
 */
#include "failure/failed_contexts.h"

#include <errno.h>
#include <stddef.h>

#include "base/failure_class.h"
#include "record/driver/driver.h"
#include "record/streams/contexts.h"

/* At most this many living contexts are asked. */
enum { MAX_ASKED = 64 };

static bool is_received; /* atomic: a call has returned the attributed failure to the program */

static struct context *current_context(void)
{
	CUcontext handle = NULL;
	return real.cuCtxGetCurrent(&handle) == CUDA_SUCCESS ? contexts_known(handle) : NULL;
}

static uint32_t state_of(const struct context *context)
{
	/* A green context lives and fails with its primary one, which may end meanwhile. */
	const struct context *primary = __atomic_load_n(&context->primary, __ATOMIC_RELAXED);
	return __atomic_load_n(primary ? &primary->failure : &context->failure, __ATOMIC_RELAXED);
}

static void raise_state(struct context *context, uint32_t from, uint32_t to)
{
	struct context *primary = __atomic_load_n(&context->primary, __ATOMIC_RELAXED);
	(void)__atomic_compare_exchange_n(primary ? &primary->failure : &context->failure, &from,
					  to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Make a call that only an earlier failure makes fail. Skips a context that is being destroyed. */
static CUresult ask(struct context *context)
{
	CUresult result = CUDA_ERROR_INVALID_CONTEXT;
	if (!contexts_hold(context))
		return result;
	size_t free_bytes = 0;
	size_t total_bytes = 0;
	bool has_pushed = false;
	if (contexts_enter(context, &has_pushed)) {
		result = real.cuMemGetInfo_v2(&free_bytes, &total_bytes);
		contexts_leave(has_pushed);
	}
	contexts_let_go(context);
	return result;
}

/* A copy of the list, because the driver is not called under the list's lock. */
struct living {
	size_t n;
	struct context *contexts[MAX_ASKED];
};

static void add_living(struct context *context, void *data)
{
	struct living *living = data;
	if (living->n < MAX_ASKED)
		living->contexts[living->n++] = context;
}

/* Return the first wanted answer of the living contexts. */
static CUresult ask_each(bool (*is_wanted)(const struct context *context, CUresult result))
{
	struct living living = {0};
	contexts_for_each(add_living, &living);
	for (size_t i = 0; i < living.n; i++) {
		CUresult result = ask(living.contexts[i]);
		if (is_wanted(living.contexts[i], result))
			return result;
	}
	return CUDA_ERROR_INVALID_CONTEXT;
}

static bool is_sticky(const struct context *context, CUresult result)
{
	(void)context;
	return failure_is_sticky((int32_t)result);
}

/* In a context that culprit has no memory to know of. */
static CUresult ask_unknown(void)
{
	size_t free_bytes = 0;
	size_t total_bytes = 0;
	return real.cuMemGetInfo_v2(&free_bytes, &total_bytes);
}

static CUresult find_code(struct context *about)
{
	struct context *current = contexts_current();
	CUresult result = about ? ask(about) : CUDA_SUCCESS;
	if (!is_sticky(about, result) && (!current || current != about))
		result = current ? ask(current) : ask_unknown();
	if (!is_sticky(current, result))
		result = ask_each(is_sticky);
	return is_sticky(NULL, result) ? result : CUDA_SUCCESS;
}

CUresult failed_contexts_code(struct context *about)
{
	int host_errno = errno;
	CUresult code = find_code(about);
	errno = host_errno;
	return code;
}

void failed_contexts_mark(bool are_all)
{
	struct living living = {0};
	contexts_for_each(add_living, &living);
	for (size_t i = 0; i < living.n; i++) {
		struct context *context = living.contexts[i];
		if (are_all || is_sticky(context, ask(context)))
			raise_state(context, CONTEXT_SOUND, CONTEXT_FAILED);
	}
}

struct failed {
	size_t n;
	uint32_t id, device; /* of the newest found */
	bool are_on_several; /* on several devices */
};

static void add_failed(struct context *context, void *data)
{
	struct failed *failed = data;
	if (context->primary || state_of(context) != CONTEXT_FAILED)
		return;
	if (failed->n++ > 0 && failed->device != (uint32_t)context->device)
		failed->are_on_several = true;
	failed->id = context->id;
	failed->device = (uint32_t)context->device;
}

void failed_contexts_find_one(uint32_t *out_id, uint32_t *out_device)
{
	struct failed failed = {0};
	contexts_for_each(add_failed, &failed);
	*out_id = failed.n == 1 ? failed.id : 0;
	*out_device = failed.n > 0 && !failed.are_on_several ? failed.device : UINT32_MAX;
}

bool failed_contexts_discover_later(void)
{
	struct context *current = contexts_current();
	if (!current || state_of(current) != CONTEXT_SOUND || !is_sticky(current, ask(current)))
		return false;
	raise_state(current, CONTEXT_SOUND, CONTEXT_FAILED_LATER);
	return true;
}

bool failed_contexts_are_received(void)
{
	const struct context *current = current_context();
	uint32_t state = current ? state_of(current) : CONTEXT_SOUND;
	if (state == CONTEXT_FAILED_LATER || state == CONTEXT_FAILED_LATER_RECEIVED)
		return state == CONTEXT_FAILED_LATER_RECEIVED;
	return __atomic_load_n(&is_received, __ATOMIC_RELAXED);
}

void failed_contexts_receive(void)
{
	struct context *current = current_context();
	uint32_t state = current ? state_of(current) : CONTEXT_SOUND;
	if (state == CONTEXT_FAILED_LATER)
		raise_state(current, CONTEXT_FAILED_LATER, CONTEXT_FAILED_LATER_RECEIVED);
	else if (state != CONTEXT_FAILED_LATER_RECEIVED)
		__atomic_store_n(&is_received, true, __ATOMIC_RELAXED);
}

static bool is_sound(const struct context *context, CUresult result)
{
	return state_of(context) == CONTEXT_SOUND && result == CUDA_SUCCESS;
}

bool failed_contexts_are_sound_here(void)
{
	struct context *current = contexts_current();
	CUresult result = current ? ask(current) : CUDA_ERROR_INVALID_CONTEXT;
	if (current && is_sound(current, result))
		return true;
	if (current && (state_of(current) != CONTEXT_SOUND || is_sticky(current, result)))
		return false;
	return ask_each(is_sound) == CUDA_SUCCESS;
}
