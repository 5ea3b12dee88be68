/*
 * page_json.c - the lines of the text report as JSON, with the subject of each line.
 */
#include "json/json_parts.h"

#include "json/json_values.h"

static json_t *string_to_json(struct page_string string)
{
	return string.length > 0 ? json_foreign_bytes(string.bytes, string.length) : json_null();
}

static json_t *location_to_json(const struct page_location *location)
{
	bool has_offset = location->language != PAGE_PYTHON;
	return json_pack(
		"{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "begin", json_count(location->begin),
		"length", json_count(location->length), "language",
		page_language_label(location->language), "file", string_to_json(location->file),
		"line", location->line ? json_count(location->line) : json_null(), "function",
		string_to_json(location->function), "module", string_to_json(location->module),
		"offset", has_offset ? json_handle(location->offset) : json_null());
}

static json_t *locations_to_json(const struct page *page, const struct page_line *line)
{
	json_t *array = json_array();
	for (uint32_t index = 0; index < line->n_locations; index++)
		json_array_append_new(
			array, location_to_json(&page->locations[line->first_place + index]));
	return array;
}

static json_t *line_to_json(const struct page *page, const struct page_line *line)
{
	return json_pack("{s:s, s:s?, s:o, s:s, s:o, s:o}", "id", page_id_label(line->id), "label",
			 line->is_first ? page_label(line->id) : NULL, "text",
			 json_foreign(line->text), "subject", page_subject_label(line->subject),
			 "number", json_count(line->number), "places",
			 locations_to_json(page, line));
}

json_t *page_to_json(const struct page *page)
{
	json_t *array = json_array();
	for (uint32_t index = 0; index < page->n_lines; index++)
		json_array_append_new(array, line_to_json(page, &page->lines[index]));
	return array;
}

json_t *page_labels_to_json(const struct page *page, enum page_id id)
{
	for (uint32_t index = 0; index < page->n_lines; index++) {
		if (page->lines[index].id == id)
			return json_foreign(page->lines[index].text);
	}
	return json_null();
}
