/*
 * image_claims.h - find out which kernels of an image can reach __assertfail or contain a trap, and
 * how long their code is.
 *
 * An image is loaded by the driver: a cubin, a container of cubins, or PTX. A host ELF file may
 * also contain containers. Images are not trusted.
 *
 * The driver picks one of several versions of a kernel by the GPU's architecture. So a kernel is
 * cleared only if every version is. PTX alone clears no kernel, because the driver compiles it. PTX
 * beside machine code clears a kernel if its text has no call from the kernel to the next entry.
 *
 * The driver also compiles PTX for this device or an earlier one, if no machine code beside it is
 * for exactly this device. So sizes beside PTX count only if the device's compute capability is
 * known, and if the PTX is for a later device or such code is there.
 * Parts that cannot be read may be what was loaded, so no size counts then.
 */
#ifndef CULPRIT_TOOLS_IMAGE_CLAIMS_H
#define CULPRIT_TOOLS_IMAGE_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>

#include "code/code_access.h"
#include "code/code_line.h"
#include "code/code_reach.h"
#include "coredump/byte_span.h"
#include "fault/code_extents.h"

struct kernel_claim {
	const char *name;        /* mangled */
	enum assert_claim claim; /* worst of all versions; initially ASSERT_NO_KERNEL */
	bool has_code;           /* machine code was found */
	bool can_trap;           /* a version contains a trap */
	bool can_launch;         /* a version's file contains code that launches kernels */
	/* The size of its code, over all versions; the caller frees `accesses`. */
	struct code_size size;
	/* The code that was loaded may be none of the versions, so `size` and `line` are void. */
	bool is_size_unsure;
	/* The line at an offset of its code is looked for, too, unless this is NULL. The caller
	   sets its members to 0, and frees it. Versions that differ leave it empty, and callers
	   of inlined functions that differ are left out. */
	struct code_line *line;
	uint64_t line_offset;
	bool lines_differ;
	/* With `line`: the instruction there. It is none if versions differ. */
	struct code_instruction instruction;
	bool is_instruction_read;
};

/* State of reading all images of a process. */
struct image_reading {
	uint64_t budget;     /* that of fatbin_next() */
	uint32_t capability; /* of the device, 90 for 9.0; 0: not known */
};

/*
 * Update the claims by an image. `kernels` is sorted by name with strcmp(). Parts that cannot be
 * read may contain any kernel, so they make all claims ASSERT_UNKNOWN.
 */
void image_claims_add(struct byte_span image, struct image_reading *reading,
		      struct kernel_claim *kernels, size_t n_kernels);

/*
 * Do the same for the section .nv_fatbin of a host ELF file; *out_has_images is set if it has one.
 * Return false if the file is not ELF or its sections cannot be read.
 */
bool image_claims_add_host(struct byte_span file, struct image_reading *reading,
			   struct kernel_claim *kernels, size_t n_kernels, bool *out_has_images);

/* True if it is proven that the kernel raises no assertion. */
bool image_claims_clear(const struct kernel_claim *kernel);

#endif
