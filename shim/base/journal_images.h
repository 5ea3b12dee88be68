/*
 * journal_images.h - the tables of a bundle that tell which code of the GPU a kernel is. Part of
 * journal_format.h, which says how tables are read.
 */
#ifndef CULPRIT_BASE_JOURNAL_IMAGES_H
#define CULPRIT_BASE_JOURNAL_IMAGES_H

#include <assert.h>
#include <stdint.h>

/*
 * What the driver was given to load. It lies in a file that the process has mapped, in one that the
 * driver read itself, or was made at run time: then its bytes are kept, as long as there is room.
 */
struct image_row {
	uint64_t size;       /* in bytes; 0 not known */
	uint64_t offset;     /* in `module`: address - bias */
	uint64_t changed_ns; /* of `path`: when the file was changed last, in ns since 1970 */
	uint32_t module;     /* id in modules: it lies in that file; 0 none */
	uint32_t path;       /* string: the file that the driver read; 0 none */
	uint32_t bytes;      /* id of the first unit in image-bytes; 0: not kept */
	uint32_t reserved;
};
static_assert(sizeof(struct image_row) == 40, "image_row is part of the format");

/*
 * Instead of an id: no call that was seen loaded the kernel's module. So the runtime did, by a
 * table of the driver's, from a file of the process.
 */
#define IMAGE_UNSEEN UINT16_MAX

/* So many have ids. */
enum { IMAGE_ID_MAX = IMAGE_UNSEEN - 1 };

/* An image takes as many units as it needs, the last one filled up with zeroes. */
#define IMAGE_UNIT 64
struct image_bytes_row {
	uint8_t bytes[IMAGE_UNIT];
};

#endif
