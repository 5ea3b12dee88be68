/*
 * settings.h - what the user asked for, from CULPRIT_* variables; a view of settings.def. Parsing
 * allocates nothing and leaves errno alone, so the shim may do it at any first driver call.
 */
#ifndef CULPRIT_BASE_SETTINGS_H
#define CULPRIT_BASE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/journal_format.h"

enum setting {
#define SETTING(name, ...) SETTING_##name,
#include "base/settings.def"
#undef SETTING
	N_SETTINGS
};

enum keep_policy { KEEP_FAILURE, KEEP_ALWAYS };
enum progress_source { PROGRESS_AUTO, PROGRESS_WORDS, PROGRESS_MARKERS, PROGRESS_OFF };
enum cleanup_policy { CLEANUP_HARMLESS, CLEANUP_REAL };

enum {
	SETTINGS_PATH_MAX = 4096,
	SETTINGS_WORD_MAX = 64,
	SETTINGS_RECORDS_MIN = 64,
	SETTINGS_RECORDS_MAX = 1 << 24,
};

struct marker_setting {
	enum marker_scheme scheme;
	uint32_t interval; /* a marker after every nth submission; 0: culprit adapts it */
	uint64_t first;    /* of inline: the submission from which on it is so; before, the few that
			      auto sends are inline ones */
};

/* Written once by settings_read, read by everybody afterwards. */
struct settings {
	struct marker_setting markers;
	uint32_t progress;           /* enum progress_source */
	uint32_t graph_markers;      /* behind every so many-th kernel of a graph; 0: none */
	char dir[SETTINGS_PATH_MAX]; /* its placeholders replaced; "." if not given */
	uint32_t keep;               /* enum keep_policy */
	uint32_t records;            /* rows of a thread's ring, a power of two */
	uint32_t stacks;             /* 0: off */
	uint32_t stack_check;        /* every so many-th stack of a thread is checked; 0: none */
	uint32_t python;             /* 0: off */
	uint32_t images;             /* MiB of images that are kept */
	uint32_t cleanup;            /* enum cleanup_policy */
	uint32_t coredump;           /* 0: off */
	uint32_t annotate;           /* 0: off */
	bool no_args;
	bool quiet;
	bool verbose;
	bool disable;
	char inspect[SETTINGS_WORD_MAX]; /* "" of no kernel */
	bool leave;                      /* of `culprit run` alone: it removes the journal */
	char run[SETTINGS_WORD_MAX];     /* "" outside `culprit run` */
};

struct setting_facts {
	const char *environment;
	const char *flag; /* NULL: no flag */
	const char *initial;
	const char *values;
	const char *help;
	bool is_switch; /* its flag takes no value and means "1" */
};

/* One row for each enum setting. Any thread. */
extern const struct setting_facts setting_facts[N_SETTINGS];

/* One line without newline about a variable whose value is not understood. */
typedef void (*settings_warning)(void *data, const char *line);

/* The defaults. Any thread. */
void settings_default(struct settings *out_settings);

/* Sets one setting from text. 0, or -EINVAL: not a value of it, nothing changed. Any thread. */
int settings_parse(struct settings *settings, enum setting which, const char *text);

/*
 * The defaults, then every CULPRIT_* variable; `warn` (NULL: silent) is told of each that is not
 * understood, and its default holds. In a process with AT_SECURE the environment belongs to
 * somebody less trusted: it is not read, and `disable` is set.
 * Start-up only.
 */
void settings_read(struct settings *out_settings, settings_warning warn, void *data);

/*
 * A setting as text that settings_parse takes: cut to `capacity` like snprintf, always terminated
 * when capacity > 0. Returns its whole length. Any thread.
 */
size_t settings_text(const struct settings *settings, enum setting which, char *out,
		     size_t capacity);

#endif
