/*
 * image_claims.h - which kernels of an image can come to __assertfail, or have a trap. An image is
 * what the driver is given: a cubin, a container of these, PTX; or a host's ELF file with
 * containers in it. Foreign input.
 *
 * Of several versions of a kernel the driver takes one, by the architecture of the GPU: a kernel is
 * cleared where each is. PTX is compiled by the driver, so that it does not clear by itself; that
 * which comes with machine code clears if its text has no call in or behind the kernel.
 */
#ifndef CULPRIT_TOOLS_IMAGE_CLAIMS_H
#define CULPRIT_TOOLS_IMAGE_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>

#include "code/code_reach.h"
#include "verdict/coredump/byte_span.h"

struct kernel_claim {
	const char *name;        /* mangled */
	enum assert_claim claim; /* so far: the worst of all its versions; ASSERT_NO_KERNEL */
	bool has_code;           /* machine code */
	bool can_trap;           /* one of its versions has a trap */
};

/*
 * Adds what the image says of the kernels, which are sorted by strcmp() of their names. What could
 * not be read may have any of them: then all become ASSERT_UNKNOWN. `budget` as fatbin_next().
 */
void image_claims_add(struct byte_span image, uint64_t *budget, struct kernel_claim *kernels,
		      size_t n_kernels);

/*
 * The same for a file of the host: its section .nv_fatbin, which may be missing; *out_has_images
 * tells. False: it is no ELF file whose sections can be read.
 */
bool image_claims_add_host(struct byte_span file, uint64_t *budget, struct kernel_claim *kernels,
			   size_t n_kernels, bool *out_has_images);

/* Is it proven that the kernel raises no assertion? */
bool image_claims_clear(const struct kernel_claim *kernel);

#endif
