/*
 * page.h - a report before it becomes text, JSON or HTML. It is a list of lines in reading order.
 * Each line has an id, a label, words, and the subject of the words. Code that shows a report only
 * walks the page and derives nothing itself.
 */
#ifndef CULPRIT_REPORT_PAGE_H
#define CULPRIT_REPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "report/report_model.h"

/* Topic of a line, independent of its label. More lines on the same topic may follow below it. */
enum page_id {
	PAGE_HEADLINE,
	PAGE_WORK,  /* the first suspect: what was submitted, where */
	PAGE_FAULT, /* what the GPU did wrong; below it which argument it most likely came from */
	PAGE_LAUNCHED_FROM,
	PAGE_THROUGH,   /* what is between the user's Python code and the driver */
	PAGE_GENERATED, /* a file that a compiler generated; below it its comments */
	PAGE_NATIVE,
	PAGE_ON_THE_DEVICE,
	PAGE_NVTX,
	PAGE_NODES,     /* of a graph: how many are suspects; below it which */
	PAGE_NODE,      /* of a graph: the only suspect; below it why */
	PAGE_ARGUMENTS, /* of the first suspect, or of its node */
	PAGE_ANOMALY,   /* of the first suspect: how it differs from earlier launches */
	PAGE_PRODUCERS, /* of the only suspect: earlier submissions with its memory */
	PAGE_OR_ELSE,   /* the other suspects */
	PAGE_SEEN_BY,
	PAGE_HOST_AT, /* without a failure: what the host did when the process ended */
	PAGE_EVIDENCE,
	PAGE_IN_FLIGHT,
	PAGE_AFTERWARDS,
	PAGE_REJECTED,  /* calls that the driver rejected, and why */
	PAGE_FIRST_NAN, /* in which launch a NaN began; below it the values, and who passed it on */
	PAGE_STACKS,    /* only if stacks cannot be trusted */
	PAGE_NO_ROOM,   /* what did not fit in the journal */
	PAGE_HARDWARE,  /* what the GPUs' own counters and events say */
	PAGE_NEXT,
	PAGE_PROCESS, /* the process that failed: command, host, rank, times */
	PAGE_BUNDLE,
	PAGE_HELP, /* a command to run next */
	/* Only the short report has these: brief/brief_page.h. */
	PAGE_TITLE,       /* what happened, in words */
	PAGE_CERTAINTY,   /* the verdict in a word, on the title's line */
	PAGE_ERROR,       /* the error's name and the process, on the title's line */
	PAGE_AT,          /* the user's line */
	PAGE_SUBMITTED,   /* what was submitted there */
	PAGE_MOST_LIKELY, /* of several suspects; below it why */
	PAGE_ALSO,        /* the other suspects */
	PAGE_STARTED,     /* of several: what had started when the process ended */
	PAGE_CAPTURED,    /* where the node of a graph was made */
	PAGE_FREED,       /* where the memory was freed */
	PAGE_ALLOCATED,   /* where the memory was allocated */
	PAGE_SEEN,        /* the call that returned the error */
	PAGE_BECAUSE,     /* why culprit says so */
	PAGE_HELD_BY,     /* out of memory: what holds the memory */
	PAGE_TO_BE_SURE,  /* a command that narrows the suspects down */
	N_PAGE_IDS
};

/* Subject of a line's words, which `number` of the line identifies. */
enum page_subject {
	PAGE_OF_REPORT,   /* the whole report; number is 0; the default */
	PAGE_OF_SUSPECT,  /* index in the verdict's suspects */
	PAGE_OF_STACK,    /* id of the stack that is shown */
	PAGE_OF_NODE,     /* index in the candidates of the verdict's graph */
	PAGE_OF_ARGUMENT, /* index in the page's arguments */
	PAGE_OF_EVIDENCE, /* index in the verdict's evidence */
	PAGE_OF_STREAM,   /* index in the verdict's streams */
	PAGE_OF_MORE,     /* how many more lines like those above are left out */
	N_PAGE_SUBJECTS
};

struct page_line {
	enum page_id id;
	bool is_first;    /* it has the label; others are below it */
	const char *text; /* without label and newline */
	enum page_subject subject;
	uint64_t number;
	uint32_t first_place; /* in the page's places */
	uint32_t n_locations; /* places named in the text, in its order */
};

enum page_language { PAGE_PYTHON, PAGE_HOST, PAGE_DEVICE, N_PAGE_LANGUAGES };

/* Foreign bytes, without a terminating NUL; length 0: unknown. */
struct page_string {
	const char *bytes;
	size_t length;
};

/*
 * A location in code, and the part of its line's text that names it. Strings point into the bundle,
 * the page or, for PAGE_DEVICE, the core dump.
 */
struct page_location {
	uint32_t begin; /* offset in the line's text */
	uint32_t length;
	enum page_language language;
	struct page_string file; /* the whole path, as compiled or loaded */
	struct page_string function;
	struct page_string module; /* PAGE_HOST: path */
	uint32_t line;             /* 0: unknown */
	uint32_t first_line;       /* PAGE_PYTHON: of the function; 0: unknown */
	uint64_t offset;           /* PAGE_HOST: in the module; PAGE_DEVICE: program counter */
};

/* Limits that are enough for all lists of a page, which are bounded when it is made. */
enum {
	PAGE_MAX_LINES = 160,
	PAGE_MAX_LOCATIONS = 256,
	PAGE_MAX_ARGUMENTS = 24,
	PAGE_TEXT_SIZE = 64 * 1024,
	PAGE_NAMES_SIZE = 16 * 1024,
};

/* All groups with the same kernel and the same user's line, whatever called the line. */
struct suspect_location {
	const struct suspect_group *group; /* the first of them */
	uint64_t n;
	uint64_t earliest;
	uint64_t latest;
	struct stream_set streams;
};

struct suspect_locations {
	uint32_t n;
	struct suspect_location rows[VERDICT_MAX_GROUPS];
};

/*
 * A page, allocated and owned by the caller and filled by report_page(); too big for a stack. One
 * thread at a time. Words and strings that do not fit are cut, and places that do not fit omitted.
 */
struct page {
	struct report report;
	uint32_t n_lines;
	uint32_t n_locations;
	uint32_t n_arguments;
	struct page_line lines[PAGE_MAX_LINES];
	struct page_location locations[PAGE_MAX_LOCATIONS];
	struct launch_arguments launch; /* the bytes of the arguments */
	struct argument arguments[PAGE_MAX_ARGUMENTS];
	struct suspect_locations suspects;
	struct text text; /* of the current line */
	size_t names_used;
	char words[PAGE_TEXT_SIZE];  /* the lines' texts */
	char names[PAGE_NAMES_SIZE]; /* strings that are valid nowhere else */
};

/* Return "launched_from": the id for programs, which never changes. */
const char *page_id_label(enum page_id id);

/* Return "launched from", the label; NULL if such a line has none. */
const char *page_label(enum page_id id);

/* Return "python", "host" or "device". */
const char *page_language_label(enum page_language language);

/* Return "suspect", "stack", ...: the name in enum page_subject without its prefix. */
const char *page_subject_label(enum page_subject subject);

/* Empty a page. This and the following functions are for code that fills a page. */
void page_clear(const struct report *report, struct page *out);

/*
 * Start a line, append its words to page->text, and end it. page_below starts a line without a
 * label.
 */
void page_begin(struct page *page, enum page_id id);
void page_below(struct page *page, enum page_id id);
void page_end(struct page *page);

/* Add a line "and 4 more". */
void page_add_more(struct page *page, enum page_id id, uint64_t n);

/* Discard the current line. */
void page_drop(struct page *page);

/* Set the subject of the current line. */
void page_set_subject(struct page *page, enum page_subject subject, uint64_t number);

/* Return the first line with this id, or NULL. */
const struct page_line *page_find_line(const struct page *page, enum page_id id);

/* Return the length of the current line's text: the start of the next place. */
uint32_t page_offset(const struct page *page);

/* Add a place that is named by the text from `begin` on. Sets its begin and length. */
void page_add_location(struct page *page, uint32_t begin, struct page_location location);

/* Return a copy that is valid as long as the page; unknown if NULL or if it does not fit. */
struct page_string page_keep(struct page *page, const char *string);

/* Wrap a string that is valid as long as the page; NULL: unknown. */
struct page_string page_string_of(const char *string);

#endif
