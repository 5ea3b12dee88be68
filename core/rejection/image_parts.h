/*
 * image_parts.h - lists the parts of an image of GPU code and their devices, and finds those that a
 * device can run. Only headers are read, so nothing is decompressed. Cubins, containers (fatbins)
 * and PTX are supported.
 */
#ifndef CULPRIT_REJECTION_IMAGE_PARTS_H
#define CULPRIT_REJECTION_IMAGE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum image_kind { IMAGE_UNKNOWN, IMAGE_CUBIN, IMAGE_CONTAINER, IMAGE_PTX };

/* The devices that can run a part for a given number. */
enum image_reach {
	IMAGE_FOR_LATER,  /* also later devices: for cubins of the same major number, for PTX all */
	IMAGE_FOR_FAMILY, /* "f": also later devices of the same major number */
	IMAGE_FOR_ONE,    /* "a": only devices of this number */
};

struct image_part {
	bool is_ptx;
	uint8_t reach;        /* enum image_reach */
	uint16_t sm;          /* 90: compute capability 9.0 */
	uint16_t ptx_version; /* 84: PTX of version 8.4; 0: machine code, or not known */
};

enum { IMAGE_MAX_PARTS = 48 };

struct image_parts {
	enum image_kind kind;
	uint32_t n;
	bool is_cut; /* some parts did not fit or cannot be read */
	struct image_part parts[IMAGE_MAX_PARTS];
};

/* A structure made by the compiler, which points to a container. */
struct image_wrapper {
	uint32_t magic, version;
	const void *container;
};
/* True if `image` is a wrapper. Reads no byte after the first that differs. */
bool image_is_wrapper(const void *image);

/*
 * Return how many bytes image_parts_read() may read of an image without a size, from its header or
 * a text's NUL; 0: not an image. Reads no further than these allow.
 */
size_t image_bytes_to_read(const void *image);

/* Read the parts of an image, never past `size` bytes. Any thread. */
void image_parts_read(const void *image, size_t size, struct image_parts *out);

/* True if it has code that a device of this number can run, or PTX to compile for it. */
bool image_has_code(const struct image_parts *parts, uint32_t sm);
bool image_has_ptx(const struct image_parts *parts, uint32_t sm);

/* Return the newest version of PTX in it; 0: none, or not known. */
uint32_t image_ptx_version(const struct image_parts *parts);

/* Return the newest PTX version that this driver version (13000: 13.0) reads; 0: not known. */
uint32_t image_driver_ptx(int version);

/* Append "code for sm_80 and sm_90a, and PTX for compute_90", or "nothing". */
void image_parts_text(const struct image_parts *parts, struct text *out);

#endif
