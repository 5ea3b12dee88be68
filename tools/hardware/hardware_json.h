/*
 * hardware_json.h - the state of GPUs as JSON, for the bundle and the report. An object that is
 * read back is not trusted.
 */
#ifndef CULPRIT_TOOLS_HARDWARE_JSON_H
#define CULPRIT_TOOLS_HARDWARE_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "hardware/hardware.h"

/*
 * Return the object that docs/contributing/format.md describes, or NULL if out of memory. Without
 * `is_redacted` it has the GPUs' UUIDs and bus IDs.
 */
json_t *hardware_to_json(const struct hardware *hardware, bool is_redacted);

/*
 * Read an object back. Return 0, or -EINVAL if it is of another format or has no list of GPUs.
 * GPUs, values and events that are wrong are left out. *out is complete plain data in any case.
 */
int hardware_from_json(const json_t *object, struct hardware *out);

/*
 * Read hardware.json of a bundle's directory. Return memory that the caller frees; NULL if there is
 * none, or if it is broken: reports do without it.
 */
struct hardware *hardware_read(int directory_fd);

#endif
