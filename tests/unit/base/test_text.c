/*
 * test_text.c - foreign bytes as text: what is UTF-8 and can be seen stays, all else is replaced.
 */
#include "base/text.h"

#include <string.h>

#include "support/check.h"

struct foreign_case {
	const char *bytes;
	const char *text;
};

static const struct foreign_case cases[] = {
	{"plain ~", "plain ~"},
	{"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
	 "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80"},
	{"\xed\x9f\xbf|\xee\x80\x80|\xf4\x8f\xbf\xbf",
	 "\xed\x9f\xbf|\xee\x80\x80|\xf4\x8f\xbf\xbf"},
	/* Almost UTF-8: halves of pairs, overlong forms, values after the last character. */
	{"\xed\xa0\x80|\xed\xbf\xbf", "???|???"},
	{"\xc0\xaf|\xc1\xbf|\xe0\x9f\xbf|\xf0\x8f\xbf\xbf", "??|??|???|????"},
	{"\xf4\x90\x80\x80|\xf5\x80\x80\x80", "????|????"},
	{"\xe2\x82|\xe2", "??|?"},
	{"\x80\xff", "??"},
	/* Obeyed by terminals. */
	{"\x1b[2J\x7f|\xc2\x9b", "?[2J?|?"},
	/* Characters that turn the text's direction, and invisible ones. */
	{"a\xe2\x80\xae"
	 "b\xe2\x81\xa6"
	 "c\xd8\x9c",
	 "a?b?c?"},
	{"a\xe2\x80\x8b"
	 "b\xef\xbb\xbf"
	 "c\xc2\xad|\xe2\x80\xa8",
	 "a?b?c?|?"},
	/* Obeyed by build servers. */
	{"::error ::x", "?:error ::x"},
	{"  ::set-output name=a::b", "  ?:set-output name=a::b"},
	{"a::b", "a::b"},
	{":", ":"},
	{"x##[error]", "x?#[error]"},
	{"##vso[task.complete]", "?#vso[task.complete]"},
	{"###[a", "#?#[a"},
	{"## [", "## ["},
};

/* Only the first piece of a line loses its "::". */
static void test_pieces(void)
{
	char buffer[32];
	struct text text = text_in(buffer, sizeof(buffer));
	text_add(&text, "  ");
	text_add_foreign(&text, "::a", 3);
	text_add_foreign(&text, "::b", 3);
	text_add(&text, "\n");
	text_add_foreign(&text, "::c", 3);
	CHECK_STRING(buffer, "  ?:a::b\n?:c");
}

/* Each line is checked from its start. */
static void test_lines(void)
{
	char lines[] = "culprit: a::b\n::error::x\n  ::error::y\n\x1b ##[z\n";
	CHECK_EQUAL(text_make_harmless(lines, strlen(lines)), strlen(lines));
	CHECK_STRING(lines, "culprit: a::b\n?:error::x\n  ?:error::y\n? ?#[z\n");
}

/* A character that does not fit as a whole is left out. */
static void test_cut(void)
{
	char buffer[4];
	struct text text = text_in(buffer, sizeof(buffer));
	text_add_foreign(&text, "ab\xc3\xbc", 4);
	CHECK_STRING(buffer, "ab");
	CHECK(text.cut);
}

int main(void)
{
	char buffer[64];
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct text text = text_in(buffer, sizeof(buffer));
		text_add_foreign(&text, cases[i].bytes, strlen(cases[i].bytes));
		CHECK_STRING(buffer, cases[i].text);
	}
	test_cut();
	test_lines();
	test_pieces();
	return 0;
}
