/*
 * short_name.c - finds the parts of a demangled C++ name by its brackets. It is not a C++ parser: a
 * name that it does not understand becomes longer than needed.
 */
#include "base/short_name.h"

#include <string.h>

#include "base/short_name_text.h"
#include "base/text.h"

/* Most brackets open at once; a name with more is not split. */
enum { MAX_DEPTH = 64 };

enum kind {
	KIND_END,
	KIND_NAME, /* identifiers, "::", operators */
	KIND_SPACE,
	KIND_ANGLES, /* template arguments with their brackets */
	KIND_ROUND,  /* parameters */
	KIND_BRACES, /* a lambda */
};

/* Text outside all brackets, or a bracket with its contents. */
struct piece {
	enum kind kind;
	const char *start;
	const char *end;
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '$';
}

/*
 * Return the length of "operator" and its symbol if `at` starts with them: operator<<, operator(),
 * but not the type of a conversion. Else 0. `name` is the start of the whole name.
 */
static size_t operator_length(const char *name, const char *at)
{
	size_t word = strlen("operator");
	if (!text_has_prefix(at, "operator") || is_word(at[word]) || (at > name && is_word(at[-1])))
		return 0;
	if (text_has_prefix(at + word, "()") || text_has_prefix(at + word, "[]"))
		return word + 2;
	return word + strspn(at + word, "<>=!+-*/%&|^~,");
}

/* Return the length of "(anonymous namespace)" or the like, a name in round brackets. */
static size_t anonymous_length(const char *at)
{
	static const char *const names[] = {"(anonymous namespace)", "(anonymous class)",
					    "(anonymous)"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (text_has_prefix(at, names[i]))
			return strlen(names[i]);
	}
	return 0;
}

/* Open brackets, innermost last. */
struct brackets {
	char open[MAX_DEPTH];
	size_t depth;
};

/*
 * Take one character. An open angle that a round or curly bracket closes was a comparison. False if
 * a bracket closes that was not opened, or too many are open.
 */
static bool take_bracket(struct brackets *brackets, const char *at)
{
	switch (*at) {
	case '<':
	case '(':
	case '{':
		if (brackets->depth == MAX_DEPTH)
			return false;
		brackets->open[brackets->depth++] = *at;
		return true;
	case '>':
		if (brackets->open[brackets->depth - 1] == '<' && at[-1] != '-')
			brackets->depth--;
		return true;
	case ')':
	case '}':
		while (brackets->depth > 0 && brackets->open[brackets->depth - 1] == '<')
			brackets->depth--;
		return brackets->depth-- > 0;
	default:
		return true;
	}
}

/* Return one past the bracket that closes the one at `at`; NULL if none does. */
static const char *find_close(const char *name, const char *at)
{
	struct brackets brackets = {.depth = 0};
	do {
		size_t skip = operator_length(name, at);
		if (skip == 0 && !take_bracket(&brackets, at))
			return NULL;
		at += skip > 0 ? skip : 1;
	} while (*at && brackets.depth > 0);
	return brackets.depth == 0 ? at : NULL;
}

static struct piece name_piece(const char *name, const char *at)
{
	const char *start = at;
	while (*at) {
		size_t skip = operator_length(name, at);
		if (skip == 0)
			skip = anonymous_length(at);
		if (skip == 0 && strchr(" <({", *at))
			break;
		at += skip > 0 ? skip : 1;
	}
	return (struct piece){KIND_NAME, start, at};
}

/* Return the piece at `at`, or a KIND_END without end if brackets do not match. */
static struct piece next_piece(const char *name, const char *at)
{
	enum kind kind = *at == '<'   ? KIND_ANGLES
			 : *at == '(' ? KIND_ROUND
			 : *at == '{' ? KIND_BRACES
				      : KIND_NAME;
	if (*at == '\0')
		return (struct piece){KIND_END, at, at};
	if (*at == ' ')
		return (struct piece){KIND_SPACE, at, at + 1};
	if (kind == KIND_NAME || anonymous_length(at) > 0)
		return name_piece(name, at);
	const char *end = find_close(name, at);
	return (struct piece){end ? kind : KIND_END, at, end};
}

/* True at the end of the name, or at the qualifiers after the function's own parameters. */
static bool is_end_of_function(const char *at)
{
	return *at == '\0' || text_has_prefix(at, " const") || text_has_prefix(at, " volatile") ||
	       text_has_prefix(at, " &") || text_has_prefix(at, " [");
}

/* A name being written to `out`. At the end of the return type, `out` starts over. */
struct shortening {
	const char *name;
	enum short_name_style style;
	struct text before;
	struct text *out;
	struct piece arguments; /* of the last template; KIND_END: none */
	bool is_conversion;     /* "operator bool": its spaces belong to the name */
};

static void start_over(struct shortening *shortening)
{
	*shortening->out = shortening->before;
	*shortening->out->at = '\0';
	shortening->arguments.kind = KIND_END;
}

/* Append "{lambda(int)#1}" without its parameters. */
static void add_braces(const struct piece *piece, struct text *out)
{
	size_t length = (size_t)(piece->end - piece->start);
	const char *open = memchr(piece->start, '(', length);
	size_t number = length - 1; /* where it starts */
	while (number > 0 && piece->start[number] != '#')
		number--;
	if (!open || piece->start + number < open) {
		text_add_foreign(out, piece->start, length);
		return;
	}
	text_add_foreign(out, piece->start, (size_t)(open - piece->start));
	text_add_foreign(out, piece->start + number, length - number);
}

static void add_name(struct shortening *shortening, const struct piece *piece)
{
	size_t length = (size_t)(piece->end - piece->start);
	size_t word = strlen("operator");
	shortening->arguments.kind = KIND_END;
	shortening->is_conversion =
		length >= word && memcmp(piece->end - word, "operator", word) == 0;
	text_add_foreign(shortening->out, piece->start, length);
}

/* Append one piece. False if the name ends with it. */
static bool add_piece(struct shortening *shortening, const struct piece *piece)
{
	switch (piece->kind) {
	case KIND_SPACE:
		if (*piece->end == '[') /* "[clone .cold]" */
			return false;
		if (*piece->end == '<') /* "operator< <int>" */
			return true;
		if (shortening->is_conversion)
			text_add(shortening->out, " ");
		else
			start_over(shortening);
		return true;
	case KIND_ROUND:
		if (text_has_prefix(piece->end, "::"))
			text_add(shortening->out, "()");
		return !is_end_of_function(piece->end);
	case KIND_ANGLES:
		shortening->arguments = *piece;
		return true;
	case KIND_BRACES:
		add_braces(piece, shortening->out);
		return true;
	case KIND_NAME:
		if (!shortening->is_conversion)
			add_name(shortening, piece);
		else
			text_add_foreign(shortening->out, piece->start,
					 (size_t)(piece->end - piece->start));
		return true;
	case KIND_END:
		break;
	}
	return false;
}

/* Return the length of a template argument's name, without its own arguments; 0 for a function. */
static size_t simple_length(const char *start, const char *end)
{
	size_t length = strcspn(start, "<({");
	if (start + length >= end)
		return (size_t)(end - start);
	return start[length] == '<' ? length : 0;
}

/* Return the end of the argument at `at`: its comma, or the bracket around all. */
static const char *end_of_argument(const char *name, const char *at, const char *end)
{
	while (at < end && *at != ',') {
		const char *close = strchr("<({", *at) ? find_close(name, at) : NULL;
		at = close ? close : at + 1;
	}
	return at < end ? at : end;
}

/* Append "<4, …>": the arguments up to the first that is itself a template or a function. */
static void add_arguments(const struct shortening *shortening, struct text *out)
{
	struct template_text arguments = template_text_begin(out);
	const char *end = shortening->arguments.end - 1;
	const char *at = shortening->arguments.start + 1;
	while (end > at && end[-1] == ' ')
		end--;
	while (at < end) {
		const char *comma = end_of_argument(shortening->name, at, end);
		size_t length = simple_length(at, comma);
		bool is_whole = at + length == comma;
		if (!template_text_add(&arguments, at, length, is_whole))
			break;
		at = comma < end ? comma + 1 : end;
		while (at < end && *at == ' ')
			at++;
	}
	template_text_end(&arguments);
}

static bool shorten(struct shortening *shortening)
{
	struct piece piece = next_piece(shortening->name, shortening->name);
	while (add_piece(shortening, &piece))
		piece = next_piece(shortening->name, piece.end);
	if (!piece.end || shortening->out->at == shortening->before.at)
		return false;
	if (shortening->style == SHORT_NAME_TEMPLATE && shortening->arguments.kind == KIND_ANGLES)
		add_arguments(shortening, shortening->out);
	return true;
}

static void add_demangled(const char *name, enum short_name_style style, struct text *out)
{
	char buffer[4 * SHORT_NAME_MAX];
	struct text text = text_in(buffer, sizeof(buffer));
	struct shortening shortening = {.name = name, .style = style, .before = text, .out = &text};
	if (shorten(&shortening))
		short_name_add_cut(buffer, (size_t)(text.at - buffer), out);
	else
		short_name_add_cut(name, strlen(name), out);
}

static void add_short(const char *name, enum short_name_style style, struct text *out)
{
	if (!mangled_name_add(name, style, out))
		add_demangled(name, style, out);
}

void short_name_add(const char *name, struct text *out)
{
	add_short(name, SHORT_NAME_PLAIN, out);
}

void short_name_add_kernel(const char *name, struct text *out)
{
	add_short(name, SHORT_NAME_TEMPLATE, out);
}
