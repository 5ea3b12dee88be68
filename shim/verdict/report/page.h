/*
 * page.h - a report before it is text, JSON or HTML: its lines in the order in which people read
 * them, each with an id, a label and words, and behind the words what they speak of. Who shows a
 * report walks the page and derives nothing again.
 */
#ifndef CULPRIT_VERDICT_PAGE_H
#define CULPRIT_VERDICT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "verdict/report/report_model.h"

/* What a line says, whatever its label is called. Further lines on the same may stand below it. */
enum page_id {
	PAGE_HEADLINE,
	PAGE_WORK, /* the first suspect: what was submitted, where */
	PAGE_LAUNCHED_FROM,
	PAGE_THROUGH,   /* what lies between the user's Python code and the driver */
	PAGE_GENERATED, /* a file that a compiler wrote; below it what its comments say */
	PAGE_NATIVE,
	PAGE_ON_THE_DEVICE,
	PAGE_NVTX,
	PAGE_NODES,     /* of a graph: how many are suspect, below it which */
	PAGE_NODE,      /* of a graph: the one; below it why */
	PAGE_ARGUMENTS, /* of the first suspect, or of its node */
	PAGE_UNUSUAL,   /* of the first suspect: what is unlike earlier launches */
	PAGE_PRODUCERS, /* of the only suspect: who had its memory before */
	PAGE_OR_ELSE,   /* the next suspects */
	PAGE_SEEN_BY,
	PAGE_EVIDENCE,
	PAGE_IN_FLIGHT,
	PAGE_AFTERWARDS,
	PAGE_REFUSED, /* what the driver did not take, and why */
	PAGE_STACKS,  /* where they are not to be trusted */
	PAGE_NO_ROOM, /* what the journal had none for */
	PAGE_NEXT,
	PAGE_PROCESS, /* whose the failure is: command, host, rank, times */
	PAGE_BUNDLE,
	N_PAGE_IDS
};

/* What the words of a line speak of, as `number` of the line tells. */
enum page_subject {
	PAGE_OF_REPORT,   /* of the whole; number is 0, as where nothing else is said */
	PAGE_OF_SUSPECT,  /* index in the verdict's suspects */
	PAGE_OF_STACK,    /* id of the stack that is shown */
	PAGE_OF_NODE,     /* index in the candidates of the verdict's graph */
	PAGE_OF_ARGUMENT, /* index in the page's arguments */
	PAGE_OF_EVIDENCE, /* index in the verdict's evidence */
	PAGE_OF_STREAM,   /* index in the verdict's streams */
	PAGE_OF_MORE,     /* how many further ones of the lines above are left out */
	N_PAGE_SUBJECTS
};

struct page_line {
	enum page_id id;
	bool is_first;    /* it bears the label; others stand below it */
	const char *text; /* without label and newline */
	enum page_subject subject;
	uint64_t number;
	uint32_t first_place; /* in the page's places */
	uint32_t n_places;    /* named in the text, in its order */
};

enum page_language { PAGE_PYTHON, PAGE_HOST, PAGE_DEVICE, N_PAGE_LANGUAGES };

/* Foreign bytes, not ended by a NUL; length 0: unknown. */
struct page_string {
	const char *bytes;
	size_t length;
};

/*
 * A place in code, and the piece of its line's text that names it. Strings are the bundle's, the
 * page's or, of the device, the core dump's.
 */
struct page_place {
	uint32_t begin; /* offset in the text */
	uint32_t length;
	enum page_language language;
	struct page_string file; /* as it was compiled or loaded, not shortened */
	struct page_string function;
	struct page_string module; /* PAGE_HOST: path */
	uint32_t line;             /* 0 unknown */
	uint32_t first_line;       /* PAGE_PYTHON: of the function, 0 unknown */
	uint64_t offset;           /* PAGE_HOST: in the module; PAGE_DEVICE: program counter */
};

/* Lists of a page are bounded where it is made: these are enough for all of them. */
enum {
	PAGE_MAX_LINES = 160,
	PAGE_MAX_PLACES = 256,
	PAGE_MAX_ARGUMENTS = 24,
	PAGE_TEXT_SIZE = 64 * 1024,
	PAGE_NAMES_SIZE = 16 * 1024,
};

/* Groups of one kernel and one line of the user's are one to people, whatever called the line. */
struct suspect_place {
	const struct suspect_group *group; /* the first of them */
	uint64_t n;
	uint64_t earliest;
	uint64_t latest;
};

struct suspect_places {
	uint32_t n;
	struct suspect_place rows[VERDICT_MAX_GROUPS];
};

/*
 * Owned and placed by the caller, who makes it by report_page(); too big for a stack. One thread at
 * a time. Words and strings that do not fit are cut, and places without room are left out.
 */
struct page {
	struct report report;
	uint32_t n_lines;
	uint32_t n_places;
	uint32_t n_arguments;
	struct page_line lines[PAGE_MAX_LINES];
	struct page_place places[PAGE_MAX_PLACES];
	struct launch_arguments launch; /* the bytes of the arguments */
	struct argument arguments[PAGE_MAX_ARGUMENTS];
	struct suspect_places suspects;
	struct text text; /* of the line that is being written */
	size_t names_used;
	char words[PAGE_TEXT_SIZE];  /* the lines' texts */
	char names[PAGE_NAMES_SIZE]; /* strings that do not last elsewhere */
};

/* "launched_from": the id for programs, which never changes. */
const char *page_id_word(enum page_id id);

/* "launched from"; NULL: such a line has none. */
const char *page_label(enum page_id id);

/* "python", "host", "device". */
const char *page_language_word(enum page_language language);

/* "suspect", "stack", ...: enum page_subject without its prefix. */
const char *page_subject_word(enum page_subject subject);

/* The rest is for those who fill a page. Empties it. */
void page_clear(const struct report *report, struct page *out);

/* A line; its words are then added to page->text. page_below: one without a label. */
void page_begin(struct page *page, enum page_id id);
void page_below(struct page *page, enum page_id id);
void page_end(struct page *page);

/* A line: "and 4 more". */
void page_add_more(struct page *page, enum page_id id, uint64_t n);

/* Takes back the line that was begun. */
void page_drop(struct page *page);

/* Of the line that was begun. */
void page_set_subject(struct page *page, enum page_subject subject, uint64_t number);

/* How long the text of the line is so far: where the next place begins. */
uint32_t page_offset(const struct page *page);

/* What was added since `begin` names this place, whose begin and length are set here. */
void page_add_place(struct page *page, uint32_t begin, struct page_place place);

/* A copy that lasts as long as the page; of NULL, and without room, an unknown string. */
struct page_string page_keep(struct page *page, const char *string);

/* A string that lasts long enough; NULL: unknown. */
struct page_string page_string_of(const char *string);

#endif
