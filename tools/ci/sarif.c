/*
 * sarif.c - one run of one tool.
 */
#include "ci/ci.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "json/json_values.h"

/* A file in the checkout has a relative path, another one its absolute path. */
static json_t *artifact_to_json(const char *file)
{
	json_t *uri = json_uri(file);
	const char *whole = json_string_value(uri);
	const size_t scheme = strlen("file://");
	if (*file == '/' || !whole)
		return json_pack("{s:o}", "uri", uri);
	json_t *artifact = json_pack("{s:s, s:s}", "uri", whole + scheme, "uriBaseId", "%SRCROOT%");
	json_decref(uri);
	return artifact;
}

/* Returns a location; an empty object if neither the file nor the function is known. */
static json_t *location_to_json(const char *file, uint32_t line, const char *function)
{
	json_t *location = json_object();
	if (*file)
		json_object_set_new(location, "physicalLocation",
				    json_pack("{s:o, s:{s:o}}", "artifactLocation",
					      artifact_to_json(file), "region", "startLine",
					      json_count(line)));
	if (*function)
		json_object_set_new(
			location, "logicalLocations",
			json_pack("[{s:o}]", "fullyQualifiedName", json_foreign(function)));
	return location;
}

static json_t *locations_to_json(const struct ci_finding *finding)
{
	json_t *location = location_to_json(finding->file, finding->line, finding->function);
	return json_object_size(location) ? json_pack("[o]", location)
					  : (json_decref(location), json_array());
}

static json_t *related_to_json(const struct ci_finding *finding)
{
	json_t *array = json_array();
	for (size_t i = 0; i < finding->n_locations; i++) {
		const struct ci_location *place = &finding->locations[i];
		json_t *location = location_to_json(place->file, place->line, place->function);
		json_object_set_new(location, "id", json_integer((json_int_t)i + 1));
		json_object_set_new(location, "message", json_pack("{s:s}", "text", place->what));
		json_array_append_new(array, location);
	}
	return array;
}

static json_t *result_to_json(const struct ci_finding *finding)
{
	return json_pack("{s:s, s:s, s:{s:o}, s:o, s:o, s:{s:o}, s:i}", "ruleId", finding->rule,
			 "level", "error", "message", "text", json_foreign(finding->message),
			 "locations", locations_to_json(finding), "relatedLocations",
			 related_to_json(finding), "partialFingerprints", "culprit/v1",
			 json_foreign(finding->fingerprint), "occurrenceCount",
			 (int)finding->n_others + 1);
}

static bool has_rule(const json_t *rules, const char *id)
{
	size_t index = 0;
	const json_t *rule = NULL;
	json_array_foreach(rules, index, rule)
	{
		if (!strcmp(json_string_value(json_object_get(rule, "id")), id))
			return true;
	}
	return false;
}

int sarif_print(const struct ci_findings *findings, FILE *out)
{
	json_t *rules = json_array();
	json_t *results = json_array();
	json_t *log = NULL;
	for (size_t index = 0; index < findings->n; index++) {
		const struct ci_finding *finding = &findings->rows[index];
		if (!has_rule(rules, finding->rule))
			json_array_append_new(rules, json_pack("{s:s, s:s, s:{s:s}}", "id",
							       finding->rule, "name", finding->name,
							       "shortDescription", "text",
							       "A failure or a hang of the GPU, at "
							       "the line that launched it"));
		json_array_append_new(results, result_to_json(finding));
	}
	log = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:s, s:o}]}", "$schema",
			"https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
			"tool", "driver", "name", "culprit", "version", CULPRIT_VERSION, "rules",
			rules, "columnKind", "unicodeCodePoints", "results", results);
	bool is_printed = log && json_print(log, out);
	json_decref(log);
	fputc('\n', out);
	return is_printed ? 0 : -ENOMEM;
}
