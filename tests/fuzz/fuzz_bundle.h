/*
 * fuzz_bundle.h - the entry that libFuzzer calls, and replay.c.
 */
#ifndef CULPRIT_TESTS_FUZZ_BUNDLE_H
#define CULPRIT_TESTS_FUZZ_BUNDLE_H

#include <stddef.h>
#include <stdint.h>

/* Aborts on a fault. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
