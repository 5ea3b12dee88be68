/*
 * images.h - which code each module of the driver was loaded from, for the command to read what a
 * kernel can do. An image that lies in a file is named; one that was made at run time is copied
 * into the journal, as long as there is room: the oldest stay, since kernels that were compiled
 * once are mostly launched for long. What is unloaded gives its room back; its row is used again
 * when no handle and no function's row holds it any more.
 *
 * Where it is not sure which image a handle means, none is named: handles of what was unloaded come
 * back, and the runtime loads modules by a table of the driver's that we do not see.
 */
#ifndef CULPRIT_RECORD_IMAGES_H
#define CULPRIT_RECORD_IMAGES_H

#include <stdint.h>

/* At most so much is copied; 0: nothing. Start-up only. */
void images_start(uint64_t max_mb);

/*
 * A module, or a library, was loaded from what lies at `image`, which the driver has just read, or
 * from the file at `path`. Any thread.
 */
void images_loaded(const void *handle, const void *image);
void images_loaded_file(const void *handle, const char *path);
void images_loaded_library(void);

/* A kernel was got from a library, or a function from a kernel. Any thread. */
void images_derived(const void *handle, const void *from);

/* The module, or the library with its kernels, ends just now. Any thread. */
void images_unloaded(const void *handle);
void images_unloaded_library(const void *handle);

/* All modules of a context end. Any thread. */
void images_forget(void);

/*
 * function_row.image for a function of that module, 0: not known. Held, until it is dropped: when
 * that row is another's. Any thread.
 */
void images_drop(uint16_t id);
uint16_t images_of(const void *module, const void *function);

#endif
