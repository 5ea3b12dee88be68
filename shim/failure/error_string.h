/*
 * error_string.h - the text of the failed code.
 */
#ifndef CULPRIT_FAILURE_ERROR_STRING_H
#define CULPRIT_FAILURE_ERROR_STRING_H

#include <stdbool.h>

#include "base/cuda_api.h"

/* Sets whether the failed code's text names the culprit. Start-up only. */
void error_string_start(bool is_wanted);

/*
 * The annotation does not add a line, and the whole text is short (base/error_text.h), since a host
 * may copy it into a buffer that fits the driver's own texts. This holds for every caller, even a
 * framework's library: we cannot know how it copies the text.
 *
 * *text is what the driver or a libcudart says of ERROR (the runtime has the driver's numbers for
 * sticky errors). May put a longer text into it, one that stays valid for ever and is the same for
 * the same text. Any thread.
 */
void error_string_annotate(CUresult error, const char **text);

#endif
