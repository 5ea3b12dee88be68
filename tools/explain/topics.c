/*
 * topics.c - find a topic by a word.
 */
#include "explain/topics.h"

#include <string.h>
#include <strings.h>

#include "command/suggestion.h"

const struct topic topics[] = {
#define TOPIC(kind_, word_, also_, text_, causes_, knows_, next_) \
	{.kind = TOPIC_##kind_,                                   \
	 .word = (word_),                                         \
	 .also = (also_),                                         \
	 .text = (text_),                                         \
	 .causes = (causes_),                                     \
	 .knows = (knows_),                                       \
	 .next = (next_)},
#include "explain/codes.def"
#include "explain/evidence.def"
#include "explain/hardware.def"
#include "explain/rules.def"
#include "explain/words.def"
#undef TOPIC
};
const size_t n_topics = sizeof(topics) / sizeof(topics[0]);

const char *topic_kind_text(enum topic_kind kind)
{
	static const char *const texts[N_TOPIC_KINDS] = {
		[TOPIC_CODE] = "error code",       [TOPIC_RULE] = "refused call",
		[TOPIC_VERDICT] = "verdict",       [TOPIC_MEMORY] = "fault and memory",
		[TOPIC_HARDWARE] = "hardware",     [TOPIC_EVIDENCE] = "evidence",
		[TOPIC_LINE] = "line of a report", [TOPIC_TERM] = "term",
	};
	return texts[kind];
}

static bool is_separator(char c)
{
	return c == ' ' || c == '_' || c == '-';
}

static const char *skip_separators(const char *at, const char *end)
{
	while (at < end && is_separator(*at))
		at++;
	return at;
}

/* True if `word` is the same as [at, end), or with `is_prefix` as the start of it. */
static bool is_same(const char *word, const char *at, const char *end, bool is_prefix)
{
	const char *word_end = word + strlen(word);
	for (;;) {
		word = skip_separators(word, word_end);
		at = skip_separators(at, end);
		if (word == word_end || at == end)
			return word == word_end && (at == end || is_prefix);
		if (strncasecmp(word++, at++, 1) != 0)
			return false;
	}
}

static bool matches(const struct topic *topic, const char *word, bool is_prefix)
{
	if (is_same(word, topic->word, topic->word + strlen(topic->word), is_prefix))
		return true;
	for (const char *at = topic->also; at && *at;) {
		size_t length = strcspn(at, "|");
		if (is_same(word, at, at + length, is_prefix))
			return true;
		at += length;
		at += *at == '|';
	}
	return false;
}

bool topic_is(const struct topic *topic, const char *word)
{
	return *word && matches(topic, word, false);
}

static size_t add(const char *word, const char **out, size_t n, size_t max)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(out[i], word))
			return n;
	if (n < max)
		out[n++] = word;
	return n;
}

enum { SHORTEST_PART = 3 };

/* True if a rule's last part is the word: "grid_is_zero". */
static bool is_last_part(const struct topic *topic, const char *word)
{
	const char *dot = strchr(topic->word, '.');
	return dot && is_same(word, dot + 1, dot + strlen(dot), true);
}

size_t topics_suggest(const char *word, const char **out, size_t max)
{
	size_t n = 0;
	size_t length = strlen(word);
	struct suggestion best = {NULL, 0};
	for (size_t i = 0; i < n_topics; i++)
		suggestion_offer(&best, word, length, topics[i].word);
	if (best.word)
		n = add(best.word, out, n, max);
	for (size_t i = 0; i < n_topics && length >= SHORTEST_PART; i++)
		if (matches(&topics[i], word, true) || is_last_part(&topics[i], word))
			n = add(topics[i].word, out, n, max);
	return n;
}
