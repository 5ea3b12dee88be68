/*
 * report_stack.c - native stacks for people. The report's symbol source finds the frames, which are
 * filtered and shortened here. Python's frames are in report_python.c.
 */
#include "report/report_stack.h"

#include <inttypes.h>
#include <string.h>

#include "base/short_name.h"
#include "report/report_python.h"
#include "report/report_runtime_frames.h"

enum { MAX_STACK_NODES = 1024, MAX_INLINED = 8, MAX_STUB_NODES = 16, MAX_TAIL_CALLS = 4 };

static const char hex_digits[] = "0123456789abcdef";

/* Return the suffix that names the Python version: "_C.cpython-312-x86_64-linux-gnu.so". */
static const char *extension_suffix(const char *module)
{
	const char *suffix = strstr(module, ".cpython-");
	return suffix ? suffix : strstr(module, ".abi3.so");
}

/* True for Python extension modules, whose frames without names are omitted. */
static bool is_extension(const char *module_path)
{
	return extension_suffix(text_file_name(module_path)) != NULL;
}

/* A stack being written. */
struct listing {
	const struct report *report;
	struct page *page; /* gets the places; NULL: write only the text */
	struct text *out;
	size_t n;
	size_t max;
	bool is_beside_python; /* omit frames that only show how Python calls C */
	bool has_libraries;    /* show frames of headers, too */
	size_t first_node;     /* nodes and frames before these are below the user's launch */
	size_t first_frame;    /* of first_node */
	struct stub_walk walk;
};

struct frame_location {
	const char *module_path; /* "" if none */
	uint64_t offset;
};

static bool is_shown(struct listing *listing, const struct source_frame *frame,
		     const struct frame_location *location)
{
	bool is_named = frame && (frame->function || frame->file);
	bool is_generated = report_is_generated(&listing->walk, listing->report->symbols, frame);
	if (is_generated || report_is_runtime_frame(location->module_path, frame) ||
	    (!listing->has_libraries && report_is_library_header(frame)))
		return false;
	if (!listing->is_beside_python)
		return true;
	return !report_is_interpreter(location->module_path) &&
	       (is_named || (*location->module_path && !is_extension(location->module_path)));
}

static void add_module(const char *path, struct text *out)
{
	const char *module = text_file_name(path);
	const char *suffix = extension_suffix(module);
	text_add_foreign(out, module, suffix ? (size_t)(suffix - module) : strlen(module));
}

static void add_source_line(const struct source_frame *frame, struct text *out)
{
	const char *file = text_file_name(frame->file);
	text_add_foreign(out, file, strlen(file));
	text_addf(out, ":%" PRIu32 "%s", frame->line, frame->function ? " " : "");
}

/* Append "launcher.c:88 launch", "launch (libx.so)", "libx.so+0x12ab" or "0x12ab". */
static void add_frame(const struct source_frame *frame, const struct frame_location *location,
		      struct text *out)
{
	bool has_module = *location->module_path != '\0';
	if (frame && frame->file)
		add_source_line(frame, out);
	if (frame && frame->function) {
		short_name_add(frame->function, out);
		if (!frame->file && has_module) {
			text_add(out, " (");
			add_module(location->module_path, out);
			text_add(out, ")");
		}
	} else if (!frame || !frame->file) {
		add_module(location->module_path, out);
		text_addf(out, "%s0x%" PRIx64, has_module ? "+" : "", location->offset);
	}
}

/* Add the frame as the place that the text from `begin` on names. */
static void add_location_frame(struct page *page, uint32_t begin, const struct source_frame *frame,
			       const struct frame_location *location)
{
	page_add_location(page, begin,
			  (struct page_location){
				  .language = PAGE_HOST,
				  .file = page_keep(page, frame ? frame->file : NULL),
				  .function = page_keep(page, frame ? frame->function : NULL),
				  .module = page_string_of(location->module_path),
				  .line = frame ? frame->line : 0,
				  .offset = location->offset,
			  });
}

static void add_entry(struct listing *listing, const struct source_frame *frame,
		      const struct frame_location *location)
{
	text_add(listing->out, listing->n++ > 0 ? "  <- " : "");
	uint32_t begin = listing->page ? page_offset(listing->page) : 0;
	add_frame(frame, location, listing->out);
	if (listing->page)
		add_location_frame(listing->page, begin, frame, location);
}

/* Find the frames of one node. Return their number; 0: not known. */
static size_t find_frames(const struct report *report, uint32_t id,
			  struct frame_location *out_place, struct source_frame out[MAX_INLINED])
{
	const struct symbol_source *symbols = report->symbols;
	const struct stack_row *row = view_stack(report->view, id);
	const struct module_row *module = view_module(report->view, row->module);
	*out_place = (struct frame_location){
		view_string(report->view, module ? module->path : 0, NULL), row->offset};
	if (!symbols || !symbols->frames)
		return 0;
	return symbols->frames(symbols->state, row->module, module, out_place->module_path,
			       row->offset, out, MAX_INLINED);
}

/* Append the frames of one node, from the `first` on. */
static void add_node(struct listing *listing, uint32_t id, size_t first)
{
	struct frame_location location;
	struct source_frame frames[MAX_INLINED];
	size_t n_frames = find_frames(listing->report, id, &location, frames);
	for (size_t i = first; i == 0 || i < n_frames; i++) {
		const struct source_frame *frame = n_frames > 0 ? &frames[i] : NULL;
		if (listing->n < listing->max && is_shown(listing, frame, &location))
			add_entry(listing, frame, &location);
	}
}

/* Return the id of the module with this file name, 0 if not found. */
static uint32_t find_module(const struct bundle_view *view, const char *name, size_t length)
{
	uint64_t n = view->tables[JOURNAL_MODULES].n_rows;
	for (uint32_t at = 1; at <= n && at < UINT32_MAX; at++) {
		uint32_t id = view_id_at(view, JOURNAL_MODULES, at);
		const struct module_row *row = view_module(view, id);
		const char *base = text_file_name(view_string(view, row ? row->path : 0, NULL));
		if (row && strlen(base) == length && !memcmp(base, name, length))
			return id;
	}
	return 0;
}

/* Append the source line of "train+0x12ca". False if the word is no such place, or has no line. */
static bool add_resolved(const struct report *report, const char *word, size_t length,
			 struct text *out)
{
	static const char sign[] = "+0x";
	const struct symbol_source *symbols = report->symbols;
	const char *plus = memmem(word, length, sign, strlen(sign));
	if (!plus)
		return false;
	uint32_t id = find_module(report->view, word, (size_t)(plus - word));
	const struct module_row *module = view_module(report->view, id);
	struct source_frame frames[MAX_INLINED];
	struct frame_location location = {.offset = 0};
	if (!module || !symbols || !symbols->frames)
		return false;
	for (const char *digit = plus + strlen(sign); digit < word + length; digit++) {
		const char *found = memchr(hex_digits, *digit, sizeof(hex_digits) - 1);
		if (!found)
			return false;
		location.offset = location.offset << 4 | (uint64_t)(found - hex_digits);
	}
	location.module_path = view_string(report->view, module->path, NULL);
	size_t n = symbols->frames(symbols->state, id, module, location.module_path,
				   location.offset, frames, MAX_INLINED);
	if (n == 0 || !frames[0].file)
		return false;
	add_frame(&frames[0], &location, out);
	return true;
}

void report_add_resolved(const struct report *report, const char *line, size_t length,
			 struct text *out)
{
	for (size_t at = 0; at < length;) {
		const char *space = memchr(line + at, ' ', length - at);
		size_t size = space ? (size_t)(space - line) - at : length - at;
		if (!add_resolved(report, line + at, size, out))
			text_add_foreign(out, line + at, size);
		if (space)
			text_add(out, " ");
		at += size + 1;
	}
}

bool report_stack_end(uint32_t end, struct text *out)
{
	static const struct {
		uint32_t bit;
		const char *words;
	} reasons[] = {
		{STACK_END_FULL, "inner frames may be missing: too many different stacks"},
		{STACK_END_GONE, "outer frames forgotten: too many stacks since"},
		{STACK_END_BORROWED, "by the fallback unwinder"},
		{STACK_END_LIMIT, "outer frames left out: too deep"},
		{STACK_END_NO_MODULE, "outer frames not known: called by generated code"},
		{STACK_END_NO_FRAME, "outer frames not known: a frame is huge, or damaged"},
		{STACK_END_NO_RULES,
		 "outer frames not known: called by code without unwind tables"},
	};
	const char *before = "";
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (!(end & reasons[i].bit))
			continue;
		text_addf(out, "%s%s", before, reasons[i].words);
		before = "; ";
	}
	return end != 0;
}

/* Append what the stack may lack, about its outer end only if that end was shown. */
static void add_end(const struct report *report, uint32_t stack, bool is_whole, struct text *out)
{
	uint32_t end = view_stack_end(report->view, stack);
	if (!is_whole)
		end &= STACK_END_BORROWED | STACK_END_FULL;
	if (!end)
		return;
	text_add(out, "  (");
	(void)report_stack_end(end, out);
	text_add(out, ")");
}

/* True if the names are of one function: a compiler's clones have a suffix. */
static bool is_same_function(const char *one, const char *other)
{
	size_t length = strcspn(one, "(.[ ");
	return length == strcspn(other, "(.[ ") && !memcmp(one, other, length);
}

/*
 * Append the functions that are missing between a node and the node that it called (NULL: the
 * driver), because they ended in a tail call. Only debug information names them.
 */
static void add_tail_callers(struct listing *listing, const uint32_t *called, uint32_t id)
{
	const struct symbol_source *symbols = listing->report->symbols;
	struct source_frame missing[MAX_TAIL_CALLS];
	struct source_frame frames[MAX_INLINED];
	struct frame_location location;
	if (!symbols || !symbols->tail_callers)
		return;
	size_t n_frames = called ? find_frames(listing->report, *called, &location, frames) : 0;
	const char *callee = n_frames ? frames[n_frames - 1].function : NULL;
	if (called && !callee)
		return;
	const struct stack_row *row = view_stack(listing->report->view, id);
	const struct module_row *module = view_module(listing->report->view, row->module);
	(void)find_frames(listing->report, id, &location, frames);
	size_t n = symbols->tail_callers(symbols->state, row->module, module, location.module_path,
					 row->offset, missing, MAX_TAIL_CALLS);
	for (size_t i = 0; i < n && callee; i++)
		if (missing[i].function && is_same_function(missing[i].function, callee))
			n = i;
	for (; n > 0 && listing->n < listing->max; n--)
		if (is_shown(listing, &missing[n - 1], &location)) {
			add_entry(listing, &missing[n - 1], &location);
			text_add(listing->out, " (tail call)");
		}
}

/* Append the frames of the nodes, as many as fit. Returns how many nodes were used. */
static size_t add_nodes(struct listing *listing, const uint32_t *ids, size_t n)
{
	size_t i = listing->first_node;
	listing->walk = (struct stub_walk){""};
	for (; i < n && listing->n < listing->max; i++) {
		if (!listing->first_frame || i > listing->first_node)
			add_tail_callers(listing, i ? ids + i - 1 : NULL, ids[i]);
		if (listing->n < listing->max)
			add_node(listing, ids[i],
				 i == listing->first_node ? listing->first_frame : 0);
	}
	return i;
}

/* Return the mangled name of the kernel that a suspect launched from this stack; NULL: none. */
static const char *kernel_of(const struct report *report, uint32_t stack)
{
	const struct verdict *verdict = report->verdict;
	for (uint64_t i = 0; verdict && i < verdict->n_suspects && i < VERDICT_MAX_SUSPECTS; i++) {
		const struct journal_record *record = &verdict->suspects[i].record;
		const struct function_row *function = view_function(
			report->view, record->work == WORK_KERNEL ? record->launch.function : 0);
		size_t length = 0;
		const char *name =
			function ? view_string(report->view, function->name, &length) : NULL;
		if (record->stack == stack && length > 0)
			return name;
	}
	return NULL;
}

/*
 * nvcc generates a host function for each kernel, with the kernel's own name. Its stub may be
 * inlined into it, and without debug information nothing else shows it. A function of the user's
 * may have that name as well, if it calls the driver. So the host function must have called
 * something else, and one without parameters, as in C, must have called the runtime. Not inlined:
 * a refused call is explained on its thread's stack, which may be small.
 */
__attribute__((noinline)) static void
skip_host_function(struct listing *listing, const char *kernel, const uint32_t *ids, size_t n)
{
	const struct symbol_source *symbols = listing->report->symbols;
	const char *readable =
		symbols && symbols->demangle ? symbols->demangle(symbols->state, kernel) : NULL;
	const char *name = readable ? readable : kernel;
	bool has_parameters = readable || strncmp(kernel, "_Z", 2) == 0;
	bool has_callee = false;
	for (size_t i = 0; i < n && i < MAX_STUB_NODES; i++) {
		struct frame_location location;
		struct source_frame frames[MAX_INLINED];
		size_t n_frames = find_frames(listing->report, ids[i], &location, frames);
		for (size_t k = 0; k < n_frames; k++) {
			const char *function = frames[k].function;
			if (function && has_callee && !strcmp(function, name)) {
				listing->first_node = i;
				listing->first_frame = k + 1;
			}
			has_callee |= report_is_runtime_launch(location.module_path, &frames[k]) ||
				      (has_parameters &&
				       !report_is_runtime_frame(location.module_path, NULL));
		}
		has_callee |= n_frames == 0 && has_parameters &&
			      !report_is_runtime_frame(location.module_path, NULL);
	}
}

static void add_native(struct listing *listing, uint32_t stack)
{
	uint32_t ids[MAX_STACK_NODES];
	size_t n_ids = view_stack_frames(listing->report->view, stack, ids, MAX_STACK_NODES);
	const char *kernel = kernel_of(listing->report, stack);
	if (kernel)
		skip_host_function(listing, kernel, ids, n_ids);
	size_t i = add_nodes(listing, ids, n_ids);
	/* A stack of nothing but libraries is better than none. */
	if (listing->n == 0 && !listing->is_beside_python) {
		listing->has_libraries = true;
		i = add_nodes(listing, ids, n_ids);
	}
	if (listing->n == 0 && !listing->is_beside_python)
		text_add(listing->out, "unknown");
	if (listing->n > 0 || !listing->is_beside_python)
		add_end(listing->report, stack, i == n_ids, listing->out);
}

void report_stack(const struct report *report, uint32_t stack, size_t max, struct text *out)
{
	struct listing listing = {.report = report, .out = out, .max = max};
	if (!report_python_stack(report, stack, max, NULL, out))
		add_native(&listing, stack);
}

void report_add_stack(struct page *page, uint32_t stack, size_t max)
{
	struct listing listing = {
		.report = &page->report, .page = page, .out = &page->text, .max = max};
	if (!report_python_stack(&page->report, stack, max, page, &page->text))
		add_native(&listing, stack);
}

bool report_add_native_beside(struct page *page, uint32_t stack, size_t max)
{
	struct listing listing = {.report = &page->report,
				  .page = page,
				  .out = &page->text,
				  .max = max,
				  .is_beside_python = true};
	add_native(&listing, stack);
	return listing.n > 0;
}
