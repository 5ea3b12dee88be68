/*
 * test_error_text.c - the annotated text is one short line. It has the verdict's whole word, and
 * both ends of a long name.
 */
#include "base/error_text.h"

#include <string.h>

#include "support/check.h"

#define ILLEGAL "an illegal memory access was encountered"
#define LONG    "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEE"

static void is_made(const char *text, const char *name, const char *verdict, const char *wanted)
{
	char out[ERROR_TEXT_MAX + 1];
	CHECK(error_text_make(text, name, verdict, out));
	CHECK_STRING(out, wanted);
	CHECK(strlen(out) <= ERROR_TEXT_MAX);
}

static void is_not_made(const char *text, const char *name)
{
	char out[ERROR_TEXT_MAX + 1];
	CHECK(!error_text_make(text, name, "narrowed", out));
}

int main(void)
{
	char name[64] = "";
	is_made(ILLEGAL, "scatter_add", "exact", ILLEGAL " (culprit: scatter_add, exact)");
	is_made(ILLEGAL, "one of 12", "narrowed", ILLEGAL " (culprit: one of 12, narrowed)");
	is_made(ILLEGAL, LONG, "exact", ILLEGAL " (culprit: _ZN2at6na..nctorIfEE, exact)");
	is_made(ILLEGAL, LONG, "narrowed", ILLEGAL " (culprit: _ZN2at6n..torIfEE, narrowed)");
	/* No half of a character. */
	for (int i = 0; i < 15; i++)
		strcat(name, "\xc3\xbc");
	is_made(ILLEGAL "!", name, "exact",
		ILLEGAL "! (culprit: "
			"\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc..\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc"
			", exact)");
	/*
	 * The text stays unchanged if a recognisable name does not fit, or if the text has several
	 * lines.
	 */
	is_not_made("invalid access of peer GPU memory over nvlink or a hardware error", "kernel");
	is_not_made(ILLEGAL, "two\nlines");
	is_not_made("two\nlines", "kernel");
	return 0;
}
