/*
 * mangled_types.c - a parser of mangled names that keeps only types of numbers. It must follow the
 * substitutions of the whole name, since parameters refer to what came before.
 */
#include "checks/mangled_types.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "checks/number_names.h"

enum { MAX_SUBSTITUTIONS = 256, MAX_ARGUMENTS = 32, MAX_DEPTH = 48 };

struct type {
	uint8_t element; /* enum check_type; of a pointer: of what it points to */
	bool is_pointer, is_const, is_to_const; /* is_to_const: it points to const */
};

struct arguments {
	struct type types[MAX_ARGUMENTS];
	uint32_t n;
};

struct parser {
	const char *at;
	bool is_lost; /* something is not known here: the rest means nothing */
	unsigned depth;
	uint32_t mentioned; /* bits of enum check_type */
	uint32_t n_substitutions;
	struct type substitutions[MAX_SUBSTITUTIONS];
	struct arguments arguments; /* of the function's template */
};

static const struct type NOTHING = {.element = CHECK_GUESS};

static struct type parse_type(struct parser *parser);
static bool parse_encoding(struct parser *parser, struct mangled_types *out);

static bool take(struct parser *parser, char wanted)
{
	if (*parser->at != wanted || parser->is_lost)
		return false;
	parser->at++;
	return true;
}

static struct type lose(struct parser *parser)
{
	parser->is_lost = true;
	return NOTHING;
}

static struct type substitutable(struct parser *parser, struct type type)
{
	if (parser->n_substitutions == MAX_SUBSTITUTIONS)
		return lose(parser);
	parser->substitutions[parser->n_substitutions++] = type;
	return type;
}

static uint32_t parse_number(struct parser *parser)
{
	uint32_t number = 0;
	for (; text_is_digit(*parser->at) && number < 10000; parser->at++)
		number = number * 10 + (uint32_t)(*parser->at - '0');
	return number;
}

/* "_" is 0, "0_" is 1, ... in base 36, after S or T. */
static uint32_t parse_index(struct parser *parser)
{
	uint32_t index = 0;
	if (take(parser, '_'))
		return 0;
	for (; *parser->at != '_' && index < 10000; parser->at++) {
		char digit = *parser->at;
		parser->is_lost |= !text_is_digit(digit) && (digit < 'A' || digit > 'Z');
		if (parser->is_lost)
			return 0;
		index = index * 36 +
			(uint32_t)(text_is_digit(digit) ? digit - '0' : digit - 'A' + 10);
	}
	if (!take(parser, '_'))
		parser->is_lost = true;
	return index + 1;
}

static struct type mention(struct parser *parser, enum check_type type)
{
	if (type == CHECK_F32 || type == CHECK_F64 || type == CHECK_F16 || type == CHECK_BF16 ||
	    type >= CHECK_E4M3)
		parser->mentioned |= 1u << type;
	return (struct type){.element = (uint8_t)type};
}

static struct type parse_source_name(struct parser *parser)
{
	uint32_t length = parse_number(parser);
	const char *name = parser->at;
	if (!length || strnlen(name, length) < length)
		return lose(parser);
	parser->at += length;
	return mention(parser, number_names_class(name, length));
}

/* Names nest, up to MAX_DEPTH. NOLINTBEGIN(misc-no-recursion) */

/* A literal among template arguments: after L, until E. */
static void parse_literal(struct parser *parser)
{
	if (parser->at[0] == '_' && parser->at[1] == 'Z') {
		parser->at += 2;
		if (!parse_encoding(parser, NULL))
			parser->is_lost = true;
	} else {
		uint32_t mentioned = parser->mentioned;
		(void)parse_type(parser);
		parser->mentioned = mentioned;
		while (text_is_digit(*parser->at) || (*parser->at >= 'a' && *parser->at <= 'n'))
			parser->at++;
	}
	if (!take(parser, 'E'))
		parser->is_lost = true;
}

/* After I or J, until E. */
static void parse_arguments(struct parser *parser, struct arguments *out)
{
	if (++parser->depth > MAX_DEPTH)
		parser->is_lost = true;
	while (!parser->is_lost && !take(parser, 'E')) {
		struct type type = NOTHING;
		struct arguments pack = {.n = 0}; /* is one argument */
		if (take(parser, 'L'))
			parse_literal(parser);
		else if (take(parser, 'J'))
			parse_arguments(parser, &pack);
		else
			type = parse_type(parser);
		if (out->n < MAX_ARGUMENTS)
			out->types[out->n++] = type;
	}
	parser->depth--;
}

/* A class with template arguments is a number if its first argument is one: complex<float>. */
static struct type parse_class_arguments(struct parser *parser, struct arguments *out)
{
	out->n = 0;
	parse_arguments(parser, out);
	return out->n ? (struct type){.element = out->types[0].element} : NOTHING;
}

/* After S: a substitution, or a class of std. */
static struct type parse_substitution(struct parser *parser)
{
	if (take(parser, 't'))
		return text_is_digit(*parser->at) ? substitutable(parser, parse_source_name(parser))
						  : NOTHING;
	if (*parser->at >= 'a' && *parser->at <= 'z') {
		parser->at++;
		return NOTHING;
	}
	uint32_t index = parse_index(parser);
	return index < parser->n_substitutions ? parser->substitutions[index] : lose(parser);
}

static struct type parse_template_parameter(struct parser *parser)
{
	uint32_t index = parse_index(parser);
	return index < parser->arguments.n ? parser->arguments.types[index] : NOTHING;
}

/* After U: a lambda, "lfE0_", or a class without a name, "t0_". */
static struct type parse_unnamed(struct parser *parser)
{
	if (take(parser, 'l')) {
		while (!parser->is_lost && !take(parser, 'E'))
			(void)parse_type(parser);
	} else if (!take(parser, 't')) {
		return lose(parser);
	}
	(void)parse_number(parser);
	return take(parser, '_') ? NOTHING : lose(parser);
}

/* One part of a nested name. */
static struct type parse_part(struct parser *parser, struct arguments *arguments)
{
	(void)take(parser, 'L');
	if (text_is_digit(*parser->at))
		return parse_source_name(parser);
	if (take(parser, 'S'))
		return parse_substitution(parser);
	if (take(parser, 'T'))
		return parse_template_parameter(parser);
	if (take(parser, 'U'))
		return parse_unnamed(parser);
	if (take(parser, 'I'))
		return parse_class_arguments(parser, arguments);
	bool is_operator = parser->at[0] >= 'a' && parser->at[0] <= 'z' && parser->at[1] >= 'a' &&
			   parser->at[1] <= 'z';
	bool is_special =
		(*parser->at == 'C' || *parser->at == 'D') && text_is_digit(parser->at[1]);
	if (!is_operator && !is_special)
		return lose(parser);
	parser->at += 2;
	return NOTHING;
}

/*
 * After N, until E. A function's whole name is no substitution, that of a class is.
 * *out_is_template is true if it ends with arguments, which are in *arguments.
 */
static struct type parse_nested(struct parser *parser, bool is_function,
				struct arguments *arguments, bool *out_is_template)
{
	struct type type = NOTHING;
	bool is_new = false; /* the name so far is not a substitution yet */
	while (*parser->at == 'K' || *parser->at == 'V' || *parser->at == 'r')
		parser->at++;
	while (!parser->is_lost && !take(parser, 'E')) {
		if (is_new)
			(void)substitutable(parser, type);
		char first = *parser->at;
		type = parse_part(parser, arguments);
		*out_is_template = first == 'I';
		is_new = first != 'S';
	}
	return is_new && !is_function ? substitutable(parser, type) : type;
}

/* After Z: a name inside a function, as lambdas have. */
static struct type parse_local(struct parser *parser)
{
	struct arguments arguments = {.n = 0};
	bool is_template = false;
	if (!parse_encoding(parser, NULL) || !take(parser, 'E'))
		return lose(parser);
	struct type type = NOTHING;
	if (take(parser, 'N'))
		type = parse_nested(parser, true, &arguments, &is_template);
	else if (!take(parser, 's'))
		type = parse_part(parser, &arguments);
	if (take(parser, '_')) {
		(void)take(parser, '_');
		(void)parse_number(parser);
		(void)take(parser, '_');
	}
	return type;
}

/* After D. */
static struct type parse_special(struct parser *parser)
{
	char letter = *parser->at;
	parser->at += letter ? 1 : 0;
	if (letter == 'h')
		return mention(parser, CHECK_F16);
	if (letter == 'F' && parse_number(parser) == 16)
		return mention(parser, take(parser, 'b')   ? CHECK_BF16
				       : take(parser, '_') ? CHECK_F16
							   : CHECK_GUESS);
	if (letter == 'p')
		return parse_type(parser);
	return letter == 'n' || letter == 'i' || letter == 's' || letter == 'u' ? NOTHING
										: lose(parser);
}

static struct type pointer_to(struct parser *parser)
{
	struct type type = parse_type(parser);
	uint8_t element = type.is_pointer ? (uint8_t)CHECK_GUESS : type.element;
	return substitutable(parser, (struct type){element, true, false, type.is_const});
}

/* After the name of a class, whose template arguments may follow. */
static struct type with_arguments(struct parser *parser, struct type type)
{
	struct arguments arguments;
	return take(parser, 'I') ? substitutable(parser, parse_class_arguments(parser, &arguments))
				 : type;
}

static struct type parse_compound(struct parser *parser)
{
	struct arguments arguments = {.n = 0};
	struct type type = NOTHING;
	bool is_template = false;
	char letter = *parser->at;
	if (text_is_digit(letter))
		return with_arguments(parser, substitutable(parser, parse_source_name(parser)));
	parser->at += letter ? 1 : 0;
	switch (letter) {
	case 'P':
	case 'R':
	case 'O':
		return pointer_to(parser);
	case 'K':
	case 'V':
	case 'r':
		type = parse_type(parser);
		type.is_const |= letter == 'K';
		return substitutable(parser, type);
	case 'A':
		(void)parse_number(parser);
		return take(parser, '_') ? substitutable(parser, parse_type(parser)) : lose(parser);
	case 'T':
		return with_arguments(parser,
				      substitutable(parser, parse_template_parameter(parser)));
	case 'S':
		return with_arguments(parser, parse_substitution(parser));
	case 'N':
		return parse_nested(parser, false, &arguments, &is_template);
	case 'Z':
		return with_arguments(parser, substitutable(parser, parse_local(parser)));
	case 'F':
		while (!parser->is_lost && !take(parser, 'E'))
			(void)parse_type(parser);
		return substitutable(parser, NOTHING);
	case 'D':
		return parse_special(parser);
	default:
		return letter >= 'a' && letter <= 'z' && letter != 'u'
			       ? mention(parser, number_names_builtin(letter))
			       : lose(parser);
	}
}

static struct type parse_type(struct parser *parser)
{
	if (parser->is_lost || ++parser->depth > MAX_DEPTH)
		return lose(parser);
	struct type type = parse_compound(parser);
	parser->depth--;
	return type;
}

/* A function's name. True if it ends with template arguments, which are then the parser's. */
static bool parse_function_name(struct parser *parser)
{
	struct arguments arguments = {.n = 0};
	bool is_template = false;
	if (take(parser, 'N')) {
		(void)parse_nested(parser, true, &arguments, &is_template);
	} else if (take(parser, 'Z')) {
		(void)parse_local(parser);
	} else {
		bool is_of_std = parser->at[0] == 'S' && parser->at[1] == 't';
		parser->at += is_of_std ? 2 : 0;
		(void)parse_part(parser, &arguments);
		if (*parser->at == 'I') {
			(void)substitutable(parser, NOTHING);
			(void)parse_part(parser, &arguments);
			is_template = true;
		}
	}
	parser->arguments = arguments;
	return is_template;
}

/* A function with its parameters, up to the end or an E. */
static bool parse_encoding(struct parser *parser, struct mangled_types *out)
{
	const struct arguments outer = parser->arguments;
	if (++parser->depth > MAX_DEPTH)
		parser->is_lost = true;
	if (parse_function_name(parser))
		(void)parse_type(parser); /* a template's result is part of its name */
	while (!parser->is_lost && *parser->at && *parser->at != 'E' && *parser->at != '.') {
		struct type type = parse_type(parser);
		if (!out || out->n == MANGLED_MAX_PARAMETERS)
			continue;
		out->consts |= (uint32_t)type.is_to_const << out->n;
		out->types[out->n++] = type.is_pointer ? type.element : (uint8_t)CHECK_GUESS;
	}
	parser->arguments = outer;
	parser->depth--;
	return !parser->is_lost;
}

/* NOLINTEND(misc-no-recursion) */

bool mangled_types_read(const char *mangled, struct mangled_types *out)
{
	struct parser parser = {.at = mangled + 2};
	*out = (struct mangled_types){0};
	if (strncmp(mangled, "_Z", 2) != 0 || !parse_encoding(&parser, out)) {
		*out = (struct mangled_types){0};
		return false;
	}
	/* One bit alone is set. */
	if (parser.mentioned && !(parser.mentioned & (parser.mentioned - 1)))
		out->only_float = (uint8_t)__builtin_ctz(parser.mentioned);
	return true;
}
