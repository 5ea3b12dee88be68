/*
 * fuzz_target.h - the entry that libFuzzer calls, and replay.c.
 */
#ifndef CULPRIT_TESTS_FUZZ_TARGET_H
#define CULPRIT_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Run the target on one input; aborts on a fault. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
