/*
 * pycuda.c - recognise PyCUDA by the file of its extension, and its abort() by the caller's
 * address: the extension has a single abort(), in the destructor of its context stack.
 */
#include "call/call_parts.h"

#include <stdint.h>
#include <string.h>

#include "arch/frame.h"
#include "base/elf_lookup.h"
#include "failure/failure.h"
#include "failure/live_symbols.h"
#include "record/files/meta.h"
#include "record/host/recording.h"
#include "record/host/warning.h"
#include "record/journal/bundle.h"
#include "record/journal/call_names.h"
#include "record/stacks/stack.h"
#include "record/streams/contexts.h"
#include "record/thread.h"
#include "report/report_stack.h"

/* The extension's code. Both atomic; the end is stored first, with release order. */
static uintptr_t extension_start, extension_end;

/*
 * Callers already checked, each in the first free slot from that of its address on; atomic.
 * Programs make and push contexts from few places, so the loader is asked, under its lock, once for
 * each.
 */
enum { N_KNOWN_CALLERS = 64 };
static uintptr_t known_callers[N_KNOWN_CALLERS];

/* The context after the thread's last context call. Outside struct thread, which may be freed
 * when PyCUDA looks back at a thread that ends. */
static _Thread_local const struct context *current_context;

static bool has_taken; /* atomic: the view below belongs to the first thread that aborts */
static struct bundle_view view;

/* .../pycuda/_driver.cpython-312-x86_64-linux-gnu.so */
static bool is_extension(const char *path)
{
	static const char folder[] = "pycuda/_driver.";
	const char *name = strrchr(path, '/');
	size_t before = sizeof("pycuda") - 1;
	return name && (size_t)(name - path) > before &&
	       strncmp(name - before, folder, sizeof(folder) - 1) == 0 &&
	       name[-1 - (ptrdiff_t)before] == '/';
}

static bool is_known(uintptr_t caller)
{
	for (size_t i = 0; i < N_KNOWN_CALLERS; i++) {
		uintptr_t *slot = &known_callers[(caller + i) % N_KNOWN_CALLERS];
		uintptr_t found = __atomic_load_n(slot, __ATOMIC_RELAXED);
		if (found == caller)
			return true;
		if (!found)
			return false;
	}
	return false;
}

/* Do nothing if all slots are taken. */
static void know(uintptr_t caller)
{
	for (size_t i = 0; i < N_KNOWN_CALLERS; i++) {
		uintptr_t *slot = &known_callers[(caller + i) % N_KNOWN_CALLERS];
		uintptr_t found = 0;
		if (__atomic_compare_exchange_n(slot, &found, caller, false, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED) ||
		    found == caller)
			return;
	}
}

static void look_at(uintptr_t caller)
{
	if (is_known(caller))
		return;
	struct elf_object object;
	if (elf_object_at((const void *)caller, &object) == 0 && is_extension(object.path)) {
		__atomic_store_n(&extension_end, object.end, __ATOMIC_RELAXED);
		__atomic_store_n(&extension_start, object.start, __ATOMIC_RELEASE);
	}
	know(caller);
}

static bool is_in_extension(uintptr_t caller)
{
	uintptr_t start = __atomic_load_n(&extension_start, __ATOMIC_ACQUIRE);
	return start && caller >= start &&
	       caller < __atomic_load_n(&extension_end, __ATOMIC_RELAXED);
}

static uintptr_t caller_of(const struct call *call)
{
	return frame_ip(call->frame);
}

/* True for calls that push a context on PyCUDA's stack. PyCUDA never sets the current one. */
static bool is_push(enum driver_call family)
{
	switch (family) {
	case CALL_cuCtxCreate:
	case CALL_cuCtxCreate_v2:
	case CALL_cuCtxCreate_v3:
	case CALL_cuCtxCreate_v4:
	case CALL_cuGLCtxCreate:
	case CALL_cuGLCtxCreate_v2:
	case CALL_cuCtxAttach:
	case CALL_cuCtxPushCurrent:
	case CALL_cuCtxPushCurrent_v2:
		return true;
	default:
		return false;
	}
}

void pycuda_context_call(const struct call *call, struct context *current)
{
	if (is_push(call_family(call)))
		look_at(caller_of(call));
	current_context = current;
	if (!current || !is_in_extension(caller_of(call)) || contexts_first_use(current).call)
		return;
	contexts_used(current, (struct context_use){
				       .call = call_name_id(call->id),
				       .stack = stack_capture(&call->thread->stacks, call->frame),
			       });
}

static void describe(const struct context *context, struct text *out)
{
	const struct report report = {
		.view = &view, .symbols = &live_symbols, .directory = meta_directory()};
	struct context_use use = contexts_first_use(context);
	text_addf(out, "%p", (void *)context->handle);
	if (context->row)
		text_addf(out, " of device %u", context->row->device);
	if (!use.call)
		return;
	bundle_view_live(&view);
	text_add(out, ", current since ");
	size_t length = 0;
	const char *name = view_string(&view, use.call, &length);
	text_add_foreign(out, name, length);
	text_add(out, " from ");
	report_stack(&report, use.stack, 1, out);
	text_add(out, ",");
}

static void explain(const struct context *context)
{
	char buffer[400];
	struct text text = text_in(buffer, sizeof(buffer));
	describe(context, &text);
	warning_print("PyCUDA aborts: context %s is still on its stack: %s", buffer,
		      failure_has_happened() ? "the failure above came before Context.pop()"
					     : "Context.pop() was not called for it");
}

bool pycuda_aborts(const void *caller)
{
	struct call visit = {.id = CALL_cuCtxGetCurrent, .frame = FRAME_HERE()};
	if (!is_in_extension((uintptr_t)caller) || !recording_is_on() ||
	    !thread_enter(&visit, visit.id))
		return false;
	bool is_known = current_context;
	if (is_known && !__atomic_exchange_n(&has_taken, true, __ATOMIC_RELAXED))
		explain(current_context);
	thread_leave();
	return is_known;
}
