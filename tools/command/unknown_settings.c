/*
 * unknown_settings.c - compares the environment with the table of settings.
 */
#include "command/unknown_settings.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/settings.h"
#include "command/suggestion.h"

static const char prefix[] = "CULPRIT_";

/* Variables that are no settings: those of this command, and of the tests in the source tree. */
static const char *const others[] = {"CULPRIT_LIBRARY", "CULPRIT_BUILD", "CULPRIT_TEST_DRIVER"};

static bool is_called(const char *name, size_t length, const char *candidate)
{
	return strlen(candidate) == length && !memcmp(name, candidate, length);
}

static bool is_known(const char *name, size_t length)
{
	for (enum setting which = 0; which < N_SETTINGS; which++)
		if (is_called(name, length, setting_facts[which].environment))
			return true;
	for (size_t index = 0; index < sizeof(others) / sizeof(others[0]); index++)
		if (is_called(name, length, others[index]))
			return true;
	return false;
}

/* Compare without the prefix: with it, all names would be similar. */
static const char *find_near(const char *name, size_t length)
{
	struct suggestion best = {NULL, 0};
	const size_t skipped = sizeof(prefix) - 1;
	for (enum setting which = 0; which < N_SETTINGS; which++)
		suggestion_offer(&best, name + skipped, length - skipped,
				 setting_facts[which].environment + skipped);
	return best.word;
}

void unknown_settings_report(void (*tell)(void *data, const char *line), void *data)
{
	enum { NAME_MAX_SHOWN = 128 };
	for (char **variable = environ; *variable; variable++) {
		size_t length = strcspn(*variable, "=");
		if (strncmp(*variable, prefix, sizeof(prefix) - 1) != 0 ||
		    is_known(*variable, length))
			continue;
		const char *near = find_near(*variable, length);
		char line[512];
		snprintf(line, sizeof(line), "%.*s is no setting%s%s%s",
			 (int)(length < NAME_MAX_SHOWN ? length : NAME_MAX_SHOWN), *variable,
			 near ? "; did you mean CULPRIT_" : "", near ? near : "", near ? "?" : "");
		tell(data, line);
	}
}
