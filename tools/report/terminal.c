/*
 * terminal.c - finds out what the terminal is, and walks the lines of a report. It relies on their
 * layout: a headline begins at the edge, other lines with two columns and a label of sixteen.
 */
#include "report/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report/fitted_line.h"

enum { EDGE = 2, LABEL = 16, NARROWEST = 40, WIDEST = 10000 };

static const char bold[] = "\033[1m";
static const char red[] = "\033[1;31m";
static const char yellow[] = "\033[1;33m";
static const char cyan[] = "\033[36m";
static const char plain[] = "\033[0m";

static bool wants_color(bool is_terminal, enum terminal_color wanted)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");
	if (wanted != TERMINAL_AUTO)
		return wanted == TERMINAL_ALWAYS;
	return is_terminal && !(no_color && *no_color) && !(term && !strcmp(term, "dumb"));
}

struct terminal terminal_of(int fd, enum terminal_color wanted)
{
	struct terminal terminal = {false, 0};
	bool is_terminal = isatty(fd);
	terminal.is_colored = wants_color(is_terminal, wanted);
	struct winsize size;
	if (is_terminal && !ioctl(fd, TIOCGWINSZ, &size) && size.ws_col >= NARROWEST)
		terminal.columns = size.ws_col;
	return terminal;
}

static void paint(const struct terminal *terminal, const char *color, FILE *out)
{
	if (terminal->is_colored)
		fputs(color, out);
}

/* Return the verdict's word after the dash, or NULL. */
static const char *find_verdict(const char *line, size_t size, size_t *out_length,
				const char **out_color)
{
	static const struct {
		const char *word;
		const char *color;
	} words[] = {{"exact", red}, {"likely", red}, {"narrowed", yellow}, {"unknown", yellow}};
	static const char dash[] = "\xe2\x80\x94 ";
	const char *found = memmem(line, size, dash, strlen(dash));
	for (size_t i = 0; found && i < sizeof(words) / sizeof(words[0]); i++) {
		const char *word = found + strlen(dash);
		size_t length = strlen(words[i].word);
		if ((size_t)(line + size - word) < length ||
		    memcmp(word, words[i].word, length) != 0)
			continue;
		*out_length = length;
		*out_color = words[i].color;
		return word;
	}
	return NULL;
}

static void paint_headline(const struct terminal *terminal, const char *line, size_t size,
			   FILE *out)
{
	size_t length = 0;
	const char *color = bold;
	const char *word = find_verdict(line, size, &length, &color);
	size_t before = word ? (size_t)(word - line) : size;
	paint(terminal, bold, out);
	fwrite(line, 1, before, out);
	paint(terminal, color, out);
	fwrite(line + before, 1, length, out);
	paint(terminal, plain, out);
	paint(terminal, bold, out);
	fwrite(line + before + length, 1, size - before - length, out);
	paint(terminal, plain, out);
	fputc('\n', out);
}

static void print_headline(const struct terminal *terminal, const char *line, size_t size,
			   FILE *out)
{
	char *fitted = NULL;
	size_t fitted_size = 0;
	FILE *into = terminal->columns ? open_memstream(&fitted, &fitted_size) : NULL;
	if (into)
		fitted_headline(line, size, terminal->columns, into);
	if (into && !fclose(into))
		paint_headline(terminal, fitted, fitted_size, out);
	else
		paint_headline(terminal, line, size, out);
	free(fitted);
}

/* Return the length of a line's label, including spaces, or 0 if it has none. */
static size_t label_of(const char *line, size_t size)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz ";
	if (size <= EDGE + LABEL || strspn(line, letters) < EDGE + LABEL ||
	    line[EDGE + LABEL - 1] != ' ')
		return 0;
	return EDGE + LABEL;
}

static void print_line(const struct terminal *terminal, const char *line, size_t size, FILE *out)
{
	size_t label = label_of(line, size);
	size_t edge = label ? label : EDGE;
	paint(terminal, label ? cyan : "", out);
	fwrite(line, 1, edge, out);
	paint(terminal, label ? plain : "", out);
	if (terminal->columns && fitted_width(line, size) > terminal->columns)
		fitted_words(line + edge, size - edge, edge, terminal->columns, out);
	else
		fwrite(line + edge, 1, size - edge, out);
	fputc('\n', out);
}

void terminal_print(const struct terminal *terminal, const char *text, size_t size, FILE *out)
{
	const char *end = text + size;
	if (!terminal->is_colored && !terminal->columns) {
		fwrite(text, 1, size, out);
		return;
	}
	for (const char *line = text; line < end;) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		size_t length = (size_t)((newline ? newline : end) - line);
		if (length >= EDGE && !memcmp(line, "  ", EDGE))
			print_line(terminal, line, length, out);
		else
			print_headline(terminal, line, length, out);
		line += length + 1;
	}
}
