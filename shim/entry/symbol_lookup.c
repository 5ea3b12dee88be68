/*
 * symbol_lookup.c - decides what dlsym answers for a driver entry point. It never looks for a
 * wrapper by name: the real look-up runs first, and its address is what gets wrapped.
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

/* From the linker: the first byte of our image, and the first one behind it. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

/*
 * The exported dlsym and dlvsym (symbol_doors.S), under names that nobody else can define. Weak: a
 * test that has the recorder in its program has no doors.
 */
extern const char symbol_door_dlsym[] __attribute__((weak, visibility("hidden")));
extern const char symbol_door_dlvsym[] __attribute__((weak, visibility("hidden")));

void *(*symbol_real_dlsym)(void *handle, const char *name);
void *(*symbol_real_dlvsym)(void *handle, const char *name, const char *version);

bool symbol_is_ours(const void *address)
{
	return (uintptr_t)address - (uintptr_t)__ehdr_start <
	       (uintptr_t)_end - (uintptr_t)__ehdr_start;
}

/* Behind us there is none when we were not preloaded but opened later: then it is libc's. */
static uintptr_t find_real(const char *name)
{
	void *address = elf_next_startup_symbol(name, _DYNAMIC);
	return (uintptr_t)(address ? address : elf_next_startup_symbol(name, NULL));
}

/* Two threads at once store the same. dlsym comes last: who sees it set sees both. */
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

/* Not cudaMalloc, not cublasCreate, and not our extension, which is exported like any symbol. */
static bool is_driver_name(const char *name)
{
	return name && name[0] == 'c' && name[1] == 'u' && name[2] >= 'A' && name[2] <= 'Z' &&
	       strcmp(name, "cuEventCheckError") != 0;
}

/* strcmp last: in a program with a sanitizer it may ask dlsym for itself. */
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
 * Counted as unknown: what is the driver's and has no wrapper, and what has a call's name but lies
 * elsewhere, in a second driver or in another tool's wrapper. Its launches may pass us by.
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

/* What a scope gives is ours already, or another tool's, who asks for what is behind it. */
static void count_if_newer(const char *name, const void *address)
{
	if (driver_contains(address) && driver_call_at(address) < 0)
		driver_count_unknown(name);
}

/*
 * Our export was found, and there is no driver, or one that is older than the name: the answer is
 * what follows us, as if we were not there; mostly nothing. The text of dlerror then names us in
 * place of the caller.
 */
static struct symbol_answer look_behind_us(const char *name)
{
	return (struct symbol_answer){real_dlsym(RTLD_NEXT, name), true};
}

/* RTLD_DEFAULT, RTLD_NEXT: only the real function can tell what they mean for this caller. */
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

/* The driver looks up its own functions, and must get them. */
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
 * What the runtime's own libraries are asked for is theirs. Where our export was found, it is the
 * answer only if without us there were one: nobody is to see a runtime that is not there.
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

/* Another tool's own function behind us would call us for ever. */
static bool is_of_libc(const void *address)
{
	struct elf_object object;
	return elf_object_at(address, &object) == 0 && object.soname &&
	       (strcmp(object.soname, "libc.so.6") == 0 ||
		strcmp(object.soname, "libdl.so.2") == 0);
}

/* The C library's own is what ours goes on to: who asks for that gets ours, which sees more. */
static struct symbol_answer look_for_look_up(void *handle, const char *name, const char *version)
{
	bool is_dlsym = strcmp(name, "dlsym") == 0;
	const void *address =
		version ? real_dlvsym(handle, name, version) : real_dlsym(handle, name);
	uintptr_t next = is_dlsym ? (uintptr_t)symbol_real_dlsym : (uintptr_t)symbol_real_dlvsym;
	const void *ours = is_dlsym ? symbol_door_dlsym : symbol_door_dlvsym;
	if (!address || !ours || (uintptr_t)address != next || !is_of_libc(address))
		return forward;
	return (struct symbol_answer){ours, true};
}

/* A version matches none of our exports, so that the real dlvsym is right about the scope. */
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
