/*
 * python_frame.c - joins the rows of Python frames, and judges code by its file's name. File names
 * are foreign bytes with a length; the file itself is never opened.
 */
#include "view/python_frame.h"

#include <string.h>

#include "base/text.h"
#include "view/python_lines.h"

/* Longest line table to decode. Without a limit, a hostile bundle's frame could cost a second. */
enum { MAX_LINES_SIZE = 1 << 20 };

/* Number of last components of a path that are enough to distinguish files. */
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

/* Return the bytes before the first of `ends`, or all bytes. */
static struct python_text text_until(struct python_text text, const char *ends)
{
	size_t length = 0;
	while (length < text.length && !strchr(ends, text.bytes[length]))
		length++;
	return (struct python_text){text.bytes, length};
}

/* Return the length of the standard library's directory at the start of `text`, or 0. */
static size_t standard_library_length(struct python_text text)
{
	size_t version = 0;
	if (has_prefix(text, "/lib/python"))
		version = strlen("/lib/python");
	else if (has_prefix(text, "/lib64/python"))
		version = strlen("/lib64/python");
	size_t end = version;
	while (end < text.length && (text_is_digit(text.bytes[end]) || text.bytes[end] == '.'))
		end++;
	if (version == 0 || end == version)
		return 0;
	/* Skip the "t" of free-threaded builds. */
	if (end < text.length && text.bytes[end] == 't')
		end++;
	return end < text.length && text.bytes[end] == '/' ? end + 1 : 0;
}

/* Return where a library's path starts after the directory of libraries; 0: not a library. */
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

/* Return where the last component starts. */
static size_t last_component(struct python_text file)
{
	size_t start = file.length;
	while (start > 0 && file.bytes[start - 1] != '/')
		start--;
	return start;
}

/*
 * True for files of torch.compile, which are named by their hash, wherever its cache is. The path
 * "ab/cab....py" has a 'c', the hash in base 32, and the hash's first two digits as directory.
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

/* True for the script of an installed program, "/opt/venv/bin/torchrun"; a user's ends in ".py". */
static bool is_console_script(struct python_text file)
{
	static const char directory[] = "/bin/";
	size_t base = last_component(file);
	return base >= strlen(directory) && base < file.length &&
	       memcmp(file.bytes + base - strlen(directory), directory, strlen(directory)) == 0 &&
	       !memchr(file.bytes + base, '.', file.length - base);
}

/* Return the origin of a name that is not a path: "<string>". Typed code is the user's. */
static enum python_origin origin_of_unnamed(struct python_text file)
{
	static const char *const typed[] = {"<stdin>",   "<input>",  "<console>",
					    "<ipython-", "<doctest", "<unknown>"};
	for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++) {
		if (has_prefix(file, typed[i]))
			return PYTHON_USER;
	}
	/* torch.fx gives its modules this name. */
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

/* Return "torch" for ".../site-packages/torch/nn/x.py", "importlib" for "<frozen importlib.x>". */
static struct python_text package_of_file(struct python_text file)
{
	size_t start = library_start(file);
	if (has_prefix(file, "<frozen "))
		return text_until(text_from(file, strlen("<frozen ")), ".>");
	if (is_console_script(file))
		return text_from(file, last_component(file));
	if (start == 0)
		return nothing;
	struct python_text name = text_until(text_from(file, start), "/");
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

/* True if the code was compiled from a string without another name. */
static bool is_from_string(struct python_text file)
{
	return has_prefix(file, "<string>");
}

static struct python_text file_of(const struct bundle_view *view, uint32_t frame)
{
	const struct python_code_row *code = code_of(view, frame);
	return code ? string_of(view, code->file) : nothing;
}

/* Return a frame's caller; 0: none. Rows only refer to older rows, so a walk ends. */
static uint32_t caller_of(const struct bundle_view *view, uint32_t frame)
{
	const struct python_frame_row *row = view_python_frame(view, frame);
	return row && row->parent < frame ? row->parent : 0;
}

/*
 * Libraries compile strings: torch.compile its launchers, collections its named tuples. The user
 * does so too, with exec or python -c. Code of python -c is also the outermost frame.
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
	size_t size = 0;
	const uint8_t *table = view_python_lines(view, code, &size);
	/* An empty table is valid: in old versions it means that all code is on one line. */
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

/* Return the last components, or the whole path if it has no more. */
static struct python_text last_components(struct python_text file)
{
	size_t n = 0;
	for (size_t i = file.length; i > 0; i--) {
		/* Never cut at the leading '/'. */
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
