/*
 * job_rank.c - copies the data of a rank from an analysis, to outlive it.
 */
#include "job/job_rank.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "bundle/bundle_meta.h"
#include "report/report_labels.h"
#include "report/report_page.h"

static const char *variable(const json_t *meta, const char *name)
{
	const char *value =
		json_string_value(json_object_get(json_object_get(meta, "ranks"), name));
	return value ? value : "";
}

/* After a restart, failures belong to another job. */
static void name_job(const json_t *meta, struct job_rank *out)
{
	const char *elastic = variable(meta, "TORCHELASTIC_RUN_ID");
	struct text text = text_in(out->job, sizeof(out->job));
	text_addf(&text, "%.64s %.16s %.32s", *elastic ? elastic : variable(meta, "SLURM_JOB_ID"),
		  variable(meta, "TORCHELASTIC_RESTART_COUNT"), out->size);
}

/* Set the device: that of the first suspect, or else of the first known stream. */
static void add_where(const struct analysis *analysis, struct job_rank *out)
{
	const struct verdict *verdict = analysis->verdict;
	struct text device = text_in(out->device, sizeof(out->device));
	struct text text = text_in(out->where, sizeof(out->where));
	report_device_label(&analysis->report,
			    verdict->n_suspects  ? verdict->suspects[0].record.stream
			    : verdict->n_streams ? verdict->streams[0].stream
						 : 1,
			    &device);
	text_addf(&text, "rank %s on ", out->rank);
	text_add(&text, *out->host ? out->host : "an unknown host");
	text_add(&text, ", ");
	text_add(&text, out->device);
}

/* Copy the headline without culprit's name and the process, which are shown elsewhere. */
static void add_headline(const struct analysis *analysis, struct job_rank *out)
{
	const char *line = report_headline(analysis->page);
	const char *end = strstr(line, " [pid ");
	line += strncmp(line, "culprit: ", strlen("culprit: ")) ? 0 : strlen("culprit: ");
	snprintf(out->headline, sizeof(out->headline), "%.*s",
		 (int)(end && end > line ? end - line : (long)strlen(line)), line);
}

static void add_failure(const struct analysis *analysis, struct job_rank *out)
{
	const struct verdict *verdict = analysis->verdict;
	const json_t *meta = analysis->bundle->meta;
	uint64_t submitted = 0;
	for (uint64_t index = 0; index < verdict->n_suspects && index < VERDICT_MAX_SUSPECTS;
	     index++) {
		uint64_t time_ns = verdict->suspects[index].record.time_ns;
		if (!submitted || time_ns < submitted)
			submitted = time_ns;
	}
	struct fingerprint fingerprint;
	fingerprint_of(analysis, &fingerprint);
	memcpy(out->mistake, fingerprint.id, sizeof(out->mistake));
	out->submitted_ns = process_wall_ns(meta, submitted);
	out->seen_ns = process_wall_ns(meta, verdict->failure.time_ns);
}

int job_rank_read(const struct analysis *analysis, struct job_rank *out)
{
	const json_t *meta = analysis->bundle->meta;
	struct rank rank = process_rank(meta);
	const char *host = bundle_meta_text(meta, "hostname");
	struct text host_text = text_in(out->host, sizeof(out->host));
	struct text path_text = text_in(out->path, sizeof(out->path));
	memset(out, 0, sizeof(*out));
	text_add_foreign(&host_text, host, strlen(host));
	text_add_foreign(&path_text, analysis->bundle->path, strlen(analysis->bundle->path));
	if (!rank.rank)
		return 0;
	snprintf(out->rank, sizeof(out->rank), "%s", rank.rank);
	snprintf(out->size, sizeof(out->size), "%s", rank.size ? rank.size : "");
	name_job(meta, out);
	out->started_ns = (uint64_t)json_integer_value(json_object_get(meta, "realtime_ns"));
	add_where(analysis, out);
	if (analysis_has_failure(analysis))
		add_failure(analysis, out);
	if (analysis->finding != FINDING_NONE || analysis_is_open(analysis))
		add_headline(analysis, out);
	return collectives_count(analysis, &out->collectives);
}
