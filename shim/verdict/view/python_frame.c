/*
 * python_frame.c - rows of Python frames joined, and what a file's name says about its code. File
 * names are foreign bytes with a length; nothing here looks at the file itself.
 */
#include "verdict/view/python_frame.h"

#include <string.h>

#include "verdict/view/python_lines.h"

/* The longest line table that is decoded: a hostile bundle could make each frame cost a second. */
enum { MAX_LINES_SIZE = 1 << 20 };

/* How many last components of a path still tell one file from another. */
enum { SHORT_COMPONENTS = 3 };

static const struct python_text nothing = {"", 0};

static bool has_prefix(struct python_text text, const char *prefix)
{
	size_t length = strlen(prefix);

	return text.length >= length && memcmp(text.bytes, prefix, length) == 0;
}

static struct python_text text_from(struct python_text text, size_t start)
{
	return (struct python_text){text.bytes + start, text.length - start};
}

/* The bytes up to the first of `ends`, all of them if there is none. */
static struct python_text text_until(struct python_text text, const char *ends)
{
	size_t length = 0;

	while (length < text.length && !strchr(ends, text.bytes[length]))
		length++;
	return (struct python_text){text.bytes, length};
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* How long the directory of the standard library is that `text` begins with: "/lib/python3.12/". */
static size_t standard_library_length(struct python_text text)
{
	size_t version = 0;
	size_t end;

	if (has_prefix(text, "/lib/python"))
		version = strlen("/lib/python");
	else if (has_prefix(text, "/lib64/python"))
		version = strlen("/lib64/python");
	end = version;
	while (end < text.length && (is_digit(text.bytes[end]) || text.bytes[end] == '.'))
		end++;
	if (version == 0 || end == version)
		return 0;
	/* "t" of free-threaded builds. */
	if (end < text.length && text.bytes[end] == 't')
		end++;
	return end < text.length && text.bytes[end] == '/' ? end + 1 : 0;
}

/* Where the path of a library's file goes on behind where libraries lie; 0: it is no library's. */
static size_t library_start(struct python_text file)
{
	static const char *const directories[] = {"/site-packages/", "/dist-packages/"};
	size_t start = 0;

	for (size_t i = 0; i < file.length; i++) {
		struct python_text rest = text_from(file, i);
		size_t length = file.bytes[i] == '/' ? standard_library_length(rest) : 0;

		for (size_t j = 0; j < sizeof(directories) / sizeof(directories[0]); j++) {
			if (has_prefix(rest, directories[j]))
				length = strlen(directories[j]);
		}
		if (length > 0)
			start = i + length;
	}
	return start;
}

static bool is_base32(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '2' && c <= '7');
}

/* Where the last component starts, and the one before it. */
static size_t last_component(struct python_text file)
{
	size_t start = file.length;

	while (start > 0 && file.bytes[start - 1] != '/')
		start--;
	return start;
}

/*
 * Files of torch.compile are called by their hash, wherever its cache lies: "ab/cab....py" with a
 * 'c', the hash in base 32, and its first two digits as the directory.
 */
static bool is_compiled_by_torch(struct python_text file)
{
	enum { MIN_HASH = 32 };
	size_t base = last_component(file);
	struct python_text name = text_from(file, base);
	size_t n = 1;

	if (has_prefix(file, "/tmp/torchinductor_"))
		return true;
	if (base < 3 || name.length < MIN_HASH || name.bytes[0] != 'c' ||
	    memcmp(file.bytes + base - 3, name.bytes + 1, 2) != 0)
		return false;
	while (n < name.length && is_base32(name.bytes[n]))
		n++;
	return n >= MIN_HASH && n < name.length && name.bytes[n] == '.';
}

/* The starter of an installed program: "/opt/venv/bin/torchrun". A user's own ends in ".py". */
static bool is_console_script(struct python_text file)
{
	static const char directory[] = "/bin/";
	size_t base = last_component(file);

	return base >= strlen(directory) && base < file.length &&
	       memcmp(file.bytes + base - strlen(directory), directory, strlen(directory)) == 0 &&
	       !memchr(file.bytes + base, '.', file.length - base);
}

/* A name that is no path: "<string>". What somebody typed is theirs. */
static enum python_origin origin_of_unnamed(struct python_text file)
{
	static const char *const typed[] = {"<stdin>",   "<input>",  "<console>",
					    "<ipython-", "<doctest", "<unknown>"};

	for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++) {
		if (has_prefix(file, typed[i]))
			return PYTHON_USER;
	}
	/* torch.fx names its modules so. */
	return has_prefix(file, "<eval_with_key>") ? PYTHON_GENERATED : PYTHON_LIBRARY;
}

static enum python_origin origin_of_file(struct python_text file)
{
	if (has_prefix(file, "<"))
		return origin_of_unnamed(file);
	if (is_compiled_by_torch(file))
		return PYTHON_GENERATED;
	return library_start(file) > 0 || is_console_script(file) ? PYTHON_LIBRARY : PYTHON_USER;
}

/* "torch" of ".../site-packages/torch/nn/x.py", "threading", "importlib" of "<frozen importlib.x>".
 */
static struct python_text package_of_file(struct python_text file)
{
	size_t start = library_start(file);
	struct python_text name;

	if (has_prefix(file, "<frozen "))
		return text_until(text_from(file, strlen("<frozen ")), ".>");
	if (is_console_script(file))
		return text_from(file, last_component(file));
	if (start == 0)
		return nothing;
	name = text_until(text_from(file, start), "/");
	return start + name.length == file.length ? text_until(name, ".") : name;
}

static struct python_text string_of(const struct bundle_view *view, uint32_t id)
{
	struct python_text text;

	text.bytes = view_string(view, id, &text.length);
	return text;
}

static const struct python_code_row *code_of(const struct bundle_view *view, uint32_t frame)
{
	const struct python_frame_row *row = view_python_frame(view, frame);

	return row ? view_python_code(view, row->code) : NULL;
}

bool python_frame_is_cut(const struct bundle_view *view, uint32_t id)
{
	const struct python_frame_row *row = view_python_frame(view, id);

	return row && row->code == 0;
}

/* Was it compiled from a string that has no other name? */
static bool is_from_string(struct python_text file)
{
	return has_prefix(file, "<string>");
}

static struct python_text file_of(const struct bundle_view *view, uint32_t frame)
{
	const struct python_code_row *code = code_of(view, frame);

	return code ? string_of(view, code->file) : nothing;
}

/* The caller of a frame; 0: none. Rows refer to older ones only, so that this comes to an end. */
static uint32_t caller_of(const struct bundle_view *view, uint32_t frame)
{
	const struct python_frame_row *row = view_python_frame(view, frame);

	return row && row->parent < frame ? row->parent : 0;
}

/*
 * Libraries compile strings (torch.compile its launchers, collections its named tuples), and so
 * does the user, with exec or on the command line of python -c. The latter is the outermost frame
 * too.
 */
static enum python_origin origin_of_string(const struct bundle_view *view, uint32_t frame)
{
	uint32_t maker = caller_of(view, frame);
	uint32_t outermost = frame;

	while (caller_of(view, outermost))
		outermost = caller_of(view, outermost);
	while (maker && is_from_string(file_of(view, maker)))
		maker = caller_of(view, maker);
	if (!maker || is_from_string(file_of(view, outermost)))
		return PYTHON_USER;
	return origin_of_file(file_of(view, maker)) == PYTHON_USER ? PYTHON_USER : PYTHON_LIBRARY;
}

enum python_origin python_frame_origin(const struct bundle_view *view, uint32_t id)
{
	struct python_text file = file_of(view, id);

	if (!code_of(view, id))
		return PYTHON_LIBRARY;
	return is_from_string(file) ? origin_of_string(view, id) : origin_of_file(file);
}

static uint32_t line_of(const struct bundle_view *view, const struct python_code_row *code,
			uint32_t position)
{
	size_t size;
	const uint8_t *table = view_python_lines(view, code, &size);

	/* An empty table says something: in old versions, that all is one line. */
	if ((!table && (code->lines_size > 0 || code->is_lines_cut)) || size > MAX_LINES_SIZE)
		return 0;
	return python_lines_find(table, size, code->version, code->first_line, position);
}

void python_frame_read(const struct bundle_view *view, uint32_t id, struct python_frame *out)
{
	const struct python_code_row *code = code_of(view, id);

	*out = (struct python_frame){
		.file = nothing, .function = nothing, .origin = PYTHON_LIBRARY, .package = nothing};
	if (!code)
		return;
	out->file = string_of(view, code->file);
	out->function = string_of(view, code->name);
	out->line = line_of(view, code, view_python_frame(view, id)->position);
	out->first_line = code->first_line;
	out->origin = python_frame_origin(view, id);
	if (out->origin == PYTHON_LIBRARY)
		out->package = package_of_file(out->file);
}

/* The last components; all of a path that has no more. */
static struct python_text last_components(struct python_text file)
{
	size_t n = 0;

	for (size_t i = file.length; i > 0; i--) {
		/* The '/' in front of all others is no place to cut at. */
		if (file.bytes[i - 1] == '/' && ++n == SHORT_COMPONENTS && i > 1)
			return text_from(file, i);
	}
	return file;
}

struct python_text python_frame_short_file(const struct python_frame *frame, const char *directory)
{
	struct python_text file = frame->file;
	size_t length = directory ? strlen(directory) : 0;

	if (frame->origin == PYTHON_LIBRARY && library_start(file) > 0)
		return text_from(file, library_start(file));
	if (frame->origin == PYTHON_GENERATED)
		return text_from(file, last_component(file));
	if (length > 1 && has_prefix(file, directory) && file.length > length + 1 &&
	    file.bytes[length] == '/')
		return text_from(file, length + 1);
	if (has_prefix(file, "./"))
		return text_from(file, 2);
	return last_components(file);
}
