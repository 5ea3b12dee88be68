/*
 * findings.h - collect the findings of `culprit doctor` and print them.
 */
#ifndef CULPRIT_TOOLS_FINDINGS_H
#define CULPRIT_TOOLS_FINDINGS_H

/* OK: works. WARN: culprit works with limits. FAIL: culprit cannot work. */
enum finding_state { FINDING_OK, FINDING_WARN, FINDING_FAIL };

enum { FINDINGS_MAX = 64, FINDING_TEXT_SIZE = 512 };

struct finding {
	const char *name;
	enum finding_state state;
	char text[FINDING_TEXT_SIZE];
	const char *advice; /* what to do, or NULL */
};

/* A zeroed list is empty. It owns no memory. */
struct findings {
	unsigned n;
	struct finding rows[FINDINGS_MAX];
};

/* Append a finding unless the list is full. `name` and `advice` (or NULL) are not copied. */
void findings_add(struct findings *findings, const char *name, enum finding_state state,
		  const char *advice, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Return the worst state of all findings, or FINDING_OK if there are none. */
enum finding_state findings_worst(const struct findings *findings);

/*
 * Print to standard output, as text or as
 * {"culprit", "works": bool, "checks": [{"name", "state", "text", "advice"}]}.
 */
void findings_print_text(const struct findings *findings);
void findings_print_json(const struct findings *findings);

#endif
