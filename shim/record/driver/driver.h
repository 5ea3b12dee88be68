/*
 * driver.h - the real driver: its entry points as typed pointers, and the way from an address of
 * its code back to the call at that address.
 */
#ifndef CULPRIT_RECORD_DRIVER_H
#define CULPRIT_RECORD_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/driver_calls.h"

/*
 * It is a struct so that real.cuMemAlloc_v2(...) reads as the call that it is, and has its type. No
 * member is ever NULL. A member that is not known (yet) is a placeholder of the same type. It
 * attaches to the driver, loads libcuda.so.1 if needed, and then makes the call, or returns
 *   CUDA_ERROR_NO_DEVICE      there is no driver on this machine
 *   CUDA_ERROR_NOT_SUPPORTED  the driver is older than this entry point
 * so callers need neither a test nor an order of initialisation.
 *
 * Members are written only while attaching, atomically; threads that attach at once write the same
 * values. Each member is read by itself and code does not change, so any memory order will do. A
 * call through a member is a plain read, which on x86-64 is the same instruction as the relaxed
 * one. However it is compiled, it sees the placeholder or the driver's entry point.
 */
struct driver {
#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, ...) \
	CUresult(*name) params;
#include "base/driver_calls.def"
#undef DRIVER_CALL
};
extern __attribute__((visibility("hidden"))) struct driver real;

/*
 * Return true if the driver is in this process. The first success fills `real` and pins the driver:
 * its addresses stay valid until the process exits. Loads nothing. Holds no lock while it asks the
 * loader, so constructors may call it, also under the loader's own lock. May change errno. Any
 * thread.
 */
bool driver_attach(void);

/* As driver_attach, but loads libcuda.so.1 as the program's own dlopen would. Any thread. */
bool driver_load(void);

/*
 * True if this process's driver exports NAME. False if the driver is older, or there is none.
 * Attaches, as driver_attach(). Any thread.
 */
bool driver_has(const char *name);

/* Return the call at ADDRESS in the driver, or -ENOENT (also when not attached). Any thread. */
int driver_call_at(const void *address);

/* True if ADDRESS is in the driver's image; false when not attached. Any thread. */
bool driver_contains(const void *address);

/* Return where the driver's image is mapped; both 0 when not attached. Any thread. */
struct driver_span {
	uintptr_t start, end;
};
struct driver_span driver_image(void);

/* As cuDriverGetVersion: 13000 is 13.0; 0 if there is no driver to ask. Any thread. */
int driver_version(void);

/*
 * Return an attribute of the current context's device; -1 if there is no context, or the driver
 * does not have the attribute. Any thread.
 */
int driver_device_attribute(CUdevice_attribute attribute);

/*
 * Return a copy of `real`, in a mapping of its own, whose entries stay the driver's own when those
 * of `real` are replaced. NULL: out of memory. Start-up only.
 */
const struct driver *driver_copy(void);

/*
 * True if a driver of this version has CALL. Ask before culprit makes a call of its own: a name
 * that is exported too early may differ from cuda.h. Any thread.
 */
bool driver_knows(enum driver_call call);

/*
 * Count an entry point NAME that the application was given and that culprit does not wrap: from a
 * newer driver, or a second copy of the driver. NULL counts one whose name is unknown. Any thread.
 */
void driver_count_unknown(const char *name);

/* Return how many were counted. Any thread. */
unsigned driver_unknown_calls(void);

/*
 * True if the name of one of them was a launch's, or unknown. A launch may then be missing in the
 * journal, and no verdict can be exact. Any thread.
 */
bool driver_unknown_launch(void);

#endif
