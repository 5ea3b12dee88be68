/*
 * images.h - the code that each of the driver's modules was loaded from, so that the command can
 * read what a kernel can do. An image in a file is named. An image made at run time is copied into
 * the journal, as long as there is room. The oldest stay, since kernels compiled once are mostly
 * launched for long. Unloading frees the room; a row is reused when no handle and no function's row
 * holds it any more.
 *
 * If it is uncertain which image a handle means, none is named: handles of unloaded code are
 * reused, and the runtime loads modules by a table of the driver's that we do not see.
 */
#ifndef CULPRIT_RECORD_IMAGES_H
#define CULPRIT_RECORD_IMAGES_H

#include <stdint.h>

/* Set how much is copied at most; 0: nothing. Start-up only. */
void images_start(uint64_t max_mb);

/* The context that a module ends with. */
struct image_context {
	uint32_t id;      /* 0: not known, or the image is a library's */
	uint32_t primary; /* id of a green context's primary one, which it may end with; else 0 */
};

/*
 * Note that a module or a library was loaded from the memory at `image`, which the driver has just
 * read, or from the file at `path`. Any thread.
 */
void images_loaded(const void *handle, const void *image, struct image_context context);
void images_loaded_file(const void *handle, const char *path, struct image_context context);
void images_loaded_library(void);

/* Note a kernel obtained from a library, or a function from a kernel. Any thread. */
void images_derived(const void *handle, const void *from);

/* The module, or the library with its kernels, is being unloaded. Any thread. */
void images_unloaded(const void *handle);
void images_unloaded_library(const void *handle);

/*
 * The modules of a context and of its green contexts are being unloaded. Forget them and those of
 * which it is not known; all if `context` is 0. Any thread.
 */
void images_context_ending(uint32_t context);

/*
 * images_of() returns function_row.image for a function of that module, 0: unknown. The image is
 * held until images_drop(), when that row is reused. Any thread.
 */
void images_drop(uint16_t id);
uint16_t images_of(const void *module, const void *function);

#endif
