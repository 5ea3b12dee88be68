/*
 * coredumps.h - GPU core dumps of this process: whether they are on, how to turn them on, and the
 * file that the driver then writes into the bundle.
 *
 * They are off unless the user asks (CULPRIT_COREDUMP=on), because with dumps on, the driver may
 * hide a fault or return another code. Each fault of the corpus was tried three times on an H200
 * under driver 580.159. 74 of 75 processes made a dump. In most of them calls returned success
 * until the process exited with status 0. An assert returned 719, not 710. One process got neither
 * error nor dump and hung in cuCtxDestroy. failure.c recovers what a dump shows; a hang cannot be
 * recognized.
 */
#ifndef CULPRIT_RECORD_COREDUMPS_H
#define CULPRIT_RECORD_COREDUMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * True if an exception on the GPU makes a core dump, for the process or for the current context.
 * The driver may then hide the exception for a while (driver 580.159, with CU_COREDUMP_SKIP_ABORT).
 * Calls return success and work after the fault runs, so neither a sync nor a marker proves
 * anything. Asks the driver, also after the failure. Any thread.
 */
bool coredumps_are_on(void);

/*
 * Have every dump written into the bundle's directory, if the user has no such settings and the
 * driver is able to. "" means that there is no directory, and nothing can be written. After cuInit,
 * before the first context. Start-up only.
 */
void coredumps_start(const char *directory);

/* Return "on", "off", or why wanted dumps are not on: for meta.json. Any thread. */
const char *coredumps_status(void);

/* True if dumps were wanted but cannot be made. Any thread. */
bool coredumps_are_missing(void);

/*
 * True if culprit turned dumps on. Each success, which may be false, is then checked against the
 * file. Any thread. It has a variable of its own, since every call reads it. The start and
 * give_up() write it, relaxed: it is raised before the first context, and lowered when nothing
 * depends on it.
 */
extern __attribute__((visibility("hidden"))) bool coredumps_watched;
static inline bool coredumps_are_watched(void)
{
	return __atomic_load_n(&coredumps_watched, __ATOMIC_RELAXED);
}

/* The file is no dump of a fault, or of another process: act as if dumps were off. Any thread. */
void coredumps_give_up(void);

/*
 * True if there is a dump, perhaps incomplete. One system call, about half a microsecond. Any
 * thread. Signal-safe.
 */
bool coredumps_have_one(void);

/* Return where the driver writes it, "" if dumps were never on. Any thread. */
const char *coredumps_path(void);

/*
 * Read the whole dump into memory of its own, which the caller must unmap. Wait until `appears_ns`
 * for the file, and until `complete_ns` for all of it, both by clock_kernel_ns(). Return 0 or
 * -errno: -ENOENT without a file, -ETIMEDOUT if it is incomplete, -EFBIG. Any thread.
 */
int coredumps_read(uint64_t appears_ns, uint64_t complete_ns, void **out_bytes, size_t *out_size);

/* Wait until `complete_ns` for the whole dump, if it was started. Not a cancellation point. */
void coredumps_await(uint64_t complete_ns);

#endif
