/*
 * doors.h - the driver's functions as a program finds them: linked with it, which culprit sees, or
 * through a door that bypasses culprit.
 */
#ifndef CULPRIT_ORACLE_DOORS_H
#define CULPRIT_ORACLE_DOORS_H

#include <cuda.h>

/* A member for each call that may go through a door. */
#define DOOR_CALLS(ROW)                                    \
	ROW(launch_kernel, cuLaunchKernel)                 \
	ROW(launch_kernel_ex, cuLaunchKernelEx)            \
	ROW(launch_cooperative, cuLaunchCooperativeKernel) \
	ROW(launch_graph, cuGraphLaunch)                   \
	ROW(copy_to_device_async, cuMemcpyHtoDAsync)       \
	ROW(copy_to_host_async, cuMemcpyDtoHAsync)         \
	ROW(copy_on_device_async, cuMemcpyDtoDAsync)       \
	ROW(copy_to_device, cuMemcpyHtoD)                  \
	ROW(copy_to_host, cuMemcpyDtoH)                    \
	ROW(set_memory_async, cuMemsetD32Async)            \
	ROW(set_memory, cuMemsetD8)                        \
	ROW(synchronize_stream, cuStreamSynchronize)       \
	ROW(synchronize_context, cuCtxSynchronize)

struct door_calls {
#define ROW(member, name) __typeof__(name) *(member);
	DOOR_CALLS(ROW)
#undef ROW
};

enum door {
	DOOR_NONE,
	DOOR_DEEPBIND, /* a plug-in linked with libcuda, opened with RTLD_DEEPBIND */
	DOOR_DLSYM,    /* the C library's own dlsym, as dlvsym finds it */
	DOOR_TABLE,    /* the driver's symbol table; the addresses lie in static variables */
	DOOR_HEAP,     /* the same, and they lie on the heap */
	N_DOORS
};
extern const char *const door_names[N_DOORS];

/* The functions that the program is linked with. */
extern const struct door_calls linked_calls;

/*
 * Return the same calls of the loaded driver through a door. DOOR_DEEPBIND uses `plugin_path`.
 * Exits with status 2 if the door does not open.
 */
const struct door_calls *door_open(enum door door, const char *plugin_path);

/* The plug-in's one function. */
const struct door_calls *oracle_plugin_calls(void);

#endif
