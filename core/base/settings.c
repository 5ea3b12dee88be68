/*
 * settings.c - reads and writes settings as text. Each kind of settings.def has a pair of
 * functions, and the rows bind a kind to a member. This file does not know what a setting does.
 */
#include "base/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/path_pattern.h"

enum kind {
	KIND_MARKERS,
	KIND_INTERVAL,
	KIND_PATH,
	KIND_CHOICE,
	KIND_RECORDS,
	KIND_COUNT,
	KIND_SWITCH,
	KIND_WORD,
	KIND_KERNELS,
	N_KINDS
};

struct kind_functions {
	/* Return 0 or -EINVAL; `values` is the row's. */
	int (*parse)(void *member, const char *values, const char *text);
	int (*print)(const void *member, const char *values, char *out, size_t capacity);
};

const struct setting_facts setting_facts[N_SETTINGS] = {
#define SETTING(name, environment_, flag_, kind_, initial_, values_, help_) \
	[SETTING_##name] = {.environment = (environment_),                  \
			    .flag = (flag_),                                \
			    .initial = (initial_),                          \
			    .values = (values_),                            \
			    .help = (help_),                                \
			    .is_switch = KIND_##kind_ == KIND_SWITCH},
#include "base/settings.def"
#undef SETTING
};

static const struct {
	enum kind kind;
	size_t offset;
} members[N_SETTINGS] = {
#define SETTING(name, environment, flag, kind, ...) \
	[SETTING_##name] = {KIND_##kind, offsetof(struct settings, name)},
#include "base/settings.def"
#undef SETTING
};

/* Return the decimal number, 1 to max, that is all of `text`; else 0. */
static uint32_t number(const char *text, uint32_t max)
{
	uint64_t value = 0;
	for (; *text >= '0' && *text <= '9' && value <= max; text++)
		value = value * 10 + (uint64_t)(*text - '0');
	return *text || value > max ? 0 : (uint32_t)value;
}

/* Return the index of text[0..length) among words separated by '|', or -1. */
static int choice_index(const char *words, const char *text, size_t length)
{
	for (int index = 0; *words; index++) {
		size_t word_length = strcspn(words, "|");
		if (word_length == length && !memcmp(words, text, length))
			return index;
		words += word_length;
		words += *words == '|';
	}
	return -1;
}

static int parse_choice(void *member, const char *values, const char *text)
{
	int index = choice_index(values, text, strlen(text));
	if (index < 0)
		return -EINVAL;
	*(uint32_t *)member = (uint32_t)index;
	return 0;
}

static int print_choice(const void *member, const char *values, char *out, size_t capacity)
{
	for (uint32_t index = *(const uint32_t *)member; index; index--)
		values = strchr(values, '|') + 1;
	return snprintf(out, capacity, "%.*s", (int)strcspn(values, "|"), values);
}

/* In the order of enum marker_scheme. */
static const char marker_words[] = "off|side|inline|auto";

/* Read "[:K][@N]"; a missing part is 0. False if the text is anything else. */
static bool read_counts(const char *text, uint32_t *out_interval, uint64_t *out_first)
{
	char *end = NULL;
	*out_interval = 0;
	*out_first = 0;
	if (*text == ':') {
		size_t length = strcspn(text + 1, "@");
		char digits[16] = "";
		if (length >= sizeof(digits))
			return false;
		memcpy(digits, text + 1, length);
		*out_interval = number(digits, UINT32_MAX);
		if (!*out_interval)
			return false;
		text += 1 + length;
	}
	if (*text == '@' && text[1] >= '1' && text[1] <= '9') {
		errno = 0;
		*out_first = strtoull(text + 1, &end, 10);
		return !errno && !*end;
	}
	return !*text;
}

static int parse_markers(void *member, const char *values, const char *text)
{
	struct marker_setting *markers = member;
	size_t length = strcspn(text, ":@");
	int scheme = choice_index(marker_words, text, length);
	(void)values;
	uint32_t interval = 0;
	uint64_t first = 0;
	if (scheme < 0 || !read_counts(text + length, &interval, &first))
		return -EINVAL;
	if ((interval && scheme == MARKERS_OFF) || (first && scheme != MARKERS_INLINE))
		return -EINVAL;
	markers->scheme = (enum marker_scheme)scheme;
	markers->interval = interval;
	markers->first = first;
	return 0;
}

static int print_markers(const void *member, const char *values, char *out, size_t capacity)
{
	const struct marker_setting *markers = member;
	const char *word = marker_words;
	char interval[16] = "";
	char first[24] = "";
	(void)values;
	for (int index = (int)markers->scheme; index; index--)
		word = strchr(word, '|') + 1;
	if (markers->interval)
		(void)snprintf(interval, sizeof(interval), ":%u", (unsigned)markers->interval);
	if (markers->first)
		(void)snprintf(first, sizeof(first), "@%llu", (unsigned long long)markers->first);
	return snprintf(out, capacity, "%.*s%s%s", (int)strcspn(word, "|"), word, interval, first);
}

static int parse_interval(void *member, const char *values, const char *text)
{
	uint32_t interval = strcmp(text, "every") == 0 ? 1 : number(text, UINT32_MAX);
	(void)values;
	if (!interval && strcmp(text, "off") != 0)
		return -EINVAL;
	*(uint32_t *)member = interval;
	return 0;
}

static int print_interval(const void *member, const char *values, char *out, size_t capacity)
{
	uint32_t interval = *(const uint32_t *)member;
	(void)values;
	if (interval <= 1)
		return snprintf(out, capacity, "%s", interval ? "every" : "off");
	return snprintf(out, capacity, "%u", (unsigned)interval);
}

/* Accept also "64k" and "1m", in powers of two like the sizes of rings. */
static int parse_records(void *member, const char *values, const char *text)
{
	size_t length = strlen(text);
	char digits[16];
	bool may_have_unit = length > 1 && length < sizeof(digits);
	int unit = may_have_unit ? text[length - 1] : '\0';
	uint32_t shift = unit == 'k' || unit == 'K' ? 10 : unit == 'm' || unit == 'M' ? 20 : 0;
	if (shift) {
		memcpy(digits, text, length - 1);
		digits[length - 1] = '\0';
		text = digits;
	}
	uint32_t records = number(text, SETTINGS_RECORDS_MAX >> shift) << shift;
	(void)values;
	if (records < SETTINGS_RECORDS_MIN || (records & (records - 1)))
		return -EINVAL;
	*(uint32_t *)member = records;
	return 0;
}

static int parse_count(void *member, const char *values, const char *text)
{
	uint32_t count = number(text, UINT32_MAX);
	(void)values;
	if (!count && strcmp(text, "0") != 0)
		return -EINVAL;
	*(uint32_t *)member = count;
	return 0;
}

static int print_count(const void *member, const char *values, char *out, size_t capacity)
{
	(void)values;
	return snprintf(out, capacity, "%u", (unsigned)*(const uint32_t *)member);
}

static int parse_switch(void *member, const char *values, const char *text)
{
	(void)values;
	if (choice_index("0|1", text, strlen(text)) < 0)
		return -EINVAL;
	*(bool *)member = *text == '1';
	return 0;
}

static int print_switch(const void *member, const char *values, char *out, size_t capacity)
{
	(void)values;
	return snprintf(out, capacity, "%d", *(const bool *)member);
}

static int parse_text(char *member, size_t capacity, const char *text)
{
	size_t length = strlen(text);
	if (length >= capacity)
		return -EINVAL;
	memcpy(member, text, length + 1);
	return 0;
}

static int parse_path(void *member, const char *values, const char *text)
{
	(void)values;
	return path_pattern_expand(text, member, SETTINGS_PATH_MAX);
}

/* Print a pattern, so that a path with a percent sign is read back unchanged. */
static int print_path(const void *member, const char *values, char *out, size_t capacity)
{
	(void)values;
	return (int)path_pattern_of(member, out, capacity);
}

static int parse_word(void *member, const char *values, const char *text)
{
	(void)values;
	return parse_text(member, SETTINGS_WORD_MAX, text);
}

/* An option without a value selects all kernels. */
static int parse_kernels(void *member, const char *values, const char *text)
{
	return parse_word(member, values, *text ? text : ".");
}

static int print_text(const void *member, const char *values, char *out, size_t capacity)
{
	(void)values;
	return snprintf(out, capacity, "%s", (const char *)member);
}

static const struct kind_functions kinds[N_KINDS] = {
	[KIND_MARKERS] = {parse_markers, print_markers},
	[KIND_INTERVAL] = {parse_interval, print_interval},
	[KIND_PATH] = {parse_path, print_path},
	[KIND_CHOICE] = {parse_choice, print_choice},
	[KIND_RECORDS] = {parse_records, print_count},
	[KIND_COUNT] = {parse_count, print_count},
	[KIND_SWITCH] = {parse_switch, print_switch},
	[KIND_WORD] = {parse_word, print_text},
	[KIND_KERNELS] = {parse_kernels, print_text},
};

int settings_parse(struct settings *settings, enum setting which, const char *text)
{
	void *member = (char *)settings + members[which].offset;
	return kinds[members[which].kind].parse(member, setting_facts[which].values, text);
}

size_t settings_text(const struct settings *settings, enum setting which, char *out,
		     size_t capacity)
{
	const void *member = (const char *)settings + members[which].offset;
	const char *values = setting_facts[which].values;
	return (size_t)kinds[members[which].kind].print(member, values, out, capacity);
}

void settings_default(struct settings *out_settings)
{
	memset(out_settings, 0, sizeof(*out_settings));
	for (enum setting which = 0; which < N_SETTINGS; which++)
		if (*setting_facts[which].initial)
			settings_parse(out_settings, which, setting_facts[which].initial);
}

enum { SHOWN_MAX = 64 };

static void warn_about(enum setting which, const char *text, settings_warning warn, void *data)
{
	size_t length = 0;
	/* The value may hold any bytes, but the line may reach a terminal. */
	char shown[SHOWN_MAX + 1];
	for (; text[length] && length < SHOWN_MAX; length++)
		shown[length] =
			(char)(text[length] < ' ' || text[length] > '~' ? '?' : text[length]);
	shown[length] = '\0';
	char line[512];
	(void)snprintf(line, sizeof(line), "%s='%s': expected %s; using '%s'",
		       setting_facts[which].environment, shown, setting_facts[which].values,
		       setting_facts[which].initial);
	if (warn)
		warn(data, line);
}

void settings_read(struct settings *out_settings, settings_warning warn, void *data)
{
	int saved_errno = errno;
	settings_default(out_settings);
	if (getauxval(AT_SECURE)) {
		out_settings->disable = true;
		errno = saved_errno;
		return;
	}
	for (enum setting which = 0; which < N_SETTINGS; which++) {
		const char *text = getenv(setting_facts[which].environment);
		if (text && *text && settings_parse(out_settings, which, text))
			warn_about(which, text, warn, data);
	}
	errno = saved_errno;
}
