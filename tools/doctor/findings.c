/*
 * findings.c - collect findings and print them as text or JSON.
 */
#include "doctor/findings.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char *const state_words[] = {"ok", "warn", "fail"};

void findings_add(struct findings *findings, const char *name, enum finding_state state,
		  const char *advice, const char *format, ...)
{
	if (findings->n == FINDINGS_MAX)
		return;
	struct finding *finding = &findings->rows[findings->n++];
	va_list arguments;
	va_start(arguments, format);
	char given[FINDING_TEXT_SIZE];
	vsnprintf(given, sizeof(given), format, arguments);
	va_end(arguments);
	struct text text = text_in(finding->text, sizeof(finding->text));
	text_add_foreign(&text, given, strlen(given));
	finding->name = name;
	finding->state = state;
	finding->advice = advice;
}

enum finding_state findings_worst(const struct findings *findings)
{
	enum finding_state worst = FINDING_OK;
	for (unsigned index = 0; index < findings->n; index++)
		if (findings->rows[index].state > worst)
			worst = findings->rows[index].state;
	return worst;
}

void findings_print_text(const struct findings *findings)
{
	static const char *const conclusions[] = {
		"culprit works here.",
		"culprit works here, with the limits above.",
		"culprit cannot name a launch here; see the lines marked fail.",
	};
	printf("culprit " CULPRIT_VERSION "\n");
	for (unsigned index = 0; index < findings->n; index++) {
		const struct finding *finding = &findings->rows[index];
		printf("  %-5s %-11s %s\n", state_words[finding->state], finding->name,
		       finding->text);
		if (finding->advice)
			printf("  %-5s %-11s -> %s\n", "", "", finding->advice);
	}
	printf("%s\n", conclusions[findings_worst(findings)]);
}

void findings_print_json(const struct findings *findings)
{
	json_t *checks = json_array();
	for (unsigned index = 0; index < findings->n; index++) {
		const struct finding *finding = &findings->rows[index];
		json_array_append_new(checks,
				      json_pack("{s:s, s:s, s:s, s:s?}", "name", finding->name,
						"state", state_words[finding->state], "text",
						finding->text, "advice", finding->advice));
	}
	json_t *all = json_pack("{s:s, s:b, s:o}", "culprit", CULPRIT_VERSION, "works",
				findings_worst(findings) != FINDING_FAIL, "checks", checks);
	if (all && !json_dumpf(all, stdout, JSON_INDENT(2)))
		putchar('\n');
	json_decref(all);
}
