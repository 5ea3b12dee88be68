/*
 * page_json.h - the lines of a report as JSON.
 */
#ifndef CULPRIT_TOOLS_PAGE_JSON_H
#define CULPRIT_TOOLS_PAGE_JSON_H

#include <jansson.h>

#include "report/page.h"

/* Return all lines as an array of LINE. */
json_t *page_to_json(const struct page *page);

/* Return the text of the first line with this id, or null if there is none. */
json_t *page_words_to_json(const struct page *page, enum page_id id);

#endif
