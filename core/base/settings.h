/*
 * settings.h - the user's settings, from CULPRIT_* variables; generated from settings.def. Parsing
 * allocates nothing and preserves errno, so the shim may parse at any first driver call.
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
enum report_length { REPORT_SHORT, REPORT_FULL };
enum inspect_mode { INSPECT_SYNC, INSPECT_ASYNC };
enum failure_policy { ON_FAILURE_REPORT, ON_FAILURE_ABORT, ON_FAILURE_KILL };

enum {
	SETTINGS_PATH_MAX = 4096,
	SETTINGS_WORD_MAX = 64,
	SETTINGS_RECORDS_MIN = 64,
	SETTINGS_RECORDS_MAX = 1 << 24,
};

struct marker_setting {
	enum marker_scheme scheme;
	uint32_t interval; /* a marker after every nth submission; 0: culprit adapts it */
	uint64_t first; /* inline: number of the first submission followed by a marker; before it,
			   culprit sends the few markers of auto, inline */
};

/* Written once by settings_read and only read afterwards. */
struct settings {
	struct marker_setting markers;
	uint32_t progress;           /* enum progress_source */
	uint32_t graph_markers;      /* a marker after every nth kernel of a graph; 0: none */
	char dir[SETTINGS_PATH_MAX]; /* with placeholders replaced; "." if not set */
	uint32_t keep;               /* enum keep_policy */
	uint32_t records;            /* rows of a thread's ring, a power of two */
	uint32_t stacks;             /* 0: off */
	uint32_t stack_check;        /* every nth stack of a thread is checked; 0: none */
	uint32_t python;             /* 0: off */
	uint32_t images;             /* most MiB of images to keep */
	uint32_t cleanup;            /* enum cleanup_policy */
	uint32_t on_failure;         /* enum failure_policy */
	uint32_t fault;              /* 0: off */
	uint32_t coredump;           /* 0: off */
	uint32_t annotate;           /* 0: off */
	bool no_args;
	bool quiet;
	bool verbose;
	uint32_t report; /* enum report_length */
	bool disable;
	char inspect[SETTINGS_WORD_MAX]; /* regular expression; "": no kernel */
	uint32_t inspect_mode;           /* enum inspect_mode */
	uint32_t inspect_as;             /* enum check_type */
	char nan[SETTINGS_WORD_MAX];     /* regular expression; "": no kernel */
	uint32_t nan_read;               /* KiB; 0: no limit */
	bool infinities;                 /* count as NaN do */
	bool checksums;
	bool leave;                  /* set by `culprit run`, which removes the journal */
	char run[SETTINGS_WORD_MAX]; /* "" outside `culprit run` */
};

struct setting_facts {
	const char *environment;
	const char *flag; /* NULL: no flag */
	const char *initial;
	const char *values;
	const char *help;
	bool is_switch; /* its flag takes no value and stands for "1" */
};

/* One row for each enum setting. Any thread. */
extern const struct setting_facts setting_facts[N_SETTINGS];

/* Receives one line, without newline, about a variable whose value is not valid. */
typedef void (*settings_warning)(void *data, const char *line);

/* Set the defaults. Any thread. */
void settings_default(struct settings *out_settings);

/* Set one setting from text. Returns 0, or -EINVAL and no change if invalid. Any thread. */
int settings_parse(struct settings *settings, enum setting which, const char *text);

/*
 * Set the defaults, then read every CULPRIT_* variable. An invalid value is passed to `warn` (NULL:
 * silent) and the default stays. In a process with AT_SECURE the environment belongs to a less
 * trusted user: it is not read, and `disable` is set. Start-up only.
 */
void settings_read(struct settings *out_settings, settings_warning warn, void *data);

/*
 * Write a setting as text that settings_parse accepts, cut to `capacity` like snprintf and always
 * terminated if capacity > 0. Returns its whole length. Any thread.
 */
size_t settings_text(const struct settings *settings, enum setting which, char *out,
		     size_t capacity);

#endif
