/*
 * versions_json.c - versions of the driver and of the CUDA runtimes in the process.
 *
 * The bundle records the driver's version. A runtime is a library of that name, or is linked
 * statically into the program.
 */
#include "json/json_parts.h"

#include <stdio.h>
#include <string.h>

#include "versions/versions.h"
#include "json/json_values.h"

/* Convert 12040 to "12.4" and 0 to null. */
static json_t *version_to_json(int version)
{
	char text[32];
	version_text(version, text, sizeof(text));
	return version ? json_string(text) : json_null();
}

static void add_untried(json_t *untried, const char *what, int version, enum trial trial)
{
	if (!version || trial == TRIAL_GPU)
		return;
	char number[32];
	version_text(version, number, sizeof(number));
	char text[96];
	(void)snprintf(text, sizeof(text), "%s %s: %s", what, number, tried_text(trial));
	json_array_append_new(untried, json_string(text));
}

static bool may_be_runtime(const char *path, const char *program)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	return !strncmp(name, "libcudart.so", strlen("libcudart.so")) ||
	       (program && !strcmp(name, program));
}

static void add_runtimes(const struct analysis *analysis, json_t *runtimes, json_t *untried)
{
	const struct bundle_view *view = analysis->report.view;
	const char *program = json_string_value(json_object_get(analysis->bundle->meta, "program"));
	uint64_t n_modules = view->is_redacted ? 0 : view->tables[JOURNAL_MODULES].n_rows;
	for (uint32_t index = 1; index <= n_modules && index < UINT32_MAX; index++) {
		uint32_t id = view_id_at(view, JOURNAL_MODULES, index);
		const struct module_row *module = view_module(view, id);
		const char *path = view_string(view, module ? module->path : 0, NULL);
		int version = 0;
		if (module && path && may_be_runtime(path, program))
			version = runtime_version_of(path, module);
		if (!version)
			continue;
		json_array_append_new(runtimes,
				      json_pack("{s:o, s:o}", "module", json_foreign(path),
						"version", version_to_json(version)));
		add_untried(untried, "runtime", version, tried_runtime(version));
	}
}

json_t *versions_to_json(const struct analysis *analysis)
{
	const json_t *recorded = json_object_get(analysis->bundle->meta, "driver_version");
	json_int_t number = json_integer_value(recorded);
	int driver = number > 0 && number < 1000000 ? (int)number : 0;
	json_t *runtimes = json_array();
	json_t *untried = json_array();
	add_untried(untried, "driver", driver, tried_driver(driver));
	add_runtimes(analysis, runtimes, untried);
	return json_pack("{s:o, s:o, s:o}", "driver", version_to_json(driver), "runtimes", runtimes,
			 "untried", untried);
}
