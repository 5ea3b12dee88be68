/*
 * generated_notes.c - finds comments in a generated file. A launch has one above it,
 *
 *	# Topologically Sorted Source Nodes: [linear, relu], Original ATen: [aten.addmm]
 *	triton_poi_fused_relu_0.run(buf0, ...)
 *
 * and so has the definition of the kernel, "triton_poi_fused_relu_0 = ...", further up; lines like
 * "# File: net.py:12 in forward, code: x = relu(x)" come with debugging options. PyTorch 2.2
 *to 2.9.
 */
#include "symbols/source_lines.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/input.h"

/* Generated modules have up to a few MiB. A launch's comment is some lines above it at most. */
enum { MAX_FILE = 32 << 20, MAX_LINES_ABOVE = 64 };

/* A line, without its end. */
struct line {
	const char *start;
	size_t length;
};

/* The bytes of a file, with a final NUL. The file may contain more NULs. */
struct source {
	const char *start;
	const char *end;
};

static struct line line_at(const struct source *source, const char *start)
{
	const char *newline = memchr(start, '\n', (size_t)(source->end - start));
	return (struct line){start, (size_t)((newline ? newline : source->end) - start)};
}

/* Returns false if it was the first line. */
static bool line_before(const struct source *source, struct line *line)
{
	const char *start = line->start;
	if (start == source->start)
		return false;
	for (start--; start > source->start && start[-1] != '\n';)
		start--;
	*line = line_at(source, start);
	return true;
}

/* Returns false if it was the last line. */
static bool line_after(const struct source *source, struct line *line)
{
	const char *end = line->start + line->length;
	if (end == source->end)
		return false;
	*line = line_at(source, end + 1);
	return true;
}

static bool find_line(const struct source *source, uint32_t number, struct line *out)
{
	*out = line_at(source, source->start);
	while (number > 1 && line_after(source, out))
		number--;
	return number == 1;
}

static struct line strip(struct line line, const char *bytes)
{
	while (line.length > 0 && strchr(bytes, *line.start) && *line.start) {
		line.start++;
		line.length--;
	}
	return line;
}

static bool has_prefix(struct line line, const char *prefix)
{
	return line.length >= strlen(prefix) && !memcmp(line.start, prefix, strlen(prefix));
}

static bool contains(struct line line, const char *word)
{
	return memmem(line.start, line.length, word, strlen(word)) != NULL;
}

static bool is_comment(struct line line)
{
	return has_prefix(strip(line, " \t"), "#");
}

/* Return the comment's words if they name the source, else an empty line. */
static struct line note_of(struct line line)
{
	static const char *const prefixes[] = {"Topologically Sorted Source Nodes: [",
					       "Unsorted Source Nodes: [", "Source Nodes: [",
					       "File: "};
	struct line text = strip(line, " \t#");
	for (size_t i = 0; is_comment(line) && i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (has_prefix(text, prefixes[i]) && !contains(text, "Source Nodes: [], Orig"))
			return text;
	}
	return (struct line){line.start, 0};
}

static void add_note(struct generated_notes *notes, struct line note)
{
	bool is_cut = note.length >= GENERATED_NOTE_SIZE;
	int length = (int)(is_cut ? GENERATED_NOTE_SIZE - sizeof("...") : note.length);
	if (notes->n < GENERATED_MAX_NOTES)
		snprintf(notes->texts[notes->n++], GENERATED_NOTE_SIZE, "%.*s%s", length,
			 note.start, is_cut ? "..." : "");
}

/* Add the notes from the comments that end at `line`. */
static void add_block(struct generated_notes *notes, const struct source *source, struct line line)
{
	struct line first = line;
	struct line above = line;
	while (line_before(source, &above) && is_comment(above))
		first = above;
	while (first.start <= line.start) {
		if (note_of(first).length > 0)
			add_note(notes, note_of(first));
		if (!line_after(source, &first))
			return;
	}
}

static bool is_launch(struct line line)
{
	return contains(line, ".run(") || contains(line, "extern_kernels.");
}

/* Add the comments above a launch, unless they belong to another launch or function. */
static void add_notes_above(struct generated_notes *notes, const struct source *source,
			    struct line line)
{
	for (int n = 0; n < MAX_LINES_ABOVE && line_before(source, &line); n++) {
		struct line text = strip(line, " \t");
		if (note_of(line).length > 0) {
			add_block(notes, source, line);
			return;
		}
		if ((is_launch(line) && !is_comment(line)) || has_prefix(text, "def ") ||
		    has_prefix(text, "class "))
			return;
	}
}

void generated_notes_read(struct generated_notes *notes, const char *path, uint32_t line_number)
{
	notes->n = 0;
	/* The directory of a relative path is not known. */
	char *bytes = NULL;
	size_t size = 0;
	if (*path != '/' || input_read_file(AT_FDCWD, path, MAX_FILE, &bytes, &size))
		return;
	struct source source = {bytes, bytes + size};
	struct line line;
	if (find_line(&source, line_number, &line))
		add_notes_above(notes, &source, line);
	free(bytes);
}
