/*
 * refused_image.h - why the driver refused to load an image of GPU code: by what the image holds
 * and what the device needs. Says nothing where no reason is proven.
 */
#ifndef CULPRIT_REFUSAL_REFUSED_IMAGE_H
#define CULPRIT_REFUSAL_REFUSED_IMAGE_H

#include "rejection/refused_line.h"

/* What the program told the driver's compiler; it is where its complaints go. */
struct image_options {
	unsigned n;
	const CUjit_option *options;
	void *const *values;
};

/* Is it a result that images are refused with? Any thread. */
bool refused_image_has_rule(CUresult result);

/*
 * The image that lies there, which the driver has just read, or in the file of that name, was to be
 * loaded with these options. They ask the driver: no lock held. Any thread.
 */
void refused_image_data(const struct refused_call *call, const void *image,
			const struct image_options *options);
void refused_image_file(const struct refused_call *call, const char *path,
			const struct image_options *options);

/*
 * The same of the image that a library was loaded from: drivers look into images when a kernel is
 * asked for, or launched. `id` is that of images_of(); it stays the caller's. Any thread.
 */
void refused_image_known(const struct refused_call *call, uint16_t id);

#endif
