/*
 * test_settings.c - each kind of setting: what it accepts, what it refuses, and that it is written
 * as it was read.
 */
#include "base/settings.h"

#include <errno.h>

#include "support/check.h"

static struct settings settings;

static const char *text_of(enum setting which)
{
	static char text[SETTINGS_PATH_MAX];
	CHECK(settings_text(&settings, which, text, sizeof(text)) < sizeof(text));
	return text;
}

static void takes(enum setting which, const char *text)
{
	CHECK_EQUAL(settings_parse(&settings, which, text), 0);
	CHECK_STRING(text_of(which), text);
}

/* A refused value changes nothing. */
static void refuses(enum setting which, const char *text)
{
	char before[SETTINGS_PATH_MAX];
	strcpy(before, text_of(which));
	CHECK_EQUAL(settings_parse(&settings, which, text), -EINVAL);
	CHECK_STRING(text_of(which), before);
}

static void test_defaults(void)
{
	settings_default(&settings);
	for (enum setting which = 0; which < N_SETTINGS; which++)
		CHECK_STRING(text_of(which), setting_facts[which].initial);
	CHECK_EQUAL(settings.markers.scheme, MARKERS_AUTO);
	CHECK_EQUAL(settings.records, 65536);
	CHECK_EQUAL(settings.keep, KEEP_FAILURE);
	CHECK_EQUAL(settings.cleanup, CLEANUP_HARMLESS);
	CHECK_EQUAL(settings.on_failure, ON_FAILURE_REPORT);
	CHECK_EQUAL(settings.stacks, 1);
}

static void test_graph_markers(void)
{
	CHECK_EQUAL(settings.graph_markers, 0);
	takes(SETTING_graph_markers, "every");
	CHECK_EQUAL(settings.graph_markers, 1);
	takes(SETTING_graph_markers, "16");
	CHECK_EQUAL(settings.graph_markers, 16);
	takes(SETTING_graph_markers, "off");
	CHECK_EQUAL(settings.graph_markers, 0);
	refuses(SETTING_graph_markers, "0");
	refuses(SETTING_graph_markers, "on");
	refuses(SETTING_graph_markers, "");
}

static void test_markers(void)
{
	takes(SETTING_markers, "off");
	CHECK_EQUAL(settings.markers.scheme, MARKERS_OFF);
	takes(SETTING_markers, "side:16");
	CHECK_EQUAL(settings.markers.scheme, MARKERS_SIDE);
	CHECK_EQUAL(settings.markers.interval, 16);
	takes(SETTING_markers, "inline@17179869184");
	CHECK_EQUAL(settings.markers.scheme, MARKERS_INLINE);
	CHECK(settings.markers.first == 17179869184);
	takes(SETTING_markers, "inline:4@9");
	CHECK_EQUAL(settings.markers.interval, 4);
	CHECK(settings.markers.first == 9);
	refuses(SETTING_markers, "inline@");
	refuses(SETTING_markers, "inline@0");
	refuses(SETTING_markers, "inline@9x");
	refuses(SETTING_markers, "inline@99999999999999999999");
	refuses(SETTING_markers, "auto@9");
	takes(SETTING_markers, "inline");
	CHECK(settings.markers.first == 0);
	CHECK_EQUAL(settings.markers.interval, 0);
	refuses(SETTING_markers, "");
	refuses(SETTING_markers, "inlin");
	refuses(SETTING_markers, "inline:");
	refuses(SETTING_markers, "inline:0");
	refuses(SETTING_markers, "inline:-1");
	refuses(SETTING_markers, "inline:4x");
	refuses(SETTING_markers, "side:4294967296");
	refuses(SETTING_markers, "side:99999999999999999999999");
	refuses(SETTING_markers, "off:4");
}

static void test_count(void)
{
	takes(SETTING_stack_check, "1");
	takes(SETTING_stack_check, "4294967295");
	takes(SETTING_stack_check, "0");
	CHECK_EQUAL(settings.stack_check, 0);
	refuses(SETTING_stack_check, "4294967296");
	refuses(SETTING_stack_check, "-1");
	refuses(SETTING_stack_check, "00");
	refuses(SETTING_stack_check, "");
}

static void test_records(void)
{
	takes(SETTING_records, "64");
	takes(SETTING_records, "16777216");
	CHECK_EQUAL(settings_parse(&settings, SETTING_records, "64k"), 0);
	CHECK_EQUAL(settings.records, 65536);
	CHECK_EQUAL(settings_parse(&settings, SETTING_records, "16M"), 0);
	CHECK_EQUAL(settings.records, 16777216);
	refuses(SETTING_records, "k");
	refuses(SETTING_records, "100k");
	refuses(SETTING_records, "64kk");
	refuses(SETTING_records, "32m");
	refuses(SETTING_records, "99999999999999999999k");
	refuses(SETTING_records, "32");
	refuses(SETTING_records, "33554432");
	refuses(SETTING_records, "1000");
	refuses(SETTING_records, "0x40");
	refuses(SETTING_records, " 64");
	refuses(SETTING_records, "");
}

static void test_words(void)
{
	takes(SETTING_keep, "always");
	CHECK_EQUAL(settings.keep, KEEP_ALWAYS);
	refuses(SETTING_keep, "alway");
	refuses(SETTING_keep, "failure|always");
	refuses(SETTING_keep, "");
	takes(SETTING_cleanup, "real");
	CHECK_EQUAL(settings.cleanup, CLEANUP_REAL);
	takes(SETTING_on_failure, "kill");
	CHECK_EQUAL(settings.on_failure, ON_FAILURE_KILL);
	takes(SETTING_on_failure, "abort");
	CHECK_EQUAL(settings.on_failure, ON_FAILURE_ABORT);
	refuses(SETTING_on_failure, "exit");
	takes(SETTING_stacks, "off");
	CHECK_EQUAL(settings.stacks, 0);
	takes(SETTING_python, "off");
	CHECK_EQUAL(settings.python, 0);
	takes(SETTING_quiet, "1");
	CHECK(settings.quiet);
	takes(SETTING_quiet, "0");
	CHECK(!settings.quiet);
	refuses(SETTING_quiet, "yes");
	refuses(SETTING_quiet, "");
}

static void test_paths(void)
{
	takes(SETTING_dir, "/var/tmp/with space:and colon");
	refuses(SETTING_dir, "");
	char path[SETTINGS_PATH_MAX + 1];
	memset(path, 'a', sizeof(path));
	path[SETTINGS_PATH_MAX] = '\0';
	refuses(SETTING_dir, path);
	path[SETTINGS_PATH_MAX - 1] = '\0';
	takes(SETTING_dir, path);
	takes(SETTING_dir, "100%%");
	CHECK_STRING(settings.dir, "100%");
	refuses(SETTING_dir, "100%");
}

static char warnings[1024];
static int n_warnings;

static void keep_warning(void *data, const char *line)
{
	CHECK(data == &n_warnings);
	n_warnings++;
	snprintf(warnings, sizeof(warnings), "%s", line);
}

static void test_environment(void)
{
	for (enum setting which = 0; which < N_SETTINGS; which++)
		unsetenv(setting_facts[which].environment);
	setenv("CULPRIT_RECORDS", "1024", 1);
	setenv("CULPRIT_KEEP", "", 1); /* as if unset */
	settings_read(&settings, keep_warning, &n_warnings);
	CHECK_EQUAL(n_warnings, 0);
	CHECK_EQUAL(settings.records, 1024);
	CHECK_EQUAL(settings.keep, KEEP_FAILURE);

	setenv("CULPRIT_MARKERS", "in\033[2Jline", 1);
	errno = EXDEV;
	settings_read(&settings, keep_warning, &n_warnings);
	CHECK_EQUAL(errno, EXDEV);
	CHECK_EQUAL(n_warnings, 1);
	CHECK_EQUAL(settings.markers.scheme, MARKERS_AUTO);
	CHECK_STRING(warnings, "CULPRIT_MARKERS='in?[2Jline': expected "
			       "auto|side|inline|off[:K][@N]; using 'auto'");
	settings_read(&settings, NULL, NULL);
}

static void test_text_is_cut(void)
{
	settings_default(&settings);
	char text[4];
	CHECK_EQUAL(settings_text(&settings, SETTING_records, text, sizeof(text)), 5);
	CHECK_STRING(text, "655");
}

int main(void)
{
	test_defaults();
	test_markers();
	test_graph_markers();
	test_records();
	test_count();
	test_words();
	test_paths();
	test_environment();
	test_text_is_cut();
	return 0;
}
