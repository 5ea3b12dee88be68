/*
 * process_json.c - the failed process as JSON: its command, owner, host and times.
 */
#include "json/json_parts.h"

#include "bundle/process.h"
#include "json/json_values.h"

/* Return a string of meta.json unchanged: json_print() escapes it. */
static json_t *member(const json_t *meta, const char *key)
{
	json_t *value = json_object_get(meta, key);
	return value ? json_incref(value) : json_null();
}

static json_t *rank_to_json(const json_t *meta)
{
	struct rank rank = process_rank(meta);
	return json_pack("{s:s?, s:s?, s:s?, s:o}", "rank", rank.rank, "local", rank.local, "size",
			 rank.size, "variables", member(meta, "ranks"));
}

static json_t *parent_to_json(const json_t *meta)
{
	if (!json_object_get(meta, "parent_pid"))
		return json_null();
	return json_pack("{s:o, s:o}", "pid", member(meta, "parent_pid"), "name",
			 member(meta, "parent"));
}

static const char *end_word(enum report_end_kind kind)
{
	static const char *const words[] = {
		[REPORT_END_UNKNOWN] = NULL, [REPORT_RUNS] = "runs", [REPORT_EXITED] = "exited",
		[REPORT_KILLED] = "killed",  [REPORT_GONE] = "gone",
	};
	return words[kind];
}

json_t *process_to_json(const struct analysis *analysis)
{
	const json_t *meta = analysis->bundle->meta;
	const struct report_end *end = &analysis->bundle->end;
	const json_t *told = json_object_get(meta, "end");
	if (!meta)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s?, s:o, s:o, s:o, s:o}",
			 "pid", member(meta, "pid"), "program", member(meta, "program"), "command",
			 member(meta, "command"), "directory", member(meta, "directory"), "parent",
			 parent_to_json(meta), "host", member(meta, "hostname"), "rank",
			 rank_to_json(meta), "start", member(meta, "start_time"), "end",
			 end_word(end->kind), "signal",
			 end->kind == REPORT_KILLED ? json_integer(end->number) : json_null(),
			 "end_time", member(told, "time"), "exit_status", member(told, "status"),
			 "run", member(meta, "run"));
}

json_t *process_moment_to_json(const struct analysis *analysis, uint64_t monotonic_ns)
{
	return json_time(process_wall_ns(analysis->bundle->meta, monotonic_ns));
}
