/*
 * rejected_image.h - explains why the driver refused to load an image of GPU code, by comparing the
 * image with what the device needs. Prints nothing unless a reason is proven.
 */
#ifndef CULPRIT_REFUSAL_REJECTED_IMAGE_H
#define CULPRIT_REFUSAL_REJECTED_IMAGE_H

#include "rejection/rejected_line.h"

/* The program's options for the driver's compiler, among them the buffer for error messages. */
struct image_options {
	unsigned n;
	const CUjit_option *options;
	void *const *values;
};

/* True if the driver refuses images with this result. Any thread. */
bool rejected_image_has_rule(CUresult result);

/*
 * Explain the rejection of the image at `image`, which the driver has just read, or in the file at
 * `path`, loaded with these options. They query the driver, so no lock may be held. Any thread.
 */
void rejected_image_data(const struct rejected_call *call, const void *image,
			 const struct image_options *options);
void rejected_image_file(const struct rejected_call *call, const char *path,
			 const struct image_options *options);

/*
 * The same for the image that a library was loaded from: drivers read images when a kernel is
 * looked up or launched. `id` comes from images_of() and stays the caller's. Any thread.
 */
void rejected_image_known(const struct rejected_call *call, uint16_t id);

#endif
