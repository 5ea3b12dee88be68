/*
 * stored_summary.c - picks the members of report.json that one line needs, and checks each.
 */
#include "report/stored_summary.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bundle_names.h"
#include "base/short_name.h"
#include "base/text.h"
#include "files/input.h"
#include "report/page.h"
#include "report/report_labels.h"
#include "json/json_scan.h"
#include "json/report_json.h"

enum { REPORT_MAX = 64 << 20, FOREIGN_SIZE = 16384 };

/* The members of the report. */
enum member {
	CULPRIT,
	FORMAT,
	META,
	TIME,
	FINGERPRINT,
	VERDICT,
	FINDING,
	ERROR,
	TOLD,
	MISSED_SYMBOLS,
	SUSPECTS,
	LINES,
	N_MEMBERS
};

static const char *const member_names[N_MEMBERS] = {
	"culprit", "format", "meta", "time",           "fingerprint", "verdict",
	"finding", "error",  "told", "missed_symbols", "suspects",    "lines"};

/* Copy a string, safe to print. Return false if it is missing or too long. */
static bool read_string(struct json_slice slice, char *out, size_t size)
{
	json_t *value = json_scan_value(slice);
	const char *string = json_string_value(value);
	struct text text = text_in(out, size);
	if (string)
		text_add_foreign(&text, string, json_string_length(value));
	json_decref(value);
	return string && !text.cut;
}

static bool is_word(struct json_slice slice, const char *word)
{
	char string[64];
	return read_string(slice, string, sizeof(string)) && !strcmp(string, word);
}

/* Return the number, or -1. */
static json_int_t number_of(struct json_slice slice)
{
	json_t *value = json_scan_value(slice);
	json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
	json_decref(value);
	return number;
}

/* True if the report is about this process. The end of the process may have been added since. */
static bool is_of_process(struct json_slice reported, const json_t *meta)
{
	static const char *const keys[] = {"format", "pid", "realtime_ns", "monotonic_ns", "run"};
	enum { N_KEYS = sizeof(keys) / sizeof(keys[0]) };
	struct json_slice members[N_KEYS];
	bool is_same = json_scan_members(reported, keys, N_KEYS, members);
	for (size_t i = 0; i < N_KEYS && is_same; i++) {
		json_t *value = json_scan_value(members[i]);
		const json_t *own = json_object_get(meta, keys[i]);
		is_same = value ? json_equal(value, own) : !own;
		json_decref(value);
	}
	return is_same;
}

/* True if the report says all that this version could say from the journal. */
static bool is_whole(const struct json_slice *members, const json_t *meta)
{
	size_t at = 0;
	struct json_slice missed;
	return is_word(members[CULPRIT], CULPRIT_VERSION) &&
	       number_of(members[FORMAT]) == REPORT_JSON_FORMAT && members[MISSED_SYMBOLS].size &&
	       members[TOLD].size == strlen("null") &&
	       !json_scan_next(members[MISSED_SYMBOLS], &at, &missed) &&
	       is_of_process(members[META], meta);
}

static bool read_verdict(const struct json_slice *members, struct stored_summary *out)
{
	size_t length = FINGERPRINT_ID_SIZE - 1;
	if (!read_string(members[FINGERPRINT], out->fingerprint, sizeof(out->fingerprint)) ||
	    strspn(out->fingerprint, "0123456789abcdef") != length)
		return false;
	for (out->class = VERDICT_UNKNOWN; out->class <= VERDICT_EXACT; out->class ++)
		if (is_word(members[VERDICT], report_verdict_label(out->class)))
			return true;
	return false;
}

/* A hang has no time of a failure. */
static bool read_error(const struct json_slice *members, struct stored_summary *out)
{
	static const char *const code_name[] = {"code"};
	struct json_slice code;
	if (is_word(members[FINDING], "hang")) {
		(void)snprintf(out->error, sizeof(out->error), "hung");
		return true;
	}
	if (!is_word(members[FINDING], "failure") ||
	    !json_scan_members(members[ERROR], code_name, 1, &code) ||
	    !read_string(members[TIME], out->when, sizeof(out->when)))
		return false;
	json_int_t number = number_of(code);
	(void)snprintf(out->error, sizeof(out->error), "%" PRId32, (int32_t)number);
	return number > 0 && number <= INT32_MAX;
}

/* Without a suspect the work is not known. */
static bool read_work(const struct json_slice *members, struct stored_summary *out)
{
	static const char *const keys[] = {"kernel", "name"};
	struct json_slice first;
	struct json_slice found[2];
	size_t at = 0;
	char name[FOREIGN_SIZE];
	struct text text = text_in(out->work, sizeof(out->work));
	if (!json_scan_next(members[SUSPECTS], &at, &first))
		return members[SUSPECTS].size > 0;
	if (!json_scan_members(first, keys, 2, found))
		return false;
	bool is_kernel = found[0].size && *found[0].bytes == '"';
	if (!read_string(found[!is_kernel], name, sizeof(name)))
		return false;
	if (is_kernel)
		short_name_add_kernel(name, &text);
	else
		text_add(&text, name);
	return true;
}

/* Read the first location of a line. Return false if it is not within the line's text. */
static bool read_location(struct json_slice text, struct json_slice place,
			  struct stored_summary *out)
{
	static const char *const keys[] = {"begin", "length"};
	struct json_slice found[2];
	json_t *value = json_scan_value(text);
	size_t size = json_string_length(value);
	bool is_good = value && json_scan_members(place, keys, 2, found);
	json_int_t begin = is_good ? number_of(found[0]) : -1;
	json_int_t length = is_good ? number_of(found[1]) : -1;
	struct text cell = text_in(out->place, sizeof(out->place));
	is_good = begin >= 0 && length >= 0 && (size_t)begin <= size &&
		  (size_t)length <= size - (size_t)begin;
	if (is_good)
		text_add_foreign(&cell, json_string_value(value) + begin, (size_t)length);
	json_decref(value);
	return is_good;
}

/* Find the first location of the first line about the launch. */
static bool read_place(const struct json_slice *members, struct stored_summary *out)
{
	static const char *const keys[] = {"id", "text", "places"};
	struct json_slice line;
	struct json_slice place;
	struct json_slice found[3];
	for (size_t at = 0; json_scan_next(members[LINES], &at, &line);) {
		size_t first = 0;
		if (!json_scan_members(line, keys, 3, found))
			return false;
		if (is_word(found[0], page_id_label(PAGE_LAUNCHED_FROM)) &&
		    json_scan_next(found[2], &first, &place))
			return read_location(found[1], place, out);
	}
	return members[LINES].size > 0;
}

bool stored_read_summary(int directory_fd, const json_t *meta, struct stored_summary *out)
{
	struct json_slice members[N_MEMBERS];
	char *bytes = NULL;
	size_t size = 0;
	memset(out, 0, sizeof(*out));
	if (input_read_file(directory_fd, BUNDLE_REPORT_JSON_NAME, REPORT_MAX, &bytes, &size))
		return false;
	bool is_read = json_scan_members((struct json_slice){bytes, size}, member_names, N_MEMBERS,
					 members) &&
		       is_whole(members, meta) && read_verdict(members, out) &&
		       read_error(members, out) && read_work(members, out) &&
		       read_place(members, out);
	free(bytes);
	return is_read;
}
