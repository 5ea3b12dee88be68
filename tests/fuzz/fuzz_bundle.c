/*
 * fuzz_bundle.c - any bytes as the files of a bundle, through everything that reads bundles: view,
 * attribution, report. Input: see fuzz_files.h.
 *
 * With clang, -DCULPRIT_FUZZ=ON makes it a libFuzzer program; replay.c runs it on stored inputs.
 */
#include "fuzz_target.h"

#include <stdlib.h>
#include <string.h>

#include "attribution/attribution.h"
#include "brief/brief_page.h"
#include "fuzz_files.h"
#include "report/report_page.h"
#include "symbols/symbols.h"

/* More scratch than a bundle of the largest input can need. */
enum { MAX_SCRATCH = 256 << 20 };

/* Check that the places of a line are inside its text and do not overlap. */
static void check_line(const struct page *page, const struct page_line *line)
{
	size_t length = strlen(line->text);
	uint32_t end = 0;

	if (line->first_place + line->n_locations > page->n_locations)
		abort();
	for (uint32_t i = 0; i < line->n_locations; i++) {
		const struct page_location *location = &page->locations[line->first_place + i];

		if (location->begin < end || location->begin + location->length > length)
			abort();
		end = location->begin + location->length;
	}
}

static void check_page(const struct page *page)
{
	for (uint32_t i = 0; i < page->n_lines; i++)
		check_line(page, &page->lines[i]);
}

static void report_all(const struct bundle_view *view, const struct verdict *verdict)
{
	static char buffer[REPORT_TEXT_SIZE];
	static struct page page;
	static struct page brief;
	const struct symbol_source symbols = symbols_source(NULL);
	const struct report report = {.view = view,
				      .verdict = verdict,
				      .symbols = &symbols,
				      .bundle_path = "./bundle",
				      .directory = "/home/user"};
	struct text text = text_in(buffer, sizeof(buffer));

	report_page(&report, &page);
	check_page(&page);
	report_text(&page, &text);
	brief_page(&page, &brief);
	check_page(&brief);
	brief_text(&brief, NULL, &text);
	if (strlen(buffer) != (size_t)(text.at - buffer) || strchr(buffer, '\033'))
		abort();
}

/* Check what must hold for every verdict, whatever the input bytes were. */
static void check_verdict(const struct verdict *verdict)
{
	if ((verdict->class == VERDICT_UNKNOWN) != (verdict->n_suspects == 0) ||
	    (verdict->class == VERDICT_UNKNOWN) == (verdict->unknown_reason == UNKNOWN_NOT) ||
	    (verdict->class >= VERDICT_LIKELY && verdict->n_suspects != 1) ||
	    verdict->n_evidence > VERDICT_MAX_EVIDENCE || verdict->n_streams > VERDICT_MAX_STREAMS)
		abort();
}

static void judge(const struct bundle_view *view)
{
	static struct verdict verdict;
	size_t size = attribution_scratch(view);
	void *scratch;

	if (size > MAX_SCRATCH)
		return;
	scratch = malloc(size ? size : 1);
	if (!scratch)
		abort();
	if (attribute(view, scratch, size, &verdict) != 0)
		abort();
	free(scratch);
	check_verdict(&verdict);
	report_all(view, &verdict);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct bundle_view view;
	struct fuzz_files files;

	memset(&view, 0, sizeof(view));
	fuzz_files_read(data, size, &files);
	for (size_t i = 0; i < files.n; i++)
		(void)bundle_view_add(&view, files.bytes[i], files.sizes[i], NULL);
	judge(&view);
	fuzz_files_free(&files);
	return 0;
}
