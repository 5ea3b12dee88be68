/*
 * report_python.c - Python stacks for people. A framework puts thirty frames of its own around each
 * user frame. A report must show the user's frames, so runs of others are folded.
 */
#include "report/report_python.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_FRAMES = 256, MAX_THROUGH = 4, MAX_PLACE = 128 };

/* A stack's frames, innermost first. */
struct python_stack {
	uint32_t ids[MAX_FRAMES];
	size_t n;
	size_t innermost; /* user frame; of all frames if there is no user frame */
	size_t end;       /* one past the outermost of these; frames there started the program */
	bool has_users;
	bool is_cut; /* outer callers were not recorded, or are not read */
};

/* Frames being written, and the run of library frames that is being folded. */
struct listing {
	const struct report *report;
	struct page *page; /* gets the places; NULL: write only the text */
	struct text *out;
	size_t n;       /* entries written */
	size_t n_plain; /* library frames that may still be written individually */
	size_t n_run;
	struct python_frame first_of_run;
	bool is_run_mixed; /* of several packages */
};

static void add_text(struct python_text text, struct text *out)
{
	text_add_foreign(out, text.bytes, text.length);
}

static bool is_same(struct python_text a, struct python_text b)
{
	return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

/* True for loaders written in Python, whose source is not available. */
static bool is_frozen(const struct python_frame *frame)
{
	static const char prefix[] = "<frozen ";
	return frame->file.length >= strlen(prefix) &&
	       memcmp(frame->file.bytes, prefix, strlen(prefix)) == 0;
}

static void read_stack(const struct bundle_view *view, uint32_t stack, struct python_stack *out)
{
	out->n = view_python_frames(view, stack, out->ids, MAX_FRAMES);
	out->is_cut = out->n == MAX_FRAMES;
	if (out->n > 0 && python_frame_is_cut(view, out->ids[out->n - 1])) {
		out->is_cut = true;
		out->n--;
	}
	out->innermost = 0;
	out->end = out->n;
	out->has_users = false;
	for (size_t i = 0; i < out->n; i++) {
		if (python_frame_origin(view, out->ids[i]) != PYTHON_USER)
			continue;
		if (!out->has_users)
			out->innermost = i;
		out->has_users = true;
		out->end = i + 1;
	}
}

/* Append "train.py:14", or "train.py" if the line is not known. */
static void add_place(const struct report *report, const struct python_frame *frame,
		      struct text *out)
{
	struct python_text file = python_frame_short_file(frame, report->directory);
	if (file.length > 0)
		add_text(file, out);
	else
		text_add(out, "?");
	if (frame->line > 0)
		text_addf(out, ":%" PRIu32, frame->line);
}

static struct page_string page_text(struct python_text text)
{
	return (struct page_string){text.bytes, text.length};
}

/* Add the frame as the place that the text from `begin` on names. */
static void add_location_frame(struct page *page, uint32_t begin, const struct python_frame *frame)
{
	page_add_location(page, begin,
			  (struct page_location){
				  .language = PAGE_PYTHON,
				  .file = page_text(frame->file),
				  .function = page_text(frame->function),
				  .line = frame->line,
				  .first_line = frame->first_line,
			  });
}

/* `page` may be NULL. */
static void add_frame(const struct report *report, const struct python_frame *frame,
		      struct page *page, struct text *out)
{
	uint32_t begin = page ? page_offset(page) : 0;
	add_place(report, frame, out);
	if (frame->function.length > 0) {
		text_add(out, " ");
		add_text(frame->function, out);
	}
	if (page)
		add_location_frame(page, begin, frame);
}

static void begin_entry(struct listing *listing)
{
	if (listing->n++ > 0)
		text_add(listing->out, "  <- ");
}

static void add_entry(struct listing *listing, const struct python_frame *frame)
{
	begin_entry(listing);
	add_frame(listing->report, frame, listing->page, listing->out);
}

/* End a run. A single frame is written itself, because it takes as little room as "1 frame". */
static void end_run(struct listing *listing)
{
	const struct python_frame *first = &listing->first_of_run;
	if (listing->n_run == 1 && !is_frozen(first)) {
		add_entry(listing, first);
	} else if (listing->n_run > 0) {
		bool is_named = !listing->is_run_mixed && first->package.length > 0;
		begin_entry(listing);
		text_add_count(listing->out, listing->n_run, is_named ? "frame" : "library frame");
		text_add(listing->out, is_named ? " of " : "");
		if (is_named)
			add_text(first->package, listing->out);
	}
	listing->n_run = 0;
	listing->is_run_mixed = false;
}

static void add_to_run(struct listing *listing, const struct python_frame *frame)
{
	if (listing->n_run++ == 0)
		listing->first_of_run = *frame;
	else if (!is_same(frame->package, listing->first_of_run.package))
		listing->is_run_mixed = true;
}

static void list_frame(struct listing *listing, uint32_t id)
{
	struct python_frame frame;
	python_frame_read(listing->report->view, id, &frame);
	bool is_plain = listing->n_plain > 0 && listing->n_run == 0 && !is_frozen(&frame);
	if (frame.origin == PYTHON_LIBRARY && !is_plain) {
		add_to_run(listing, &frame);
		return;
	}
	end_run(listing);
	add_entry(listing, &frame);
	if (frame.origin == PYTHON_LIBRARY)
		listing->n_plain--;
}

bool report_has_python(const struct report *report, uint32_t stack)
{
	uint32_t id = 0;
	return view_python_frames(report->view, stack, &id, 1) > 0 &&
	       !python_frame_is_cut(report->view, id);
}

static void add_frames(const struct report *report, const struct python_stack *frames, size_t max,
		       struct page *page, struct text *out)
{
	struct listing listing = {.report = report, .page = page, .out = out};
	listing.n_plain = frames->has_users ? 0 : max;
	size_t i = 0;
	for (i = frames->innermost; i < frames->end && listing.n < max; i++)
		list_frame(&listing, frames->ids[i]);
	end_run(&listing);
	if (i < frames->end) {
		text_add(out, "  <- ");
		text_add_count(out, frames->end - i, "more frame");
	}
	if (frames->is_cut)
		text_add(out, "  (outer frames left out: too deep)");
}

bool report_python_stack(const struct report *report, uint32_t stack, size_t max, struct page *page,
			 struct text *out)
{
	struct python_stack frames;
	read_stack(report->view, stack, &frames);
	if (frames.n == 0)
		return false;
	if (max > 1) {
		add_frames(report, &frames, max, page, out);
		return true;
	}
	struct python_frame frame;
	python_frame_read(report->view, frames.ids[frames.innermost], &frame);
	add_frame(report, &frame, page, out);
	return true;
}

bool report_add_python_through(struct page *page, uint32_t stack)
{
	struct listing listing = {
		.report = &page->report, .page = page, .out = &page->text, .n_plain = MAX_THROUGH};
	struct python_stack frames;
	read_stack(page->report.view, stack, &frames);
	for (size_t i = 0; i < frames.innermost; i++)
		list_frame(&listing, frames.ids[i]);
	end_run(&listing);
	return listing.n > 0;
}

bool report_python_generated(const struct report *report, uint32_t stack, struct python_frame *out)
{
	struct python_stack frames;
	read_stack(report->view, stack, &frames);
	for (size_t i = 0; i < frames.n; i++) {
		if (python_frame_origin(report->view, frames.ids[i]) != PYTHON_GENERATED)
			continue;
		python_frame_read(report->view, frames.ids[i], out);
		return true;
	}
	return false;
}

bool report_python_location(const struct report *report, uint32_t stack, struct python_frame *out)
{
	struct python_stack frames;
	read_stack(report->view, stack, &frames);
	if (frames.n == 0)
		return false;
	python_frame_read(report->view, frames.ids[frames.innermost], out);
	return out->line != 0;
}

bool report_add_python_location(struct page *page, const char *before, uint32_t stack)
{
	char words[MAX_PLACE];
	struct text text = text_in(words, sizeof(words));
	struct python_frame frame;
	if (!report_python_location(&page->report, stack, &frame))
		return false;
	add_place(&page->report, &frame, &text);
	if (text.cut)
		return false;
	text_add(&page->text, before);
	uint32_t begin = page_offset(page);
	text_add(&page->text, words);
	add_location_frame(page, begin, &frame);
	return true;
}
