/*
 * label_json.c - names of streams, threads and work as JSON, as in the text report.
 */
#include "json/json_parts.h"

#include <stdlib.h>

#include "base/text.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "json/json_values.h"

enum { LABEL_SIZE = 1024, NAME_SIZE = 16384 };

const char *label_stream_kind(uint32_t kind)
{
	switch (kind) {
	case STREAM_LEGACY:
		return "legacy";
	case STREAM_PER_THREAD:
		return "per_thread";
	default:
		return "explicit";
	}
}

json_t *stream_label_to_json(const struct analysis *analysis, uint32_t stream)
{
	char label[LABEL_SIZE];
	struct text text = text_in(label, sizeof(label));
	report_stream_label(&analysis->report, stream, &text);
	return json_string(label);
}

json_t *thread_to_json(const struct analysis *analysis, uint32_t tid)
{
	const struct thread_row *thread = view_thread(analysis->report.view, tid);
	return json_pack("{s:I, s:o}", "tid", (json_int_t)tid, "name",
			 json_view_string(analysis->report.view, thread ? thread->name : 0));
}

json_t *ordinal_to_json(const struct analysis *analysis, uint32_t stream, uint64_t ordinal)
{
	const struct stream_row *row = view_stream(analysis->report.view, stream);
	uint64_t before = row ? row->before : 0;
	return json_count(ordinal > before ? ordinal - before : 0);
}

json_t *work_name_to_json(const struct analysis *analysis, const struct journal_record *record)
{
	char *name = malloc(NAME_SIZE);
	if (!name)
		return NULL;
	struct text text = text_in(name, NAME_SIZE);
	report_work_name(&analysis->report, record, false, &text);
	json_t *value = json_string(name);
	free(name);
	return value;
}
