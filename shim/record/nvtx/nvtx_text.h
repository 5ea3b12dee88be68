/*
 * nvtx_text.h - messages and names of NVTX, copied the moment that we are told them: the
 * application's own string may be gone when somebody wants to read it.
 */
#ifndef CULPRIT_RECORD_NVTX_TEXT_H
#define CULPRIT_RECORD_NVTX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "base/journal_format.h"

/* UTF-8 without a NUL; of a longer string as many whole characters as there is room for. */
struct nvtx_text {
	uint8_t size;
	uint8_t is_cut;
	char bytes[NVTX_TEXT_MAX];
};

/*
 * Copies a string, NULL like an empty one. Bytes that are no UTF-8 stay as they are, wide
 * characters that are none become '?'. Reads no further than it copies, plus one character.
 * Signal-safe.
 */
void nvtx_text_set(struct nvtx_text *text, const char *string);
void nvtx_text_set_wide(struct nvtx_text *text, const wchar_t *string);

#endif
