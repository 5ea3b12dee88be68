/*
 * test_suggestion.c - which of some words is offered for a mistyped one.
 */
#include "command/suggestion.h"

#include "support/check.h"

static const char *const words[] = {"report", "run", "status", "statistics", "environment"};

/* Return what is offered for the word; "" if nothing is similar. */
static const char *offer(const char *word)
{
	struct suggestion best = {0};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		suggestion_offer(&best, word, strlen(word), words[i]);
	return best.word ? best.word : "";
}

/* An insertion, a removal, a replacement, or two swapped neighbours count as one. */
static void test_one_fault(void)
{
	CHECK_STRING(offer("report"), "report");
	CHECK_STRING(offer("repport"), "report");
	CHECK_STRING(offer("rport"), "report");
	CHECK_STRING(offer("repart"), "report");
	CHECK_STRING(offer("reprot"), "report");
	CHECK_STRING(offer("erport"), "report");
	CHECK_STRING(offer("reporta"), "report");
	CHECK_STRING(offer("eport"), "report");
}

/* One fault is allowed for three characters of the right word, and three at most. */
static void test_more_faults(void)
{
	CHECK_STRING(offer("rxn"), "run");
	CHECK_STRING(offer("rxx"), "");
	CHECK_STRING(offer("repxxt"), "report");
	CHECK_STRING(offer("rexxxt"), "");
	CHECK_STRING(offer("staxusx"), "status");
	CHECK_STRING(offer("envxxxnment"), "environment");
	CHECK_STRING(offer("envxxxxment"), "");
	CHECK_STRING(offer("erpotr"), "report");
	CHECK_STRING(offer("urn"), "run");
	CHECK_STRING(offer("urnx"), "");
	/* Neighbours are not swapped if only one of them fits, and each character more counts. */
	CHECK_STRING(offer("stuas"), "");
	CHECK_STRING(offer("rtu"), "");
	CHECK_STRING(offer("rrbun"), "");
	CHECK_STRING(offer(""), "");
}

/* The most similar word is offered; of two, the first one. */
static void test_best(void)
{
	struct suggestion best = {0};
	suggestion_offer(&best, "state", 5, "stated");
	suggestion_offer(&best, "state", 5, "states");
	CHECK_STRING(best.word, "stated");
	suggestion_offer(&best, "state", 5, "state");
	CHECK_STRING(best.word, "state");
	suggestion_offer(&best, "state", 5, "estates");
	CHECK_STRING(best.word, "state");
	/* The length counts, not a NUL. */
	best = (struct suggestion){0};
	suggestion_offer(&best, "run=1", 3, "run");
	CHECK_STRING(best.word, "run");
}

/* Words of 40 characters are compared, and longer ones are not. */
static void test_long(void)
{
	static const char name[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmno";
	struct suggestion best = {0};
	suggestion_offer(&best, name, 41, name + 1);
	suggestion_offer(&best, name + 1, 40, name);
	CHECK(!best.word);
	suggestion_offer(&best, name + 1, 40, name + 1);
	CHECK(best.word == name + 1);
	best = (struct suggestion){0};
	suggestion_offer(&best, "xxxdefghijklmno", 15, "abcdefghijklmno");
	CHECK(best.word);
	best = (struct suggestion){0};
	suggestion_offer(&best, "xxxxefghijklmno", 15, "abcdefghijklmno");
	CHECK(!best.word);
}

int main(void)
{
	test_one_fault();
	test_more_faults();
	test_best();
	test_long();
	return 0;
}
