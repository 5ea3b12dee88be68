/*
 * terminal.c - finds out what the terminal is, and walks the lines of a report. It relies on their
 * layout: a headline begins at the edge. Other lines begin with two columns, and may have a label,
 * which two columns or more separate from the words, or a mark as those of a source line.
 */
#include "report/terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/ascii.h"
#include "report/fitted_line.h"

enum { EDGE = 2, LABEL = 16, GAP = 2, NARROWEST = 40, READABLE = 100 };

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
	struct terminal terminal = {.is_ascii = ascii_is_wanted()};
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

/* The parts of a headline. The first and the last may be empty. */
struct headline {
	struct part {
		const char *bytes;
		size_t size;
	} title, error, verdict;
};

static bool begins_with(struct part part, const char *word)
{
	return part.size >= strlen(word) && !memcmp(part.bytes, word, strlen(word));
}

/* Return the last `needle` in the part, or NULL. */
static const char *find_last(struct part part, const char *needle)
{
	const char *found = NULL;
	const char *end = part.bytes + part.size;
	for (const char *at = part.bytes;
	     (at = memmem(at, (size_t)(end - at), needle, strlen(needle))); at++)
		found = at;
	return found;
}

/*
 * "error[700]: ... (CUDA_ERROR_ILLEGAL_ADDRESS, pid 7)  exact" has three parts. A full report's
 * headline has the verdict after a dash, and is one part.
 */
static struct headline split(const char *line, size_t size)
{
	struct headline parts = {.title = {line, size}};
	const char *gap =
		begins_with(parts.title, "culprit: ") ? NULL : find_last(parts.title, "  ");
	if (gap) {
		parts.title.size = (size_t)(gap - line);
		parts.verdict = (struct part){gap + 2, size - parts.title.size - 2};
	}
	const char *error = find_last(parts.title, " (");
	struct part inner = {error ? error + 2 : line, 0};
	if (error)
		inner.size = (size_t)(line + parts.title.size - inner.bytes);
	if (error && line[parts.title.size - 1] == ')' &&
	    (begins_with(inner, "CUDA_ERROR_") || begins_with(inner, "CUresult ") ||
	     begins_with(inner, "pid "))) {
		parts.error = (struct part){inner.bytes, inner.size - 1};
		parts.title.size = (size_t)(error - line);
	}
	return parts;
}

static const char *color_of(struct part verdict)
{
	return begins_with(verdict, "exact") || begins_with(verdict, "likely") ? red : yellow;
}

static void put(const struct terminal *terminal, const char *color, struct part part, FILE *out)
{
	if (!part.size)
		return;
	paint(terminal, color, out);
	fwrite(part.bytes, 1, part.size, out);
	paint(terminal, plain, out);
}

/* The verdict is at the right edge, but not where a wide terminal would tear it from the title. */
static void put_verdict(const struct terminal *terminal, size_t at, struct part verdict, FILE *out)
{
	size_t width = fitted_width(verdict.bytes, verdict.size);
	size_t edge = terminal->columns < READABLE ? terminal->columns : READABLE;
	if (!verdict.size)
		return;
	if (at + GAP + width <= edge)
		fprintf(out, "%*s", (int)(edge - at - width), "");
	else if (!terminal->columns || at + GAP + width <= terminal->columns)
		fprintf(out, "%*s", GAP, "");
	else
		fprintf(out, "\n%*s", EDGE, "");
	put(terminal, color_of(verdict), verdict, out);
}

/* Print the title, wrapped to the terminal, and return the column after it. */
static size_t put_title(const struct terminal *terminal, struct part title, FILE *out)
{
	size_t columns = terminal->columns ? terminal->columns : SIZE_MAX / 2;
	paint(terminal, bold, out);
	size_t at = fitted_headline(title.bytes, title.size, columns, out);
	paint(terminal, plain, out);
	return at;
}

/*
 * If the title and the verdict fit into a line and the error does not, the error has a line below.
 * Otherwise the error is the end of the title.
 */
static void print_parts(const struct terminal *terminal, struct headline parts, FILE *out)
{
	struct part whole = parts.title;
	if (parts.error.size)
		whole.size = (size_t)(parts.error.bytes + parts.error.size + 1 - whole.bytes);
	size_t verdict = GAP + fitted_width(parts.verdict.bytes, parts.verdict.size);
	size_t columns = terminal->columns;
	bool is_below = parts.error.size && columns &&
			fitted_width(whole.bytes, whole.size) + verdict > columns &&
			fitted_width(parts.title.bytes, parts.title.size) + verdict <= columns;
	size_t at = put_title(terminal, parts.error.size && !is_below ? whole : parts.title, out);
	put_verdict(terminal, at, parts.verdict, out);
	if (is_below) {
		fprintf(out, "\n%*s", EDGE, "");
		fwrite(parts.error.bytes, 1, parts.error.size, out);
	}
}

/* Return the verdict's word after the dash of a full report's headline, or an empty one. */
static struct part find_verdict(struct part line)
{
	static const char *const words[] = {"exact", "likely", "narrowed", "unknown"};
	static const char dash[] = "\xe2\x80\x94 ";
	const char *found = memmem(line.bytes, line.size, dash, strlen(dash));
	for (size_t i = 0; found && i < sizeof(words) / sizeof(words[0]); i++) {
		const char *word = found + strlen(dash);
		struct part rest = {word, (size_t)(line.bytes + line.size - word)};
		if (begins_with(rest, words[i]))
			return (struct part){word, strlen(words[i])};
	}
	return (struct part){line.bytes, 0};
}

/* Paint the word in a line that is broken only at spaces, so that the word is whole. */
static void print_full(const struct terminal *terminal, struct part line, FILE *out)
{
	char *fitted = NULL;
	size_t size = 0;
	FILE *into = open_memstream(&fitted, &size);
	if (!into)
		return;
	(void)fitted_headline(line.bytes, line.size,
			      terminal->columns ? terminal->columns : SIZE_MAX / 2, into);
	if (!fclose(into)) {
		struct part verdict = find_verdict((struct part){fitted, size});
		struct part before = {fitted, (size_t)(verdict.bytes - fitted)};
		struct part after = {verdict.bytes + verdict.size,
				     size - before.size - verdict.size};
		put(terminal, bold, before, out);
		put(terminal, color_of(verdict), verdict, out);
		put(terminal, bold, after, out);
	}
	free(fitted);
}

static void print_headline(const struct terminal *terminal, const char *line, size_t size,
			   FILE *out)
{
	struct headline parts = split(line, size);
	if (parts.error.size || parts.verdict.size)
		print_parts(terminal, parts, out);
	else
		print_full(terminal, (struct part){line, size}, out);
	fputc('\n', out);
}

/* Return the length of what a line's words come after, and are indented by: its label. */
static size_t label_of(const char *line, size_t size)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	size_t at = EDGE;
	for (size_t word = strspn(line + at, letters); word; word = strspn(line + at, letters)) {
		at += word;
		if (at + GAP < size && line[at] == ' ' && line[at + 1] == ' ')
			return at + strspn(line + at, " ");
		at += line[at] == ' ' ? 1 : 0;
		if (at >= size || at > EDGE + LABEL)
			return 0;
	}
	return 0;
}

/* Return the length of "  --> ", "     5 | " or "       | "; 0 if the line has none. */
static size_t mark_of(const char *line, size_t size, bool *out_is_source)
{
	static const char arrow[] = "  --> ";
	size_t spaces = strspn(line, " ");
	size_t digits = strspn(line + spaces, "0123456789");
	size_t bar = spaces + digits + (digits ? 1 : 0);
	*out_is_source = digits > 0;
	if (size > strlen(arrow) && !memcmp(line, arrow, strlen(arrow)))
		return strlen(arrow);
	return bar + GAP < size && !memcmp(line + bar, "| ", GAP) ? bar + GAP : 0;
}

static void print_line(const struct terminal *terminal, const char *line, size_t size, FILE *out)
{
	bool is_source = false;
	size_t mark = mark_of(line, size, &is_source);
	size_t label = mark ? mark : label_of(line, size);
	size_t edge = label ? label : strspn(line, " ");
	edge = edge < size ? edge : size;
	paint(terminal, label ? cyan : "", out);
	fwrite(line, 1, edge, out);
	paint(terminal, label ? plain : "", out);
	if (!terminal->columns)
		fwrite(line + edge, 1, size - edge, out);
	else if (mark && is_source)
		fitted_start(line + edge, size - edge, terminal->columns - edge, out);
	else
		fitted_words(line + edge, size - edge, edge, terminal->columns, out);
	fputc('\n', out);
}

static void print_lines(const struct terminal *terminal, const char *text, size_t size, FILE *out)
{
	const char *end = text + size;
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

/* Replace what is not ASCII before and after the lines are fitted, which adds ellipses. */
static void print_ascii(const struct terminal *terminal, const char *text, size_t size, FILE *out)
{
	char *copy = strndup(text, size);
	char *fitted = NULL;
	size_t fitted_size = 0;
	FILE *into = copy ? open_memstream(&fitted, &fitted_size) : NULL;
	if (into) {
		print_lines(terminal, copy, ascii_make(copy, size), into);
		if (!fclose(into))
			fwrite(fitted, 1, ascii_make(fitted, fitted_size), out);
	}
	free(fitted);
	free(copy);
}

void terminal_print(const struct terminal *terminal, const char *text, size_t size, FILE *out)
{
	if (terminal->is_ascii)
		print_ascii(terminal, text, size, out);
	else if (!terminal->is_colored && !terminal->columns)
		fwrite(text, 1, size, out);
	else
		print_lines(terminal, text, size, out);
}
