/*
 * image_case.h - an image that the driver refused, and all that culprit learns of it: each look at
 * the image is traced, and the whole line.
 */
#ifndef CULPRIT_TESTS_IMAGE_CASE_H
#define CULPRIT_TESTS_IMAGE_CASE_H

#include "record/driver/driver.h"
#include "rejection/image_parts.h"
#include "view/bundle_view.h"

struct image_case {
	struct image_parts parts; /* of each image */
	bool has_code, has_ptx;
	uint32_t ptx_version, newest_ptx; /* of the image, and that the driver reads */
	bool is_context_current;
	CUresult count_result;
	uint32_t n_devices, capability;
	bool is_new, has_memory; /* for a line at this place */
	bool is_row_known, has_row_bytes;
	struct image_row image_row; /* of the known image */
	struct module_row module_row;
	uint32_t module_there; /* at the image's address */
	const char *module_path;
};

extern struct image_case image_case;
extern uint64_t image_case_bytes[8]; /* an image */

/* Begin: the driver has one device of sm_90, and the image holds two parts, no code and no PTX. */
void image_case_begin(void);

#endif
