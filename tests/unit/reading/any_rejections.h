/*
 * any_rejections.h - random refused launches, and images with random damage.
 */
#ifndef CULPRIT_TESTS_ANY_REJECTIONS_H
#define CULPRIT_TESTS_ANY_REJECTIONS_H

#include <stdint.h>

/* Print why the launches were refused, and what the images have. Return 0. */
int any_rejections_print(uint64_t number, const char *folder);

#endif
