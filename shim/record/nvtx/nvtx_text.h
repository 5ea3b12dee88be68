/*
 * nvtx_text.h - messages and names of NVTX, copied as soon as they arrive: the application may have
 * freed its own string when a reader needs it.
 */
#ifndef CULPRIT_RECORD_NVTX_TEXT_H
#define CULPRIT_RECORD_NVTX_TEXT_H

#include <stdint.h>
#include <wchar.h>

#include "base/journal_format.h"

/* UTF-8 without a NUL; a longer string is cut to as many whole characters as fit. */
struct nvtx_text {
	uint8_t size;
	uint8_t is_cut;
	char bytes[NVTX_TEXT_MAX];
};

/*
 * Copy a string; NULL counts as empty. Bytes that are not UTF-8 stay as they are, invalid wide
 * characters become '?'. Reads no further than it copies, plus one character. Signal-safe.
 */
void nvtx_text_set(struct nvtx_text *text, const char *string);
void nvtx_text_set_wide(struct nvtx_text *text, const wchar_t *string);

#endif
