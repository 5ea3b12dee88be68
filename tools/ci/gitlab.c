/*
 * gitlab.c - a list of issues. Each needs a file: if the code is not known, the program is used.
 */
#include "ci/ci.h"

#include <errno.h>
#include <stdbool.h>

#include "json/json_values.h"

static json_t *issue_to_json(const struct ci_finding *finding)
{
	const char *place = *finding->file ? finding->file : finding->program;
	return json_pack("{s:o, s:s, s:o, s:s, s:{s:o, s:{s:o}}}", "description",
			 json_foreign(finding->message), "check_name", finding->rule, "fingerprint",
			 json_foreign(finding->fingerprint), "severity", "blocker", "location",
			 "path", json_foreign(*place ? place : "unknown"), "lines", "begin",
			 json_count(finding->line ? finding->line : 1));
}

int gitlab_print(const struct ci_findings *findings, FILE *out)
{
	json_t *issues = json_array();
	for (size_t index = 0; index < findings->n; index++)
		json_array_append_new(issues, issue_to_json(&findings->rows[index]));
	bool is_printed = issues && json_print(issues, out);
	json_decref(issues);
	fputc('\n', out);
	return is_printed ? 0 : -ENOMEM;
}
