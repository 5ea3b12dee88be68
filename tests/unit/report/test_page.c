/*
 * test_page.c - the page that a report is printed from: its lines, their subjects and the places in
 * them; and the advice as values.
 */
#include "report/report_advice.h"
#include "report/report_page.h"
#include "support/check.h"
#include "support/sample_bundle.h"

#define TORCH     "/opt/venv/lib/python3.12/site-packages/torch/"
#define GENERATED "/tmp/torchinductor_user/ab/cabc.py"

static struct page page;

static const struct page *page_of(struct verdict_case *c)
{
	const struct report report = {.view = &c->view,
				      .verdict = &c->verdict,
				      .bundle_path = "./bundle",
				      .directory = "/home/user/project"};
	case_judge(c, 700);
	report_page(&report, &page);
	return &page;
}

/* The line of that id, `below` lines further down. */
static const struct page_line *line_of(enum page_id id, uint32_t below)
{
	for (uint32_t i = 0; i + below < page.n_lines; i++) {
		if (page.lines[i].id != id)
			continue;
		CHECK(page.lines[i].is_first);
		CHECK_EQUAL(page.lines[i + below].id, id);
		CHECK(below == 0 || !page.lines[i + below].is_first);
		return &page.lines[i + below];
	}
	CHECK(false); /* There is such a line. */
	return NULL;
}

static const struct page_location *place_of(const struct page_line *line, uint32_t index)
{
	CHECK(index < line->n_locations);
	return &page.locations[line->first_place + index];
}

static const char *string_of(const char *bytes, size_t length)
{
	static char copy[256];
	CHECK(length < sizeof(copy));
	memcpy(copy, bytes, length);
	copy[length] = '\0';
	return copy;
}

static const char *name_of(struct page_string string)
{
	return string_of(string.bytes, string.length);
}

/* The piece of the line that names the place. */
static const char *words_of(const struct page_line *line, uint32_t index)
{
	const struct page_location *place = place_of(line, index);
	CHECK(place->begin + place->length <= strlen(line->text));
	return string_of(line->text + place->begin, place->length);
}

static void check_subject(const struct page_line *line, enum page_subject subject, uint64_t number)
{
	CHECK_EQUAL(line->subject, subject);
	CHECK_EQUAL(line->number, number);
}

static void test_lines(void)
{
	struct verdict_case *c = sample_bundle(RECORD_MARKED_INLINE);
	CHECK_EQUAL(page_of(c)->lines[0].id, PAGE_HEADLINE);
	check_subject(line_of(PAGE_HEADLINE, 0), PAGE_OF_SUSPECT, 0);
	check_subject(line_of(PAGE_WORK, 0), PAGE_OF_SUSPECT, 0);
	check_subject(line_of(PAGE_LAUNCHED_FROM, 0), PAGE_OF_STACK,
		      c->verdict.suspects[0].record.stack);
	check_subject(line_of(PAGE_SEEN_BY, 0), PAGE_OF_STACK, c->verdict.failure.stack);
	check_subject(line_of(PAGE_EVIDENCE, 2), PAGE_OF_EVIDENCE, 2);
	check_subject(line_of(PAGE_IN_FLIGHT, 1), PAGE_OF_STREAM, 1);
	CHECK_STRING(line_of(PAGE_BUNDLE, 0)->text, "./bundle");
	/* The report that the page was made from was on the stack, and no longer exists. */
	CHECK_STRING(page.report.bundle_path, "./bundle");
	CHECK_EQUAL(page.lines[page.n_lines - 1].id, PAGE_HELP);
	case_end(c);
}

/* A line about an argument has its values as numbers too, not only as text. */
static void test_arguments(void)
{
	struct verdict_case *c = sample_bundle(RECORD_MARKED_INLINE);
	CHECK_EQUAL(page_of(c)->n_arguments, 6);
	check_subject(line_of(PAGE_ARGUMENTS, 2), PAGE_OF_ARGUMENT, 2);
	CHECK_EQUAL(page.arguments[1].place, PLACE_FREED);
	CHECK_EQUAL(page.arguments[1].range.number, 2);
	CHECK_EQUAL(page.arguments[3].value, 0x1000);
	CHECK_EQUAL(page.arguments[4].size, 24);
	CHECK(page.arguments[4].bytes && page.arguments[4].bytes[8] == 2);
	case_end(c);
}

static void test_native_places(void)
{
	struct verdict_case *c = sample_bundle(RECORD_MARKED_INLINE);
	page_of(c);
	const struct page_line *line = line_of(PAGE_LAUNCHED_FROM, 0);
	CHECK_EQUAL(line->n_locations, 2);
	CHECK_STRING(words_of(line, 0), "train+0x33");
	CHECK_EQUAL(place_of(line, 0)->language, PAGE_HOST);
	CHECK_EQUAL(place_of(line, 0)->offset, 0x33);
	CHECK_STRING(name_of(place_of(line, 0)->module), "/home/user/train");
	CHECK_EQUAL(place_of(line, 0)->function.length, 0);
	CHECK_STRING(words_of(line, 1), "train+0x22");
	/* Where freed memory came from, and which call freed it. */
	CHECK_EQUAL(line_of(PAGE_ARGUMENTS, 1)->n_locations, 2);
	case_end(c);
}

/* File names are whole, however short the text has them; folded frames have no places. */
static void test_python_places(void)
{
	struct verdict_case *c = sample_python_bundle(RECORD_MARKED_INLINE, GENERATED);
	page_of(c);
	CHECK_STRING(words_of(line_of(PAGE_HEADLINE, 0), 0), "train.py:14");
	const struct page_line *line = line_of(PAGE_LAUNCHED_FROM, 0);
	CHECK_STRING(words_of(line, 0), "train.py:14 Net.buggy");
	CHECK_EQUAL(place_of(line, 0)->language, PAGE_PYTHON);
	CHECK_STRING(name_of(place_of(line, 0)->file), "/home/user/project/train.py");
	CHECK_STRING(name_of(place_of(line, 0)->function), "Net.buggy");
	CHECK_EQUAL(place_of(line, 0)->line, 14);
	CHECK_STRING(words_of(line, 1), "train.py:18 Net.train_step");
	line = line_of(PAGE_THROUGH, 0);
	CHECK_STRING(name_of(place_of(line, 1)->file), TORCH "nn/module.py");
	line = line_of(PAGE_GENERATED, 0);
	CHECK_STRING(words_of(line, 0), GENERATED ":4");
	case_end(c);
}

static void test_more(void)
{
	struct verdict_case *c = case_begin();
	case_launch(c, case_stream(c), 12);
	for (uint64_t sequence = 1; sequence <= 12; sequence++)
		case_find(c, sequence)->stack = (uint32_t)sequence; /* of which there are no rows */
	page_of(c);
	check_subject(line_of(PAGE_OR_ELSE, 0), PAGE_OF_SUSPECT, 1);
	check_subject(line_of(PAGE_OR_ELSE, 7), PAGE_OF_MORE, 4);
	case_end(c);
}

/* More lines and places than expected do no harm. */
static void test_full(void)
{
	static const struct report report = {.bundle_path = NULL};
	page_clear(&report, &page);
	for (uint32_t i = 0; i < 2 * PAGE_MAX_LOCATIONS; i++) {
		page_begin(&page, PAGE_NEXT);
		text_add(&page.text, "rerun");
		page_add_location(
			&page, 0,
			(struct page_location){
				.file = page_keep(&page, "/a/file/of/some/length/that/is/kept.c")});
		page_end(&page);
	}
	CHECK(page.n_lines < PAGE_MAX_LINES);
	CHECK_EQUAL(page.n_locations, PAGE_MAX_LOCATIONS);
	CHECK_STRING(page.lines[page.n_lines - 1].text, "rerun");
	CHECK(page_keep(&page, "x").length == 1);
	while (page_keep(&page, "a string").length > 0)
		;
	CHECK_EQUAL(page_keep(&page, "a string").length, 0);
	for (int i = 0; i < PAGE_TEXT_SIZE; i++) {
		page_begin(&page, PAGE_NEXT);
		text_add(&page.text, "more and more words");
		page_end(&page);
	}
	CHECK(page.text.cut);
}

static void test_dropped_line(void)
{
	static const struct report report = {.bundle_path = NULL};
	page_clear(&report, &page);
	page_begin(&page, PAGE_THROUGH);
	text_add(&page.text, "nothing");
	page_add_location(&page, 0, (struct page_location){.line = 1});
	page_drop(&page);
	page_begin(&page, PAGE_NATIVE);
	text_add(&page.text, "main");
	page_end(&page);
	CHECK_EQUAL(page.n_lines, 1);
	CHECK_EQUAL(page.n_locations, 0);
	CHECK_EQUAL(page.lines[0].id, PAGE_NATIVE);
	CHECK_STRING(page.lines[0].text, "main");
}

static void check_advice(const struct verdict *verdict, uint32_t n, enum advice_kind first,
			 enum advice_kind second, const char *words)
{
	char line[256];
	struct text text = text_in(line, sizeof(line));
	struct advice advice;
	report_advice(verdict, &advice);
	report_advice_text(&advice, false, &text);
	CHECK_STRING(line, words);
	CHECK_EQUAL(advice.n, n);
	CHECK(n < 1 || advice.kinds[0] == first);
	CHECK(n < 2 || advice.kinds[1] == second);
}

static void test_advice_for_narrowed(void)
{
	static struct verdict verdict = {.class = VERDICT_NARROWED, .n_suspects = 2};
	check_advice(&verdict, 2, ADVICE_MARKERS_INLINE, ADVICE_COREDUMPS,
		     "rerun with CULPRIT_MARKERS=inline, or with CULPRIT_COREDUMP=on, to narrow it "
		     "down");
	verdict.failure.flags = FAILURE_COREDUMPS;
	check_advice(&verdict, 1, ADVICE_MARKERS_INLINE, 0,
		     "rerun with CULPRIT_MARKERS=inline to narrow it down");
	verdict.suspects[0].record.flags = RECORD_MARKED_INLINE;
	check_advice(&verdict, 1, ADVICE_LAUNCH_BLOCKING, 0,
		     "rerun with CUDA_LAUNCH_BLOCKING=1 to narrow it down");
	verdict.failure.flags = 0;
	check_advice(&verdict, 1, ADVICE_COREDUMPS, 0,
		     "rerun with CULPRIT_COREDUMP=on to narrow it down");
}

static void test_advice_for_unknown(void)
{
	static const struct {
		enum unknown_reason reason;
		uint32_t n;
		enum advice_kind kinds[2];
		const char *words;
	} cases[] = {
		{UNKNOWN_NO_FAILURE, 0, {0}, ""},
		{UNKNOWN_NOTHING_UNFINISHED,
		 2,
		 {ADVICE_MARKERS_INLINE, ADVICE_DOCTOR},
		 "rerun with CULPRIT_MARKERS=inline; \"culprit doctor\" tells whether all calls "
		 "are "
		 "seen"},
		{UNKNOWN_HARDWARE,
		 1,
		 {ADVICE_CHECK_GPU},
		 "look for Xid messages in the kernel's log, and have the GPU checked"},
		{UNKNOWN_RECORDS_LOST,
		 2,
		 {ADVICE_MARKERS_INLINE, ADVICE_MORE_RECORDS},
		 "rerun with CULPRIT_MARKERS=inline, or with a larger CULPRIT_RECORDS"},
		{UNKNOWN_BAD_BUNDLE,
		 1,
		 {ADVICE_RERUN},
		 "rerun: this bundle was damaged after it was written"},
		{UNKNOWN_NO_MEMORY,
		 1,
		 {ADVICE_READ_BUNDLE},
		 "\"culprit report\" on the bundle, if there is one, tells more"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		static struct verdict verdict;
		verdict.unknown_reason = cases[i].reason;
		check_advice(&verdict, cases[i].n, cases[i].kinds[0], cases[i].kinds[1],
			     cases[i].words);
	}
	CHECK_STRING(advice_setting(ADVICE_COREDUMPS).name, "CULPRIT_COREDUMP");
	CHECK_STRING(advice_setting(ADVICE_COREDUMPS).value, "on");
	CHECK(!advice_setting(ADVICE_MORE_RECORDS).value);
	CHECK(!advice_setting(ADVICE_CHECK_GPU).name);
}

static const char *word_of(int id)
{
	const char *word = page_id_label((enum page_id)id);
	if (!word) {
		fprintf(stderr, "page.c has no word for enum page_id %d\n", id);
		exit(1);
	}
	return word;
}

/* Every value has a word, and no word is another's. */
static void test_words(void)
{
	for (int id = 0; id < N_PAGE_IDS; id++) {
		CHECK(*word_of(id));
		for (int other = 0; other < id; other++)
			CHECK(strcmp(word_of(id), word_of(other)) != 0);
	}
	for (int kind = 0; kind < N_ADVICE_KINDS; kind++)
		CHECK(*advice_label((enum advice_kind)kind));
	for (int subject = 0; subject < N_PAGE_SUBJECTS; subject++)
		CHECK(*page_subject_label((enum page_subject)subject));
}

int main(void)
{
	test_lines();
	test_arguments();
	test_native_places();
	test_python_places();
	test_more();
	test_full();
	test_dropped_line();
	test_advice_for_narrowed();
	test_advice_for_unknown();
	test_words();
	return 0;
}
