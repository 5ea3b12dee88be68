/*
 * journal_images.h - the tables of a bundle that identify a kernel's GPU code. Part of
 * journal_format.h, which says how tables are read.
 */
#ifndef CULPRIT_BASE_JOURNAL_IMAGES_H
#define CULPRIT_BASE_JOURNAL_IMAGES_H

#include <assert.h>
#include <stdint.h>

/*
 * GPU code that the driver was asked to load. It is in a file that the process has mapped, in a
 * file that the driver read itself, or was made at run time. Only in the last case its bytes are
 * recorded, as long as there is room.
 */
struct image_row {
	uint64_t size;       /* in bytes; 0: not known */
	uint64_t offset;     /* in `module`: address - bias */
	uint64_t changed_ns; /* when the file `path` was last changed, in ns since 1970 */
	uint32_t module;     /* id in modules: the file that contains it; 0: none */
	uint32_t path;       /* string: the file that the driver read; 0: none */
	uint32_t bytes;      /* id of the first unit in image-bytes; 0: not recorded */
	uint32_t reserved;
};
static_assert(sizeof(struct image_row) == 40, "image_row is part of the format");

/*
 * In place of an id: culprit saw no call that loaded the kernel's module. So the CUDA runtime
 * loaded it from a file of the process, through one of the driver's internal tables.
 */
#define IMAGE_UNSEEN UINT16_MAX

/* The greatest id of an image. */
enum { IMAGE_ID_MAX = IMAGE_UNSEEN - 1 };

/* An image takes as many units as it needs; the last one is padded with zeros. */
#define IMAGE_UNIT 64
struct image_bytes_row {
	uint8_t bytes[IMAGE_UNIT];
};

#endif
