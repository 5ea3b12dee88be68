/*
 * topics.h - the table of everything that `culprit explain` explains.
 */
#ifndef CULPRIT_TOOLS_TOPICS_H
#define CULPRIT_TOOLS_TOPICS_H

#include <stdbool.h>
#include <stddef.h>

enum topic_kind {
	TOPIC_CODE,     /* an error code */
	TOPIC_RULE,     /* a rule by which a call was refused */
	TOPIC_VERDICT,  /* the word of a verdict */
	TOPIC_MEMORY,   /* a fault, or an address and memory */
	TOPIC_HARDWARE, /* an Xid, or another sign of a hardware error */
	TOPIC_EVIDENCE, /* an id of evidence */
	TOPIC_LINE,     /* a line of a report */
	TOPIC_TERM,     /* another term of reports */
	N_TOPIC_KINDS
};

/* As codes.def describes them; NULL: left out. Lists have one entry a line. */
struct topic {
	enum topic_kind kind;
	const char *word;
	const char *also;
	const char *text;
	const char *causes;
	const char *knows;
	const char *next;
};

extern const struct topic topics[];
extern const size_t n_topics;

/* Return "error code", "line of a report", ... */
const char *topic_kind_text(enum topic_kind kind);

/* True if `word` is the topic's word or one of its others, whatever its case, spaces, _ and -. */
bool topic_is(const struct topic *topic, const char *word);

/*
 * Write up to `max` words that are similar to `word`, each once, to `out`. Return their number.
 * Words are similar if few characters differ, or if they begin with `word`.
 */
size_t topics_suggest(const char *word, const char **out, size_t max);

#endif
