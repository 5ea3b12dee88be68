/*
 * image_parts.h - what an image of GPU code holds, and for which devices: read from its headers
 * alone, so that nothing is unpacked. Also which of it a device can run. Knows cubins, containers
 * of several (fatbins) and PTX.
 */
#ifndef CULPRIT_VERDICT_IMAGE_PARTS_H
#define CULPRIT_VERDICT_IMAGE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum image_kind { IMAGE_UNKNOWN, IMAGE_CUBIN, IMAGE_CONTAINER, IMAGE_PTX };

/* For which devices of its number something is. */
enum image_reach {
	IMAGE_FOR_LATER,  /* and for later ones: cubins of the same major number, PTX of all */
	IMAGE_FOR_FAMILY, /* "f": later ones of the same major number */
	IMAGE_FOR_ONE,    /* "a": no others */
};

struct image_part {
	bool is_ptx;
	uint8_t reach;        /* enum image_reach */
	uint16_t sm;          /* 90: compute capability 9.0 */
	uint16_t ptx_version; /* 84: PTX of version 8.4; 0 of code, or not known */
};

enum { IMAGE_MAX_PARTS = 48 };

struct image_parts {
	enum image_kind kind;
	uint32_t n;
	bool is_cut; /* it holds more, or what cannot be read */
	struct image_part parts[IMAGE_MAX_PARTS];
};

/* What the compiler makes that points to a container. */
struct image_wrapper {
	uint32_t magic, version;
	const void *container;
};
bool image_is_wrapper(const void *image);

/*
 * Of an image that came without its size: how many bytes image_parts_read() may look at, as its
 * header tells or a text its NUL; 0: what is there is no image. Looks no further than that says.
 */
size_t image_bytes_to_read(const void *image);

/* Never looks past `size` bytes. Any thread. */
void image_parts_read(const void *image, size_t size, struct image_parts *out);

/* Has it code that a device of this number runs as it is? PTX that can be compiled for it? */
bool image_has_code(const struct image_parts *parts, uint32_t sm);
bool image_has_ptx(const struct image_parts *parts, uint32_t sm);

/* The newest version of PTX in it; 0: none, or not known. */
uint32_t image_ptx_version(const struct image_parts *parts);

/* The newest version of PTX that a driver of this version reads (13000: 13.0); 0: not known. */
uint32_t image_driver_ptx(int version);

/* "code for sm_80 and sm_90a, and PTX for compute_90"; "nothing". */
void image_parts_text(const struct image_parts *parts, struct text *out);

#endif
