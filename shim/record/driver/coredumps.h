/*
 * coredumps.h - GPU core dumps of this process: whether they are on, switching them on for it, and
 * the file that the driver then writes into the bundle.
 *
 * Off unless the user asks (CULPRIT_COREDUMP=on), for what the driver does with a fault while dumps
 * are on: it may hide it, or return another code. Seen on an H200 under driver 580.159, each fault
 * of the corpus three times: 74 of 75 processes made a dump; in most of these calls went on to
 * return success until the process had ended, with status 0; an assert returned 719, not 710; one
 * process got neither error nor dump and hung in cuCtxDestroy. What a dump tells we make good in
 * failure.c; of a hang nobody can know.
 */
#ifndef CULPRIT_RECORD_COREDUMPS_H
#define CULPRIT_RECORD_COREDUMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Does an exception on the GPU make a core dump, for the process or for the current context? Then
 * the driver may swallow it for a while (driver 580.159, with CU_COREDUMP_SKIP_ABORT): calls return
 * success and work behind the fault runs, so that neither a sync nor a marker proves anything. Asks
 * the driver; also after the failure. Any thread.
 */
bool coredumps_are_on(void);

/*
 * Has every dump written into the directory of the bundle ("": there is none, and nothing can be
 * written), if the user has no settings of his own and the driver is able to. After cuInit, before
 * the first context. Start-up only.
 */
void coredumps_start(const char *directory);

/* "on", "off", or why they are not on though wanted: for meta.json. Any thread. */
const char *coredumps_status(void);

/* They were wanted, and are not to be had. Any thread. */
bool coredumps_are_missing(void);

/*
 * Are dumps on by our doing? Then each success that may be false is held against the file. Any
 * thread. A word of its own, since every call asks; written by the next and by the start, relaxed:
 * it goes up before the first context and down only where nothing depends on it.
 */
extern __attribute__((visibility("hidden"))) bool coredumps_watched;
static inline bool coredumps_are_watched(void)
{
	return __atomic_load_n(&coredumps_watched, __ATOMIC_RELAXED);
}

/* The file is no dump of a fault, or of another process: as if dumps were never on. Any thread. */
void coredumps_give_up(void);

/*
 * Is there a dump, perhaps not yet whole? One system call, about half a microsecond. Any thread.
 * Signal-safe.
 */
bool coredumps_have_one(void);

/* Where the driver writes it; "" where dumps were never on. Any thread. */
const char *coredumps_path(void);

/*
 * The whole dump in memory of its own, which is the caller's to unmap. Waits until `appears_ns` for
 * the file, and until `complete_ns` for all of it, both by clock_kernel_ns(). 0 or -errno: -ENOENT
 * none has come, -ETIMEDOUT it is not complete, -EFBIG. Any thread.
 */
int coredumps_read(uint64_t appears_ns, uint64_t complete_ns, void **out_bytes, size_t *out_size);

/* Waits until `complete_ns` for all of the dump, if it has begun. Not a point of cancellation. */
void coredumps_await(uint64_t complete_ns);

#endif
