/*
 * analysis_text.c - the short report has a line of source.
 */
#include "analysis/analysis_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/source_excerpt.h"
#include "brief/brief_page.h"
#include "command/message.h"
#include "report/report_page.h"

/* Return the text of the location's own line without its indentation; NULL: not known. */
static const char *find_text(const struct source_excerpt *excerpt)
{
	for (size_t i = 0; i < excerpt->n; i++) {
		const char *text = excerpt->lines[i].text;
		if (excerpt->lines[i].number == excerpt->line)
			return text + strspn(text, " ");
	}
	return NULL;
}

/* Read the source of the innermost location of the user's line. */
static bool read_source(const struct analysis *analysis, struct source_excerpt *out)
{
	const struct page_line *line = page_find_line(analysis->brief, PAGE_AT);
	return line && line->n_locations && !analysis->report.view->is_redacted &&
	       source_excerpt_read(analysis, analysis->brief, NULL, line->first_place, out);
}

void analysis_text_short(const struct analysis *analysis, struct text *out)
{
	struct source_excerpt *excerpt = malloc(sizeof(*excerpt));
	struct brief_source source = {NULL, 0};
	if (excerpt && read_source(analysis, excerpt))
		source = (struct brief_source){find_text(excerpt), excerpt->line};
	brief_text(analysis->brief, &source, out);
	free(excerpt);
}

static void print_missed_symbols(const struct analysis *analysis)
{
	struct analysis_module module;
	for (uint32_t place = 0; analysis_next_module(analysis, &place, &module);) {
		if (module.missed)
			message("%s: %s%s", module.path, module.missed,
				symbols_module_has_changed(analysis->symbols, module.id)
					? "; its lines are not shown"
					: "");
	}
}

enum report_length analysis_text_length(void)
{
	struct settings settings;
	settings_read(&settings, NULL, NULL);
	return (enum report_length)settings.report;
}

int analysis_text_print(const struct analysis *analysis, enum report_length length, FILE *out)
{
	const struct bundle *bundle = analysis->bundle;
	if (analysis->is_told)
		return fwrite(bundle->told, 1, bundle->told_size, out) ? 0 : -errno;
	char *buffer = malloc(REPORT_TEXT_SIZE);
	if (!buffer)
		return -ENOMEM;
	struct text text = text_in(buffer, REPORT_TEXT_SIZE);
	if (length == REPORT_FULL)
		report_text(analysis->page, &text);
	else
		analysis_text_short(analysis, &text);
	int result = fputs(buffer, out) < 0 ? -errno : 0;
	free(buffer);
	print_missed_symbols(analysis);
	return result;
}
