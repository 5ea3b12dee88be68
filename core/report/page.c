/*
 * page.c - stores a page's lines and the places in them.
 */
#include "report/page.h"

#include <inttypes.h>
#include <string.h>

static const struct {
	const char *word;
	const char *label;
} ids[N_PAGE_IDS] = {
	[PAGE_HEADLINE] = {"headline", NULL},
	[PAGE_WORK] = {"work", NULL},
	[PAGE_FAULT] = {"fault", "fault"},
	[PAGE_LAUNCHED_FROM] = {"launched_from", "launched from"},
	[PAGE_THROUGH] = {"through", "through"},
	[PAGE_GENERATED] = {"generated_code", "generated code"},
	[PAGE_NATIVE] = {"native", "native"},
	[PAGE_ON_THE_DEVICE] = {"on_the_device", "on the device"},
	[PAGE_NVTX] = {"nvtx", "nvtx"},
	[PAGE_NODES] = {"nodes", "nodes"},
	[PAGE_NODE] = {"node", "node"},
	[PAGE_ARGUMENTS] = {"arguments", "arguments"},
	[PAGE_ANOMALY] = {"unusual", "unusual"},
	[PAGE_PRODUCERS] = {"producers", "used before by"},
	[PAGE_OR_ELSE] = {"or_else", "or else"},
	[PAGE_SEEN_BY] = {"seen_by", "seen by"},
	[PAGE_HOST_AT] = {"host", "host"},
	[PAGE_EVIDENCE] = {"evidence", "evidence"},
	[PAGE_IN_FLIGHT] = {"in_flight", "in flight"},
	[PAGE_AFTERWARDS] = {"afterwards", "afterwards"},
	[PAGE_REJECTED] = {"refused", "refused"},
	[PAGE_FIRST_NAN] = {"first_nan", "first NaN"},
	[PAGE_STACKS] = {"stacks", "stacks"},
	[PAGE_NO_ROOM] = {"no_room", "no room"},
	[PAGE_HARDWARE] = {"hardware", "hardware"},
	[PAGE_NEXT] = {"next", "next"},
	[PAGE_PROCESS] = {"process", "process"},
	[PAGE_BUNDLE] = {"bundle", "bundle"},
	[PAGE_HELP] = {"help", "help"},
	[PAGE_TITLE] = {"title", NULL},
	[PAGE_CERTAINTY] = {"certainty", NULL},
	[PAGE_ERROR] = {"error", NULL},
	[PAGE_AT] = {"at", NULL},
	[PAGE_SUBMITTED] = {"submitted", NULL},
	[PAGE_MOST_LIKELY] = {"most_likely", "most likely"},
	[PAGE_ALSO] = {"also", "also"},
	[PAGE_STARTED] = {"started", "had started"},
	[PAGE_CAPTURED] = {"captured", "captured"},
	[PAGE_FREED] = {"freed", "freed"},
	[PAGE_ALLOCATED] = {"allocated", "allocated"},
	[PAGE_SEEN] = {"seen", "seen"},
	[PAGE_BECAUSE] = {"because", "because"},
	[PAGE_HELD_BY] = {"held_by", "held by"},
	[PAGE_TO_BE_SURE] = {"to_be_sure", "to be sure"},
};

const char *page_id_label(enum page_id id)
{
	return ids[id].word;
}

const char *page_label(enum page_id id)
{
	return ids[id].label;
}

const char *page_language_label(enum page_language language)
{
	static const char *const words[N_PAGE_LANGUAGES] = {
		[PAGE_PYTHON] = "python",
		[PAGE_HOST] = "host",
		[PAGE_DEVICE] = "device",
	};
	return words[language];
}

const char *page_subject_label(enum page_subject subject)
{
	static const char *const words[N_PAGE_SUBJECTS] = {
		[PAGE_OF_REPORT] = "report",     [PAGE_OF_SUSPECT] = "suspect",
		[PAGE_OF_STACK] = "stack",       [PAGE_OF_NODE] = "node",
		[PAGE_OF_ARGUMENT] = "argument", [PAGE_OF_EVIDENCE] = "evidence",
		[PAGE_OF_STREAM] = "stream",     [PAGE_OF_MORE] = "more",
	};
	return words[subject];
}

void page_clear(const struct report *report, struct page *out)
{
	out->report = *report;
	out->n_lines = 0;
	out->n_locations = 0;
	out->n_arguments = 0;
	out->names_used = 0;
	out->text = text_in(out->words, sizeof(out->words));
}

/* Start a line in the free slot that always exists; a full page overwrites its last line. */
static void begin(struct page *page, enum page_id id, bool is_first)
{
	page->lines[page->n_lines] = (struct page_line){
		.id = id,
		.is_first = is_first,
		.text = page->text.at,
		.first_place = page->n_locations,
	};
}

void page_begin(struct page *page, enum page_id id)
{
	begin(page, id, true);
}

void page_below(struct page *page, enum page_id id)
{
	begin(page, id, false);
}

void page_end(struct page *page)
{
	struct page_line *line = &page->lines[page->n_lines];
	line->n_locations = page->n_locations - line->first_place;
	if (page->n_lines < PAGE_MAX_LINES - 1)
		page->n_lines++;
	/* The next line starts after the NUL of this one. */
	if (page->text.at + 1 < page->text.end)
		*++page->text.at = '\0';
}

void page_add_more(struct page *page, enum page_id id, uint64_t n)
{
	page_below(page, id);
	page_set_subject(page, PAGE_OF_MORE, n);
	text_addf(&page->text, "and %" PRIu64 " more", n);
	page_end(page);
}

void page_drop(struct page *page)
{
	page->text.at -= page_offset(page);
	*page->text.at = '\0';
	page->n_locations = page->lines[page->n_lines].first_place;
}

void page_set_subject(struct page *page, enum page_subject subject, uint64_t number)
{
	page->lines[page->n_lines].subject = subject;
	page->lines[page->n_lines].number = number;
}

uint32_t page_offset(const struct page *page)
{
	return (uint32_t)(page->text.at - page->lines[page->n_lines].text);
}

void page_add_location(struct page *page, uint32_t begin, struct page_location location)
{
	if (page->n_locations == PAGE_MAX_LOCATIONS)
		return;
	location.begin = begin;
	location.length = page_offset(page) - begin;
	page->locations[page->n_locations++] = location;
}

struct page_string page_keep(struct page *page, const char *string)
{
	size_t length = string ? strlen(string) : 0;
	char *copy = page->names + page->names_used;
	if (length > sizeof(page->names) - page->names_used)
		return page_string_of(NULL);
	if (length > 0)
		memcpy(copy, string, length); /* NOLINT(bugprone-not-null-terminated-result) */
	page->names_used += length;
	return (struct page_string){copy, length};
}

struct page_string page_string_of(const char *string)
{
	return (struct page_string){string, string ? strlen(string) : 0};
}

const struct page_line *page_find_line(const struct page *page, enum page_id id)
{
	for (uint32_t i = 0; i < page->n_lines; i++)
		if (page->lines[i].id == id)
			return &page->lines[i];
	return NULL;
}
