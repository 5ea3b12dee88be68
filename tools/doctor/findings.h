/*
 * findings.h - the list of what `culprit doctor` found, its words, and its printing. Knows nothing
 * of what is checked.
 */
#ifndef CULPRIT_TOOLS_FINDINGS_H
#define CULPRIT_TOOLS_FINDINGS_H

/* OK: works. WARN: culprit works, but less well. FAIL: culprit cannot work. */
enum finding_state { FINDING_OK, FINDING_WARN, FINDING_FAIL };

enum { FINDINGS_MAX = 64, FINDING_TEXT_SIZE = 512 };

struct finding {
	const char *name;
	enum finding_state state;
	char text[FINDING_TEXT_SIZE];
	const char *advice; /* NULL: none */
};

/* A zeroed one is empty; it owns nothing. */
struct findings {
	unsigned n;
	struct finding rows[FINDINGS_MAX];
};

/* Adds a finding, or none where there is no room; `name` and `advice` are literals, or NULL. */
void findings_add(struct findings *findings, const char *name, enum finding_state state,
		  const char *advice, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* The worst state of all; FINDING_OK of none. */
enum finding_state findings_worst(const struct findings *findings);

/* To standard output: for people, and {"culprit", "works": bool, "checks": [{"name", "state",
 * "text", "advice"}]}. */
void findings_print_text(const struct findings *findings);
void findings_print_json(const struct findings *findings);

#endif
