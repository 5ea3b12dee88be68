/*
 * failure_report.c - from the recorded work to the verdict's text.
 */
#include "failure/failure_report.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/ascii.h"
#include "brief/brief_page.h"
#include "failure/elastic_error.h"
#include "failure/live_symbols.h"
#include "memory/memory_index.h"
#include "record/files/meta.h"
#include "record/host/reserve.h"
#include "record/host/warning.h"
#include "record/journal/bundle.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "report/report_page.h"

/* Untouched until the failure, when the process may map no more memory. */
enum { SPARE_SIZE = 4 << 20 };

static void *spare; /* written at start only, like the next two; NULL: there was no room */
static bool is_of_run;
static bool is_full;
static bool is_ascii; /* what is shown; the bundle has UTF-8 */

static struct bundle_view view;
static struct verdict verdict;
static struct page page;
static struct page brief;
static char text_buffer[REPORT_TEXT_SIZE];
static char short_buffer[REPORT_TEXT_SIZE];
static char headline[256];
static char culprit[256];

void failure_report_start(bool is_run, enum report_length length)
{
	is_of_run = is_run;
	is_full = length == REPORT_FULL;
	is_ascii = ascii_is_wanted();
	spare = reserve_memory(SPARE_SIZE);
}

const char *failure_report_headline(void)
{
	return headline;
}

const char *failure_report_culprit(const char **out_verdict)
{
	*out_verdict = culprit[0] ? report_verdict_label(verdict.class) : "";
	return culprit;
}

/* Index the memory in which suspects' pointers are looked up; without room, search row by row. */
static void index_memory(void)
{
	static struct memory_index index;
	if (view.tables[JOURNAL_RANGES].n_rows < MEMORY_INDEX_MIN)
		return;
	void *scratch = mmap(NULL, memory_index_scratch(&view), PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (scratch == MAP_FAILED)
		return;
	memory_index_make(&view, scratch, &index);
	view.memory_index = &index;
}

/* Return false without memory for the verdict, or if the failure's own row had none. */
static bool find_verdict(const struct gpu_fault *fault)
{
	bundle_view_live(&view);
	index_memory();
	size_t size = attribution_scratch(&view);
	bool is_spare = spare && size <= SPARE_SIZE;
	void *scratch = is_spare ? spare : reserve_memory(size);
	if (!scratch)
		return false;
	int error = attribute_with_coredump(&view, fault, scratch, size, &verdict);
	if (!is_spare)
		(void)munmap(scratch, size);
	return !error && verdict.unknown_reason != UNKNOWN_NO_FAILURE;
}

static void write_page(void)
{
	static struct report_process process;
	process = (struct report_process){
		.pid = getpid(), .is_of_run = is_of_run, .rank = meta_rank()};
	const struct report report = {
		.view = &view,
		.verdict = &verdict,
		.symbols = &live_symbols,
		.bundle_path = bundle_path()[0] ? bundle_path() : NULL,
		.directory = meta_directory(),
		.process = &process,
	};
	report_page(&report, &page);
}

static void write_culprit(void)
{
	const struct report report = {.view = &view, .symbols = &live_symbols};
	struct text out = text_in(culprit, sizeof(culprit));
	if (verdict.n_suspects == 0)
		return;
	if (verdict.n_suspects == 1)
		report_work_name(&report, &verdict.suspects[0].record, true, &out);
	else
		text_addf(&out, "one of %u", (unsigned)verdict.n_suspects);
}

/*
 * Print the report. Under `culprit run` the tool, which knows more names, prints the report at the
 * end. It prints the headline earlier only if the program keeps running; printed here, it would
 * stand between an error text with the headline and the report. So print here only if the tool
 * could not be reported.
 */
static void print(size_t headline_size, const char *text, size_t text_size)
{
	if (!is_of_run) {
		warning_write_lines(text, text_size);
		return;
	}
	headline[headline_size] = '\n';
	warning_write_lines(headline, headline_size + 1);
	headline[headline_size] = '\0';
}

/* Write the first line of the report that is printed. Returns its length. */
static size_t write_headline(const char *text)
{
	struct text line = text_in(headline, sizeof(headline));
	text_add_foreign(&line, text, strcspn(text, "\n"));
	return (size_t)(line.at - headline);
}

void failure_report_make(const struct failure_row *row, const struct gpu_fault *fault)
{
	if (!find_verdict(fault))
		verdict = (struct verdict){.failure = *row, .unknown_reason = UNKNOWN_NO_MEMORY};
	write_page();
	write_culprit();
	struct text whole = text_in(text_buffer, sizeof(text_buffer));
	struct text few = text_in(short_buffer, sizeof(short_buffer));
	report_text(&page, &whole);
	brief_page(&page, &brief);
	brief_text(&brief, NULL, &few);
	size_t text_size = (size_t)(whole.at - text_buffer);
	char *shown = is_full ? text_buffer : short_buffer;
	size_t shown_size = is_full ? text_size : (size_t)(few.at - short_buffer);
	bool is_told = bundle_publish_verdict(text_buffer, text_size, shown, shown_size);
	if (is_ascii)
		shown_size = ascii_make(shown, shown_size);
	shown[shown_size] = '\0';
	size_t headline_size = write_headline(shown);
	if (!is_of_run || !is_told)
		print(headline_size, shown, shown_size);
	elastic_error_write(headline, shown);
}
