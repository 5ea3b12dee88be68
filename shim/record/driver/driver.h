/*
 * driver.h - the real driver: its entry points as typed pointers, and the way back from an address
 * of its code to the call that lives there.
 */
#ifndef CULPRIT_RECORD_DRIVER_H
#define CULPRIT_RECORD_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/driver_calls.h"

/*
 * Why a struct: real.cuMemAlloc_v2(...) reads as the call that it is, and has its type. No member
 * is ever NULL: one that is not (yet) known is a placeholder of the same type which attaches to
 * the driver, loads libcuda.so.1 if no one has, and then makes the call, or returns
 *   CUDA_ERROR_NO_DEVICE      there is no driver on this machine
 *   CUDA_ERROR_NOT_SUPPORTED  the driver is older than this entry point
 * so whoever calls needs no test and no order of initialisation.
 *
 * Written only while attaching, atomically; threads that attach at once write the same values. A
 * member is read without regard to the others, and code does not change: any order will do. A call
 * through it is a plain read, which on x86-64 is the same instruction as the relaxed one; whatever
 * the compiler makes of it, it sees the placeholder or the driver's entry point.
 */
struct driver {
#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, ...) \
	CUresult(*name) params;
#include "base/driver_calls.def"
#undef DRIVER_CALL
};
extern __attribute__((visibility("hidden"))) struct driver real;

/*
 * Is the driver in this process? The first yes fills real and pins the driver: its addresses stay
 * valid until the process ends. Loads nothing. Holds no lock while it asks the loader, so it may be
 * called from constructors and under the loader's own lock. May change errno. Any thread.
 */
bool driver_attach(void);

/* As driver_attach, but loads libcuda.so.1 as the program's own dlopen would. Any thread. */
bool driver_load(void);

/*
 * Does the driver of this process export NAME? No: it is older, or there is none. Attaches, as
 * driver_attach. Any thread.
 */
bool driver_has(const char *name);

/* The call that lives at ADDRESS of the driver, or -ENOENT (also when not attached). Any thread. */
int driver_call_at(const void *address);

/* Does ADDRESS lie in the driver's image? false when not attached. Any thread. */
bool driver_contains(const void *address);

/* Where the driver's image is mapped; both 0 when not attached. Any thread. */
struct driver_span {
	uintptr_t start, end;
};
struct driver_span driver_image(void);

/* As cuDriverGetVersion: 13000 is 13.0; 0 if there is no driver to ask. Any thread. */
int driver_version(void);

/*
 * Has a driver of this version CALL? Asked before a call of our own: a name that is exported before
 * its time need not be what cuda.h says. Any thread.
 */
bool driver_knows(enum driver_call call);

/*
 * NAME of an entry point that the application was given and that culprit does not wrap: a newer
 * driver's, or one of a second copy of the driver. NULL counts one whose name is not known.
 * Any thread.
 */
void driver_count_unknown(const char *name);

/* How many of these there were. Any thread. */
unsigned driver_unknown_calls(void);

/*
 * Was one of them a launch, by its name, or nameless? Then a launch may be missing in the journal
 * and no verdict can be exact. Any thread.
 */
bool driver_unknown_launch(void);

#endif
