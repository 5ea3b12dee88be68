/*
 * doctor.c - `culprit doctor`: run all checks and print the findings.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "command/commands.h"
#include "command/exit_status.h"
#include "command/message.h"
#include "command/options.h"
#include "command/preload.h"
#include "doctor/examination.h"

enum { TEXT, JSON }; /* as in commands.def */

static void examine(struct doctor *doctor)
{
	if (preload_find_library(doctor->library, sizeof(doctor->library))) {
		doctor->library[0] = '\0';
		findings_add(&doctor->findings, "library", FINDING_FAIL,
			     "put it into ../lib relative to culprit, or set CULPRIT_LIBRARY",
			     "libculprit.so cannot be used");
	} else {
		findings_add(&doctor->findings, "library", FINDING_OK, NULL, "%s", doctor->library);
	}
	doctor_check_others(doctor);
	hardware_watch_begin(&doctor->hardware);
	doctor_probe(doctor);
	doctor_check_driver(doctor);
	doctor_check_hooks(doctor);
	doctor_check_recording(doctor);
	doctor_check_progress(doctor);
	doctor_check_fault(doctor);
	doctor_check_hardware(doctor);
	doctor_check_python(doctor);
	doctor_check_tools(doctor);
	doctor_check_directory(doctor);
	doctor_check_environment(doctor);
}

int doctor_main(const struct arguments *arguments)
{
	int format = options_choice(arguments, OPTION_doctor_format);
	const char *directory = arguments->values[OPTION_doctor_dir];
	const char *python = arguments->values[OPTION_doctor_python];
	if (format < 0)
		return EXIT_STATUS_USAGE;
	if (options_no_operands(arguments, COMMAND_doctor))
		return EXIT_STATUS_USAGE;
	struct doctor *doctor = calloc(1, sizeof(*doctor));
	if (!doctor) {
		message("%s", strerror(ENOMEM));
		return EXIT_STATUS_SYSTEM;
	}
	struct settings settings;
	settings_read(&settings, NULL, NULL);
	doctor->directory = directory ? directory : settings.dir;
	doctor->is_python_named = python;
	doctor->python = python ? python : "python3";
	examine(doctor);
	if (format == JSON)
		findings_print_json(&doctor->findings);
	else
		findings_print_text(&doctor->findings);
	enum finding_state worst = findings_worst(&doctor->findings);
	hardware_watch_end(&doctor->hardware);
	json_decref(doctor->alone);
	json_decref(doctor->preloaded);
	json_decref(doctor->python_probe);
	bundle_close(doctor->bundle);
	bundle_close(doctor->python_bundle);
	free(doctor);
	if (worst == FINDING_WARN && arguments->values[OPTION_doctor_strict])
		return EXIT_STATUS_NOT_WORKING;
	return worst == FINDING_FAIL ? EXIT_STATUS_NOT_WORKING : EXIT_STATUS_OK;
}
