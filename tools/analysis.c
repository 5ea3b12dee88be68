/*
 * analysis.c - runs the attribution on a bundle that was read from disk.
 */
#include "analysis.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "attribution.h"
#include "message.h"
#include "report_text.h"

static int find_verdict(const struct bundle *bundle, struct verdict *out)
{
	const struct bundle_view *view = &bundle->view;
	const struct gpu_fault *coredump = bundle->coredump ? &bundle->coredump->fault : NULL;
	size_t size = attribution_scratch(view);
	void *scratch = malloc(size ? size : 1);
	int result;

	if (!scratch)
		return -ENOMEM;
	result = attribute_with_coredump(view, coredump, scratch, size, out);
	free(scratch);
	return result;
}

int analysis_open(struct bundle *bundle, struct analysis *out)
{
	int result = -ENOMEM;

	memset(out, 0, sizeof(*out));
	out->bundle = bundle;
	out->symbols = symbols_open();
	out->verdict = calloc(1, sizeof(*out->verdict));
	if (out->symbols && out->verdict)
		result = find_verdict(bundle, out->verdict);
	if (result) {
		analysis_close(out);
		return result;
	}
	out->source = symbols_source(out->symbols);
	out->report = (struct report){.view = &bundle->view,
				      .verdict = out->verdict,
				      .symbols = &out->source,
				      .bundle_path = bundle->path,
				      .directory = bundle_meta_text(bundle, "directory")};
	return 0;
}

void analysis_close(struct analysis *analysis)
{
	symbols_close(analysis->symbols);
	free(analysis->verdict);
	memset(analysis, 0, sizeof(*analysis));
}

bool analysis_has_failure(const struct analysis *analysis)
{
	return view_failure(analysis->report.view) != NULL;
}

/* System libraries change with every update, and nobody misses their lines. */
static void tell_changed_files(const struct analysis *analysis)
{
	const struct bundle_view *view = analysis->report.view;
	uint64_t n_modules = view->tables[JOURNAL_MODULES].n_rows;

	for (uint32_t id = 1; id <= n_modules && id < UINT32_MAX; id++) {
		const char *path = view_string(view, view_module(view, id)->path, NULL);

		if (symbols_module_has_changed(analysis->symbols, id) &&
		    !report_is_plumbing(path, NULL))
			message("%s: %s; its lines are not shown", path,
				symbols_module_problem(analysis->symbols, id));
	}
}

int analysis_print_text(const struct analysis *analysis, FILE *out)
{
	char *buffer = malloc(REPORT_TEXT_SIZE);
	struct text text;
	int result;

	if (!buffer)
		return -ENOMEM;
	text = text_in(buffer, REPORT_TEXT_SIZE);
	report_text(&analysis->report, &text);
	result = fputs(buffer, out) < 0 ? -errno : 0;
	free(buffer);
	tell_changed_files(analysis);
	return result;
}
