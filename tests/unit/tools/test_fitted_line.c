/*
 * test_fitted_line.c - lines of a report fitted to a number of columns.
 */
#include "report/fitted_line.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static const char long_name[] =
	"at::native::vectorized_elementwise_kernel<4,at::native::AddFunctor<float>>";

typedef void fitting(const char *bytes, size_t size, size_t columns, FILE *out);

/* Return the output of `fit`, which is valid until the next call. */
static const char *fitted(fitting *fit, const char *line, size_t columns)
{
	static char *text;
	free(text);
	text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	fit(line, strlen(line), columns, out);
	fclose(out);
	return text;
}

static void indented(const char *bytes, size_t size, size_t columns, FILE *out)
{
	fitted_words(bytes, size, 18, columns, out);
}

static size_t width(const char *line)
{
	return fitted_width(line, strlen(line));
}

static void names_keep_both_ends(void)
{
	const char *name = fitted(fitted_name, long_name, 21);
	CHECK_STRING(name, "at::native\xe2\x80\xa6or<float>>");
	CHECK_EQUAL(width(name), 21);
	CHECK_STRING(fitted(fitted_name, "scatter", 7), "scatter");
	for (size_t columns = 3; columns < 80; columns++)
		CHECK(width(fitted(fitted_name, long_name, columns)) <= columns);
}

static void characters_are_not_cut_and_count_their_columns(void)
{
	/* Two columns each. */
	static const char wide[] = "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97";
	CHECK_EQUAL(width("h\xc3\xa9"), 2);
	CHECK_EQUAL(width(wide), 8);
	CHECK_STRING(fitted(fitted_name, wide, 7), "\xe6\xbc\xa2\xe2\x80\xa6\xe5\xad\x97");
}

static void headline(const char *bytes, size_t size, size_t columns, FILE *out)
{
	(void)fitted_headline(bytes, size, columns, out);
}

/* Return the widest line's columns. */
static size_t widest(const char *text)
{
	size_t result = 0;
	for (const char *line = text; *line; line += strspn(line, "\n")) {
		size_t size = strcspn(line, "\n");
		size_t columns = fitted_width(line, size);
		result = columns > result ? columns : result;
		line += size;
	}
	return result;
}

/* True if `text` is `line` but for spaces and newlines. */
static bool is_whole(const char *text, const char *line)
{
	for (; *text || *line; text++, line++) {
		text += strspn(text, " \n");
		line += strspn(line, " ");
		if (*text != *line)
			return false;
		if (!*text)
			break;
	}
	return true;
}

static void a_headline_is_broken_and_never_cut(void)
{
	char line[512];
	snprintf(line, sizeof(line),
		 "culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700) \xe2\x80\x94 exact: launch #7, %s at "
		 "train.py:14 [pid 1234]",
		 long_name);
	for (size_t columns = 40; columns < 200; columns++) {
		CHECK(widest(fitted(headline, line, columns)) <= columns);
		CHECK(is_whole(fitted(headline, line, columns), line));
	}
	CHECK_STRING(fitted(headline, line, 200), line);
	CHECK_STRING(fitted(headline, "one two three", 9), "one two\n  three");
}

static void a_start_is_cut_at_its_end(void)
{
	CHECK_STRING(fitted(fitted_start, "int main(void)", 14), "int main(void)");
	CHECK_STRING(fitted(fitted_start, "int main(void)", 9), "int main\xe2\x80\xa6");
}

static void words_go_on_below_where_they_began(void)
{
	CHECK_STRING(
		fitted(indented, "train.py:14 buggy  <- train.py:18 step  <- train.py:22 run", 60),
		"train.py:14 buggy  <- train.py:18 step  <-\n"
		"                    train.py:22 run");
	CHECK_STRING(fitted(indented, "short", 60), "short");
}

/* The first line starts at the indent, later ones do not; the last word has no newline. */
static void no_line_is_wider_than_the_terminal(void)
{
	char line[512];
	snprintf(line, sizeof(line), "a %s b %s", long_name, long_name);
	for (size_t columns = 44; columns < 200; columns++) {
		char *text = strdup(fitted(indented, line, columns));
		size_t indent = 18;
		for (char *part = strtok(text, "\n"); part; part = strtok(NULL, "\n")) {
			CHECK(width(part) + indent <= columns);
			indent = 0;
		}
		free(text);
	}
}

int main(void)
{
	names_keep_both_ends();
	characters_are_not_cut_and_count_their_columns();
	a_headline_is_broken_and_never_cut();
	a_start_is_cut_at_its_end();
	words_go_on_below_where_they_began();
	no_line_is_wider_than_the_terminal();
	return 0;
}
