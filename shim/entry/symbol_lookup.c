/*
 * symbol_lookup.c - decide what dlsym answers for a driver entry point. The real look-up runs
 * first, and the address that it finds is wrapped; wrappers are never looked up by name.
 */
#include "entry/symbol_lookup.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/elf_lookup.h"
#include "call/lifecycle.h"
#include "entry/entry.h"
#include "record/driver/driver.h"

static const struct symbol_answer forward = {.is_final = false};

/* From the linker: the first byte of our image, and the first byte after it. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

/*
 * The exported dlsym and dlvsym (symbol_hooks.S), under names that are ours alone. Weak: a test
 * that has the recorder in its program has no hooks.
 */
extern const char symbol_hook_dlsym[] __attribute__((weak, visibility("hidden")));
extern const char symbol_hook_dlvsym[] __attribute__((weak, visibility("hidden")));

void *(*symbol_real_dlsym)(void *handle, const char *name);
void *(*symbol_real_dlvsym)(void *handle, const char *name, const char *version);

bool symbol_is_ours(const void *address)
{
	return (uintptr_t)address - (uintptr_t)__ehdr_start <
	       (uintptr_t)_end - (uintptr_t)__ehdr_start;
}

/* Find the next definition. If we were opened instead of preloaded, it is libc's. */
static uintptr_t find_real(const char *name)
{
	void *address = elf_next_startup_symbol(name, _DYNAMIC);
	return (uintptr_t)(address ? address : elf_next_startup_symbol(name, NULL));
}

/* Two threads at once store the same. dlsym is stored last: a reader that sees it sees both. */
static void find_real_functions(void)
{
	if (__atomic_load_n(&symbol_real_dlsym, __ATOMIC_ACQUIRE))
		return;
	__atomic_store_n(&symbol_real_dlvsym,
			 (void *(*)(void *, const char *, const char *))find_real("dlvsym"),
			 __ATOMIC_RELAXED);
	__atomic_store_n(&symbol_real_dlsym, (void *(*)(void *, const char *))find_real("dlsym"),
			 __ATOMIC_RELEASE);
}

static void *real_dlsym(void *handle, const char *name)
{
	return __atomic_load_n(&symbol_real_dlsym, __ATOMIC_RELAXED)(handle, name);
}

static void *real_dlvsym(void *handle, const char *name, const char *version)
{
	return __atomic_load_n(&symbol_real_dlvsym, __ATOMIC_RELAXED)(handle, name, version);
}

int (*symbol_real_dlclose(void))(void *handle)
{
	static int (*real_dlclose)(void *); /* atomic */
	if (!__atomic_load_n(&real_dlclose, __ATOMIC_RELAXED))
		__atomic_store_n(&real_dlclose, (int (*)(void *))find_real("dlclose"),
				 __ATOMIC_RELAXED);
	return __atomic_load_n(&real_dlclose, __ATOMIC_RELAXED);
}

void (*symbol_real_abort(void))(void)
{
	return (void (*)(void))find_real("abort");
}

/* Excludes cudaMalloc, cublasCreate and our extension, which is exported like any symbol. */
static bool is_driver_name(const char *name)
{
	return name && name[0] == 'c' && name[1] == 'u' && name[2] >= 'A' && name[2] <= 'Z' &&
	       strcmp(name, "cuEventCheckError") != 0;
}

/* Call strcmp last: in a program with a sanitizer, strcmp itself may call dlsym. */
static bool is_runtime_name(const char *name)
{
	return name && name[0] == 'c' && name[1] == 'u' && name[2] == 'd' &&
	       strcmp(name, "cudaGetErrorString") == 0;
}

static bool is_known_call(const char *name)
{
	for (size_t i = 0; i < N_DRIVER_CALLS; i++)
		if (!strcmp(driver_calls[i].name, name))
			return true;
	return false;
}

/*
 * Wrap an address. Count as unknown a driver function without a wrapper, and a call's name found
 * elsewhere, in a second driver or another tool's wrapper. Launches there may be missed.
 */
static const void *wrap(const char *name, const void *address)
{
	const void *wrapper = entry_point_for(address);
	if (wrapper)
		return wrapper;
	if (address && !symbol_is_ours(address) &&
	    (driver_contains(address) || is_known_call(name)))
		driver_count_unknown(name);
	return address;
}

/* Count a driver function that we do not wrap. Others are ours, or another tool's that asks on. */
static void count_if_newer(const char *name, const void *address)
{
	if (driver_contains(address) && driver_call_at(address) < 0)
		driver_count_unknown(name);
}

/*
 * Our export was found, but there is no driver, or it is older than the name. Answer as if we were
 * absent, with the next definition, usually none. The text of dlerror then names us instead of the
 * caller.
 */
static struct symbol_answer look_behind_us(const char *name)
{
	return (struct symbol_answer){real_dlsym(RTLD_NEXT, name), true};
}

/* RTLD_DEFAULT, RTLD_NEXT: only the real function knows what they mean for this caller. */
static struct symbol_answer look_in_scope(void *handle, const char *name, const void *caller)
{
	if (driver_has(name)) {
		count_if_newer(name, real_dlsym(RTLD_DEFAULT, name));
		return forward;
	}
	if (symbol_is_ours(elf_next_symbol(name, handle == RTLD_NEXT ? caller : NULL)))
		return look_behind_us(name);
	return forward;
}

/* Forward the driver's look-ups of its own functions, which it must get. */
static struct symbol_answer look_in_handle(void *handle, const char *name, const char *version,
					   const void *caller)
{
	bool is_there = driver_has(name);
	if (driver_contains(caller))
		return forward;
	const void *address =
		version ? real_dlvsym(handle, name, version) : real_dlsym(handle, name);
	if (!address)
		return forward;
	if (!is_there && symbol_is_ours(address))
		return look_behind_us(name);
	return (struct symbol_answer){wrap(name, address), true};
}

static bool is_pseudo(const void *handle)
{
	return handle == RTLD_DEFAULT || handle == RTLD_NEXT;
}

/*
 * Look-ups in the runtime's own libraries get the runtime's function. If our export was found, it
 * is the answer only if there is one without us: a program must not see a runtime that is absent.
 */
static struct symbol_answer look_for_runtime(void *handle, const char *name, const void *caller)
{
	const void *after = handle == RTLD_NEXT ? caller : NULL;
	const void *address =
		is_pseudo(handle) ? elf_next_symbol(name, after) : real_dlsym(handle, name);
	if (!symbol_is_ours(address) || elf_symbol_of_caller(name, caller, __ehdr_start) ||
	    real_dlsym(RTLD_NEXT, name))
		return forward;
	return look_behind_us(name);
}

static bool is_look_up_name(const char *name)
{
	return name && name[0] == 'd' && name[1] == 'l' &&
	       (strcmp(name, "dlsym") == 0 || strcmp(name, "dlvsym") == 0);
}

/* True for libc's function. Another tool's own function after us would call us endlessly. */
static bool is_of_libc(const void *address)
{
	struct elf_object object;
	return elf_object_at(address, &object) == 0 && object.soname &&
	       (strcmp(object.soname, "libc.so.6") == 0 ||
		strcmp(object.soname, "libdl.so.2") == 0);
}

/* Answer ours, which sees more, if the C library's is asked for: ours forwards to that one. */
static struct symbol_answer look_for_look_up(void *handle, const char *name, const char *version)
{
	bool is_dlsym = strcmp(name, "dlsym") == 0;
	const void *address =
		version ? real_dlvsym(handle, name, version) : real_dlsym(handle, name);
	uintptr_t next = is_dlsym ? (uintptr_t)symbol_real_dlsym : (uintptr_t)symbol_real_dlvsym;
	const void *ours = is_dlsym ? symbol_hook_dlsym : symbol_hook_dlvsym;
	if (!address || !ours || (uintptr_t)address != next || !is_of_libc(address))
		return forward;
	return (struct symbol_answer){ours, true};
}

/* Our exports have no version, so the real dlvsym handles a scope correctly. */
struct symbol_answer symbol_lookup(void *handle, const char *name, const char *version,
				   const void *caller)
{
	struct symbol_answer answer = forward;
	int saved_errno = errno;
	find_real_functions();
	if (is_runtime_name(name) && !version && !symbol_is_ours(caller))
		answer = look_for_runtime(handle, name, caller);
	else if (is_look_up_name(name) && !symbol_is_ours(caller) && !lifecycle_disabled())
		answer = look_for_look_up(handle, name, version);
	else if (is_driver_name(name) && !symbol_is_ours(caller) && !lifecycle_disabled()) {
		if (!is_pseudo(handle))
			answer = look_in_handle(handle, name, version, caller);
		else if (!version)
			answer = look_in_scope(handle, name, caller);
	}
	errno = saved_errno;
	return answer;
}
