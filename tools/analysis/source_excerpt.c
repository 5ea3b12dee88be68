/*
 * source_excerpt.c - find the source file of a code location and read the lines around it.
 */
#include "analysis/source_excerpt.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/time_units.h"
#include "bundle/bundle_meta.h"

enum { TAB = 8 };

static bool is_own(const char *path)
{
	struct stat status;
	return !stat(path, &status) && status.st_uid == geteuid();
}

static bool is_source(const char *path)
{
	static const char *const suffixes[] = {".py",  ".c",   ".cc", ".cpp", ".cxx",
					       ".cu",  ".cuh", ".h",  ".hh",  ".hpp",
					       ".pyx", ".rs",  ".jl", ".f90", ".inl"};
	const char *name = strrchr(path, '/');
	const char *suffix = name ? strrchr(name, '.') : NULL;
	for (size_t i = 0; suffix && i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (!strcmp(suffix, suffixes[i]))
			return true;
	return false;
}

/*
 * Return when the process first used the GPU, in ns since 1970, or 0 if unknown. Its code is at
 * least that old.
 */
static uint64_t start_time(const struct analysis *analysis)
{
	int64_t ns = json_integer_value(json_object_get(analysis->bundle->meta, "realtime_ns"));
	return ns > 0 ? (uint64_t)ns : 0;
}

static bool is_newer(const char *path, uint64_t start_ns)
{
	struct stat status;
	return !stat(path, &status) &&
	       (uint64_t)status.st_mtim.tv_sec * NS_PER_S + (uint64_t)status.st_mtim.tv_nsec >
		       start_ns;
}

/*
 * Write the absolute path of a file to `out`. Compilers record paths relative to the directory that
 * they ran in; the process's own directory is the best guess. Return false if the path does not
 * fit.
 */
static bool find_path(const struct analysis *analysis, struct page_string file, char *out,
		      size_t size)
{
	const char *directory = bundle_meta_text(analysis->bundle->meta, "directory");
	bool is_whole = file.length && *file.bytes == '/';
	int length = snprintf(out, size, "%s%s%.*s", is_whole ? "" : directory, is_whole ? "" : "/",
			      (int)file.length, file.bytes);
	return file.length && (size_t)length < size;
}

bool source_locations_are_same(const struct page_location *a, const struct page_location *b)
{
	return a->line == b->line && a->file.length == b->file.length &&
	       (!a->file.length || !memcmp(a->file.bytes, b->file.bytes, a->file.length));
}

static bool is_first(const struct page *page, uint32_t index)
{
	for (uint32_t i = 0; i < index; i++)
		if (page->locations[i].file.length &&
		    source_locations_are_same(&page->locations[i], &page->locations[index]))
			return false;
	return true;
}

/* Expand tabs to spaces: text_add_foreign() would show a tab as a control character. */
static void expand_tabs(const char *line, char *out, size_t size)
{
	size_t n = 0;
	for (; *line && n + TAB < size; line++) {
		size_t width = *line == '\t' ? TAB - n % TAB : 1;
		memset(out + n, *line == '\t' ? ' ' : *line, width);
		n += width;
	}
	out[n] = '\0';
}

static void copy_text(const struct analysis_filter *filter, const char *string, char *out,
		      size_t size)
{
	struct text text = text_in(out, size);
	char masked[EXCERPT_TEXT_SIZE];
	expand_tabs(string, masked, sizeof(masked));
	if (filter)
		filter->mask(filter->state, masked, strlen(masked));
	text_add_foreign(&text, masked, strlen(masked));
}

bool source_excerpt_read(const struct analysis *analysis, const struct page *page,
			 const struct analysis_filter *filter, uint32_t index,
			 struct source_excerpt *out)
{
	const struct page_location *location = &page->locations[index];
	uint64_t start_ns = start_time(analysis);
	char path[PATH_MAX];
	if (!start_ns || location->language == PAGE_DEVICE || !location->line ||
	    !location->file.length || !is_own(analysis->bundle->path) || !is_first(page, index) ||
	    !find_path(analysis, location->file, path, sizeof(path)) || !is_source(path))
		return false;
	struct source_frame lines[EXCERPT_MAX_LINES];
	out->n = symbols_source_lines(analysis->symbols, path, location->line, start_ns, lines,
				      EXCERPT_MAX_LINES);
	out->line = location->line;
	copy_text(filter, path, out->path, sizeof(out->path));
	for (size_t i = 0; i < out->n; i++) {
		out->lines[i].number = lines[i].line;
		copy_text(filter, lines[i].function ? lines[i].function : "", out->lines[i].text,
			  sizeof(out->lines[i].text));
	}
	out->has_changed = !out->n && is_newer(path, start_ns);
	return out->n > 0 || out->has_changed;
}
