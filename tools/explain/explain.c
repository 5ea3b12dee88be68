/*
 * explain.c - `culprit explain`: print what a code, a rule or a word of a report means.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command/commands.h"
#include "command/exit_status.h"
#include "command/message.h"
#include "command/options.h"
#include "command/output.h"
#include "explain/topics.h"

enum { COLUMNS = 80, INDENT = 2, MAX_SUGGESTED = 3, WORD_SIZE = 256 };

/* Print words from column `indent` on, wrapped; the first line begins with `mark`. */
static void print_wrapped(FILE *out, const char *mark, int indent, const char *text, size_t length)
{
	int column = fprintf(out, "%*s%s", indent - (int)strlen(mark), "", mark);
	while (length) {
		size_t word = 0;
		while (word < length && text[word] != ' ')
			word++;
		bool is_first = column == indent;
		if (!is_first && column + 1 + (int)word > COLUMNS) {
			column = fprintf(out, "\n%*s", indent, "") - 1;
			is_first = true;
		}
		column += fprintf(out, "%s%.*s", is_first ? "" : " ", (int)word, text);
		text += word;
		length -= word;
		while (length && *text == ' ') {
			text++;
			length--;
		}
	}
	fputc('\n', out);
}

static void print_list(FILE *out, const char *title, const char *lines)
{
	if (!lines)
		return;
	fprintf(out, "\n%s:\n", title);
	while (*lines) {
		size_t length = strcspn(lines, "\n");
		print_wrapped(out, "- ", INDENT + 2, lines, length);
		lines += length;
		lines += *lines == '\n';
	}
}

/* Print "CUDA_ERROR_ILLEGAL_ADDRESS (700): error code". */
static void print_title(FILE *out, const struct topic *topic)
{
	int length = topic->also ? (int)strcspn(topic->also, "|") : 0;
	if (topic->kind == TOPIC_CODE)
		fprintf(out, "%.*s (%s)", length, topic->also, topic->word);
	else
		fputs(topic->word, out);
	fprintf(out, ": %s\n\n", topic_kind_text(topic->kind));
}

static void print_topic(FILE *out, const struct topic *topic)
{
	print_title(out, topic);
	print_wrapped(out, "", 0, topic->text, strlen(topic->text));
	print_list(out, "usual causes", topic->causes);
	if (topic->knows) {
		fputs("\nculprit's knowledge:\n", out);
		print_wrapped(out, "", INDENT, topic->knows, strlen(topic->knows));
	}
	print_list(out, "next", topic->next);
}

static void print_words(FILE *out, enum topic_kind kind)
{
	int column = 0;
	fprintf(out, "%s\n", topic_kind_text(kind));
	for (size_t i = 0; i < n_topics; i++) {
		int length = (int)strlen(topics[i].word);
		if (topics[i].kind != kind)
			continue;
		if (column && column + 2 + length > COLUMNS) {
			fputs(",\n", out);
			column = 0;
		}
		column += fprintf(out, "%s%s", column ? ", " : "  ", topics[i].word);
	}
	fputc('\n', out);
}

/* Print all topics of the word. Return their number; nothing is printed if it is 0. */
static unsigned print_all(FILE *out, const char *word)
{
	unsigned n = 0;
	for (size_t i = 0; i < n_topics; i++) {
		if (!topic_is(&topics[i], word))
			continue;
		if (n++)
			fputs("\n\n", out);
		print_topic(out, &topics[i]);
	}
	return n;
}

static int report_unknown_setting(const char *word)
{
	const char *near[MAX_SUGGESTED];
	size_t n = topics_suggest(word, near, MAX_SUGGESTED);
	if (n == 0)
		message("'%s': no such word; `culprit explain` lists all words", word);
	else
		message("'%s': no such word; did you mean %s%s%s%s%s? `culprit explain` lists all "
			"words",
			word, near[0], n > 2 ? ", " : "", n > 2 ? near[1] : "", n > 1 ? " or " : "",
			n > 1 ? near[n - 1] : "");
	return EXIT_STATUS_USAGE;
}

/* Join the operands, so that "launched from" needs no quotes. Return false if they are too long. */
static bool join(const struct arguments *arguments, char word[WORD_SIZE])
{
	size_t at = 0;
	for (int i = 0; i < arguments->n_operands; i++) {
		size_t left = WORD_SIZE - at;
		int length =
			snprintf(word + at, left, "%s%s", i ? " " : "", arguments->operands[i]);
		if (length < 0 || (size_t)length >= left)
			return false;
		at += (size_t)length;
	}
	return true;
}

int explain_main(const struct arguments *arguments)
{
	char word[WORD_SIZE] = "";
	if (!join(arguments, word)) {
		message("too many words; see culprit help explain");
		return EXIT_STATUS_USAGE;
	}
	if (arguments->n_operands && !print_all(stdout, word))
		return report_unknown_setting(word);
	for (enum topic_kind kind = 0; !arguments->n_operands && kind < N_TOPIC_KINDS; kind++)
		print_words(stdout, kind);
	return output_close(stdout, NULL) ? EXIT_STATUS_SYSTEM : EXIT_STATUS_OK;
}
