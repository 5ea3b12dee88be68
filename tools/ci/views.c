/*
 * views.c - the table of the views.
 */
#include "ci/ci.h"

#include <errno.h>

int ci_view_print(enum ci_view view, const struct ci_findings *findings, FILE *out)
{
	static int (*const printers[N_CI_VIEWS])(const struct ci_findings *, FILE *) = {
		[CI_JUNIT] = junit_print,       [CI_SARIF] = sarif_print,
		[CI_GITLAB] = gitlab_print,     [CI_GITHUB] = github_print,
		[CI_MARKDOWN] = markdown_print,
	};
	return printers[view](findings, out);
}

int ci_view_summarise(const struct ci_findings *findings, const char *path)
{
	FILE *out = fopen(path, "ae");
	if (!out)
		return -errno;
	int result = markdown_print(findings, out);
	if (fclose(out) && !result)
		result = -errno;
	return result;
}
