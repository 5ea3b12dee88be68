/*
 * finding.c - the record of a finding as JSON.
 */
#include "analysis/finding.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "files/input.h"
#include "report/report_labels.h"

enum { FINDING_FORMAT = 1 };

static bool read_kind(const json_t *value, enum stall_kind *out)
{
	const char *word = json_string_value(value);
	for (enum stall_kind kind = 0; word && kind < N_STALL_KINDS; kind++) {
		if (strcmp(word, stall_label(kind)) != 0)
			continue;
		*out = kind;
		return true;
	}
	return false;
}

/* Only a verdict on one launch is stored. */
static bool read_class(const json_t *value, enum verdict_class *out)
{
	const char *word = json_string_value(value);
	for (enum verdict_class class = VERDICT_LIKELY; word && class <= VERDICT_EXACT; class ++) {
		if (strcmp(word, report_verdict_label(class)) != 0)
			continue;
		*out = class;
		return true;
	}
	return false;
}

/* Return a number above 0, or 0. */
static uint64_t read_number(const json_t *value)
{
	json_int_t number = json_integer_value(value);
	return number > 0 ? (uint64_t)number : 0;
}

static bool read_stand(const json_t *value, struct hang_stand *out)
{
	*out = (struct hang_stand){
		.sequence = read_number(json_object_get(value, "submission")),
		.source_sequence = read_number(json_object_get(value, "source")),
		.is_proven = json_is_true(json_object_get(value, "proven")),
	};
	return out->sequence && read_kind(json_object_get(value, "state"), &out->kind);
}

static bool is_of_kind(const json_t *record, enum finding_kind wanted)
{
	const char *kind = json_string_value(json_object_get(record, "kind"));
	return json_integer_value(json_object_get(record, "format")) == FINDING_FORMAT && kind &&
	       !strcmp(kind, finding_label(wanted));
}

const char *finding_label(enum finding_kind kind)
{
	static const char *const words[] = {
		[FINDING_NONE] = NULL,
		[FINDING_FAILURE] = "failure",
		[FINDING_HANG] = "hang",
		[FINDING_REJECTION] = "refusal",
		[FINDING_UNFINISHED] = "unfinished",
	};
	return words[kind];
}

bool finding_is_rejection(const json_t *record)
{
	return is_of_kind(record, FINDING_REJECTION);
}

bool finding_is_unfinished(const json_t *record)
{
	return is_of_kind(record, FINDING_UNFINISHED);
}

bool finding_read_hang(const json_t *record, struct hang_claim *out)
{
	const json_t *streams = json_object_get(record, "streams");
	size_t n = json_array_size(streams);
	if (!is_of_kind(record, FINDING_HANG) || !n || n > HANG_CLAIM_MAX ||
	    !read_class(json_object_get(record, "verdict"), &out->class))
		return false;
	out->ns = read_number(json_object_get(record, "ns"));
	for (out->n = 0; out->n < n; out->n++)
		if (!read_stand(json_array_get(streams, out->n), &out->rows[out->n]))
			return false;
	return true;
}

static json_t *stand_to_json(const struct hang_stand *stand)
{
	json_t *source = stand->source_sequence ? json_integer((json_int_t)stand->source_sequence)
						: json_null();
	return json_pack("{s:I, s:s, s:b, s:o}", "submission", (json_int_t)stand->sequence, "state",
			 stall_label(stand->kind), "proven", stand->is_proven, "source", source);
}

json_t *finding_streams(const struct hang_claim *hang)
{
	json_t *streams = json_array();
	for (uint32_t i = 0; i < hang->n; i++)
		json_array_append_new(streams, stand_to_json(&hang->rows[i]));
	return streams;
}

json_t *finding_of_hang(const struct hang_claim *hang, const char *fingerprint)
{
	return json_pack("{s:s, s:i, s:s, s:s, s:I, s:s, s:o}", "culprit", CULPRIT_VERSION,
			 "format", FINDING_FORMAT, "kind", finding_label(FINDING_HANG), "verdict",
			 report_verdict_label(hang->class), "ns", (json_int_t)hang->ns,
			 "fingerprint", fingerprint, "streams", finding_streams(hang));
}

static json_t *record_of(enum finding_kind kind, const char *fingerprint)
{
	return json_pack("{s:s, s:i, s:s, s:s}", "culprit", CULPRIT_VERSION, "format",
			 FINDING_FORMAT, "kind", finding_label(kind), "fingerprint", fingerprint);
}

json_t *finding_of_rejection(const char *fingerprint)
{
	return record_of(FINDING_REJECTION, fingerprint);
}

json_t *finding_of_unfinished(const char *fingerprint)
{
	return record_of(FINDING_UNFINISHED, fingerprint);
}

/* A record that a full disk has cut is removed. */
void finding_store(const char *path, const json_t *record)
{
	int directory_fd = input_open_own_directory(path);
	int fd = directory_fd < 0
			 ? -1
			 : openat(directory_fd, BUNDLE_FINDING_NAME,
				  O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool is_stored = fd >= 0 && !json_dumpfd(record, fd, JSON_INDENT(1));
	if (fd >= 0 && close(fd))
		is_stored = false;
	if (fd >= 0 && !is_stored)
		(void)unlinkat(directory_fd, BUNDLE_FINDING_NAME, 0);
	if (directory_fd >= 0)
		close(directory_fd);
}
