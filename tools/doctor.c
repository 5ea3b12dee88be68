/*
 * doctor.c - `culprit doctor`: runs the checks and prints what they found.
 */
#include "doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "message.h"
#include "options.h"
#include "preload.h"
#include "text.h"

enum { TEXT, JSON }; /* as in commands.def */

static const char *const state_words[] = {"ok", "warn", "fail"};

void doctor_find(struct doctor *doctor, const char *name, enum finding_state state,
		 const char *advice, const char *format, ...)
{
	struct finding *finding = &doctor->findings[doctor->n_findings];
	char given[FINDING_TEXT_SIZE];
	struct text text = text_in(finding->text, sizeof(finding->text));
	va_list arguments;

	if (doctor->n_findings == DOCTOR_MAX_FINDINGS)
		return;
	doctor->n_findings++;
	va_start(arguments, format);
	vsnprintf(given, sizeof(given), format, arguments);
	va_end(arguments);
	text_add_foreign(&text, given, strlen(given));
	finding->name = name;
	finding->state = state;
	finding->advice = advice;
}

static enum finding_state worst_state(const struct doctor *doctor)
{
	enum finding_state worst = FINDING_OK;

	for (unsigned index = 0; index < doctor->n_findings; index++)
		if (doctor->findings[index].state > worst)
			worst = doctor->findings[index].state;
	return worst;
}

static void examine(struct doctor *doctor)
{
	if (preload_find_library(doctor->library, sizeof(doctor->library))) {
		doctor->library[0] = '\0';
		doctor_find(doctor, "library", FINDING_FAIL,
			    "put it into ../lib beside culprit, or set CULPRIT_LIBRARY",
			    "libculprit.so cannot be used");
	} else {
		doctor_find(doctor, "library", FINDING_OK, NULL, "%s", doctor->library);
	}
	doctor_probe(doctor);
	doctor_check_driver(doctor);
	doctor_check_doors(doctor);
	doctor_check_recording(doctor);
	doctor_check_python(doctor);
	doctor_check_tools(doctor);
	doctor_check_directory(doctor);
	doctor_check_environment(doctor);
}

static void print_text(const struct doctor *doctor)
{
	static const char *const conclusions[] = {
		"culprit works here.",
		"culprit works here, with the limits above.",
		"culprit cannot name a launch here: see the lines marked fail.",
	};

	printf("culprit " CULPRIT_VERSION "\n");
	for (unsigned index = 0; index < doctor->n_findings; index++) {
		const struct finding *finding = &doctor->findings[index];

		printf("  %-5s %-11s %s\n", state_words[finding->state], finding->name,
		       finding->text);
		if (finding->advice)
			printf("  %-5s %-11s -> %s\n", "", "", finding->advice);
	}
	printf("%s\n", conclusions[worst_state(doctor)]);
}

/* {"culprit", "works": bool, "checks": [{"name", "state", "text", "advice"}]} */
static void print_json(const struct doctor *doctor)
{
	json_t *checks = json_array();
	json_t *all;

	for (unsigned index = 0; index < doctor->n_findings; index++) {
		const struct finding *finding = &doctor->findings[index];

		json_array_append_new(checks,
				      json_pack("{s:s, s:s, s:s, s:s?}", "name", finding->name,
						"state", state_words[finding->state], "text",
						finding->text, "advice", finding->advice));
	}
	all = json_pack("{s:s, s:b, s:o}", "culprit", CULPRIT_VERSION, "works",
			worst_state(doctor) != FINDING_FAIL, "checks", checks);
	if (all && !json_dumpf(all, stdout, JSON_INDENT(2)))
		putchar('\n');
	json_decref(all);
}

int doctor_main(const struct arguments *arguments)
{
	int format = options_choice(arguments, OPTION_doctor_format);
	const char *directory = arguments->values[OPTION_doctor_dir];
	const char *python = arguments->values[OPTION_doctor_python];
	struct settings settings;
	struct doctor *doctor;
	enum finding_state worst;

	if (format < 0)
		return EXIT_STATUS_USAGE;
	if (arguments->n_operands) {
		message("'%s': no operand is expected; see culprit help doctor",
			arguments->operands[0]);
		return EXIT_STATUS_USAGE;
	}
	doctor = calloc(1, sizeof(*doctor));
	if (!doctor)
		return EXIT_STATUS_SYSTEM;
	settings_read(&settings, NULL, NULL);
	doctor->directory = directory ? directory : settings.dir;
	doctor->python = python ? python : "python3";
	examine(doctor);
	if (format == JSON)
		print_json(doctor);
	else
		print_text(doctor);
	worst = worst_state(doctor);
	json_decref(doctor->alone);
	json_decref(doctor->preloaded);
	json_decref(doctor->python_probe);
	bundle_close(doctor->bundle);
	bundle_close(doctor->python_bundle);
	free(doctor);
	return worst == FINDING_FAIL ? EXIT_STATUS_NOT_WORKING : EXIT_STATUS_OK;
}
