/*
 * run_views.c - write what the options for build servers ask for: files, annotations, a summary.
 */
#include "run/run_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ci/ci.h"
#include "command/message.h"
#include "command/output.h"

static void write_view(enum ci_view view, const struct ci_findings *findings, const char *path)
{
	FILE *out = output_open(path);
	if (!out)
		return;
	int result = ci_view_print(view, findings, out);
	if (!output_close(out, path) && result)
		message("%s: %s", path, strerror(-result));
}

/* Annotate the log of a GitHub job, and add the findings to the summary page of its step. */
static void annotate(const struct ci_findings *findings, bool is_quiet)
{
	const char *summary = getenv("GITHUB_STEP_SUMMARY");
	int result = 0;
	if (!is_quiet && findings->n)
		message_end_line();
	if (!is_quiet)
		result = ci_view_print(CI_GITHUB, findings, stderr);
	if (!result && summary && *summary && findings->n)
		result = ci_view_summarise(findings, summary);
	if (result)
		message("the step's page: %s", strerror(-result));
}

void run_views_write(const struct arguments *arguments, struct ci_findings *findings, bool is_quiet)
{
	static const struct {
		enum option option;
		enum ci_view view;
	} files[] = {{OPTION_run_junit, CI_JUNIT},
		     {OPTION_run_sarif, CI_SARIF},
		     {OPTION_run_gitlab, CI_GITLAB}};
	const char *actions = getenv("GITHUB_ACTIONS");
	for (size_t index = 0; index < sizeof(files) / sizeof(files[0]); index++)
		if (arguments->values[files[index].option])
			write_view(files[index].view, findings,
				   arguments->values[files[index].option]);
	if (arguments->values[OPTION_run_github] || (actions && !strcmp(actions, "true")))
		annotate(findings, is_quiet);
	ci_findings_free(findings);
}
