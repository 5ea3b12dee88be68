/*
 * graph_findings_text.c - read records, which are untrusted input, and print them.
 */
#include "graph_findings/graph_findings_text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/graph_findings.h"
#include "base/text.h"
#include "files/input.h"
#include "report/report_names.h"
#include "report/report_stack.h"

enum { BLOCK_SIZE = 512 * 1024 };

struct finding {
	struct graph_finding head;
	struct graph_finding_row rows[GRAPH_FINDING_MAX_ROWS];
};

static const char *const type_words[N_CHECK_TYPES] = {"?",   "f32", "f64", "f16",  "bf16",
						      "i32", "i64", "u8",  "e4m3", "e5m2"};

static bool is_sound(const struct finding *finding)
{
	const struct graph_finding *head = &finding->head;
	for (uint32_t i = 0; i < head->n_rows; i++)
		if (finding->rows[i].before.type >= N_CHECK_TYPES ||
		    finding->rows[i].after.type >= N_CHECK_TYPES)
			return false;
	return memchr(head->reason, 0, sizeof(head->reason));
}

/* Read the next record. Return 0, -EAGAIN if it is incomplete so far, or -EBADMSG if invalid. */
static int read_next(int fd, uint64_t at, struct finding *out)
{
	if (pread(fd, &out->head, sizeof(out->head), (off_t)at) != (ssize_t)sizeof(out->head))
		return -EAGAIN;
	if (out->head.magic != GRAPH_FINDINGS_MAGIC || out->head.n_rows > GRAPH_FINDING_MAX_ROWS ||
	    out->head.kind > GRAPH_FINDING_LAST)
		return -EBADMSG;
	size_t size = out->head.n_rows * sizeof(out->rows[0]);
	if (pread(fd, out->rows, size, (off_t)(at + sizeof(out->head))) != (ssize_t)size)
		return -EAGAIN;
	return is_sound(out) ? 0 : -EBADMSG;
}

/* Append "graph 0x55d3 (instantiated at demo.c:100 main)". */
static void add_graph(const struct graph_findings_reader *reader, const struct graph_finding *head,
		      struct text *out)
{
	text_addf(out, "%ld  graph 0x%" PRIx64 ", instantiated at ", reader->pid, head->handle);
	report_stack(reader->report, head->stack, 1, out);
}

static void add_head(const struct graph_findings_reader *reader, const struct graph_finding *head,
		     struct text *out)
{
	add_graph(reader, head, out);
	if (head->kind == GRAPH_FINDING_UNCHECKED)
		text_addf(out, ", is not checked: %s\n", head->reason);
	else if (head->kind == GRAPH_FINDING_ODD)
		text_addf(out, ": values that appeared in replay %" PRIu32 "\n", head->replay);
	else
		text_addf(out, ": %" PRIu32 " checked kernels in replay %" PRIu32 ", the last\n",
			  head->n_checked, head->replay);
}

static void add_node(const struct graph_findings_reader *reader,
		     const struct graph_finding_row *row, struct text *out)
{
	const struct graph_node_row node = {.work = WORK_KERNEL, .function = row->function};
	text_addf(out, "  node %" PRIu32 "  ", row->node);
	report_node_name(reader->report, &node, true, out);
	text_add(out, "  ");
	report_stack(reader->report, row->stack, 1, out);
	text_add(out, "\n");
}

static void add_argument(const struct graph_finding_row *row, struct text *out)
{
	text_addf(out, "argument %" PRIu32, row->parameter);
	if (row->offset)
		text_addf(out, " + %" PRIu32, row->offset);
}

/* Append "    argument 1 + 8: 0x7f1c0000=#4+0, first 1024 x f32?". */
static void add_place(const struct graph_finding_row *row, struct text *out)
{
	const struct check_result *result = row->after.run ? &row->after : &row->before;
	bool is_part = row->bytes < row->size - (row->address - row->start);
	text_add(out, "    ");
	add_argument(row, out);
	text_addf(out, ": 0x%" PRIx64 "=#%" PRIu64 "+%" PRIu64 ", %s%" PRIu64 " x %s%s\n",
		  row->address, row->number, row->address - row->start, is_part ? "first " : "",
		  result->n, type_words[result->type],
		  result->flags & CHECK_TYPE_WAS_GUESSED ? "?" : "");
}

static void add_odd(const struct check_result *result, struct text *out)
{
	if (result->n_nan)
		text_addf(out, ", %" PRIu64 " NaN, the first at [%" PRIu64 "]", result->n_nan,
			  result->first_nan);
	if (result->n_infinite)
		text_addf(out, ", %" PRIu64 " infinite, the first at [%" PRIu64 "]",
			  result->n_infinite, result->first_infinite);
}

static void add_result(const char *when, const struct check_result *result, uint32_t replay,
		       struct text *out)
{
	uint64_t n_finite = result->n - result->n_nan - result->n_infinite;
	if (!result->run)
		return;
	text_addf(out, "      %s", when);
	if (n_finite && n_finite <= result->n)
		text_addf(out, "min %g, max %g, mean %g", result->min, result->max,
			  result->sum / (double)n_finite);
	else
		text_add(out, "no finite value");
	add_odd(result, out);
	if (result->run < replay)
		text_addf(out, ", since replay %" PRIu32, result->run);
	text_add(out, "\n");
}

/* Return the argument of the node that was odd before the kernel, and most recently; or NULL. */
static const struct graph_finding_row *find_cause(const struct graph_finding_row *rows, uint32_t n)
{
	const struct graph_finding_row *cause = NULL;
	for (uint32_t i = 0; i < n && rows[i].node == rows->node; i++)
		if (rows[i].before.run && (!cause || rows[i].before.run > cause->before.run))
			cause = &rows[i];
	return cause;
}

/*
 * `origin` is a row of the first node that made one. A later node without a cause may have read it
 * through memory that is not checked: for example, through a descriptor (TMA), not a pointer.
 */
static void add_conclusion(const struct graph_finding *head, const struct graph_finding_row *rows,
			   uint32_t n, const struct graph_finding_row *origin, struct text *out)
{
	const struct graph_finding_row *cause = find_cause(rows, n);
	text_add(out, "    => ");
	if (cause) {
		/* It may have been written anew since. */
		text_add(out, cause->before.run < head->replay ? "possibly passed on from "
							       : "passed on from ");
		add_argument(cause, out);
	} else if (origin) {
		text_addf(out, "probably passed on from node %" PRIu32, origin->node);
		text_add(out, ": none of the checked arguments had any before");
	} else {
		text_add(out, "made here: none of the checked arguments had any before");
	}
	if (!cause && !origin && !head->is_linear)
		text_add(out, ", unless a node on another branch wrote there meanwhile");
	text_add(out, "\n");
}

static void add_finding(const struct graph_findings_reader *reader, const struct finding *finding,
			struct text *out)
{
	const struct graph_finding *head = &finding->head;
	const struct graph_finding_row *first = NULL; /* of the node */
	const struct graph_finding_row *origin = NULL;
	add_head(reader, head, out);
	for (uint32_t i = 0; i < head->n_rows; i++) {
		const struct graph_finding_row *row = &finding->rows[i];
		bool is_last = i + 1 == head->n_rows || row[1].node != row->node;
		if (!first)
			add_node(reader, first = row, out);
		add_place(row, out);
		add_result("before  ", &row->before, head->replay, out);
		add_result("after   ", &row->after, head->replay, out);
		uint32_t n = first ? (uint32_t)(row + 1 - first) : 0;
		if (is_last && head->kind == GRAPH_FINDING_ODD)
			add_conclusion(head, first, n, origin, out);
		if (is_last && !origin && !find_cause(first, n))
			origin = first;
		if (is_last)
			first = NULL;
	}
	if (head->is_cut)
		text_add(out, "  more arguments are left out\n");
}

void graph_findings_print(struct graph_findings_reader *reader, FILE *out)
{
	static struct finding finding; /* used by one thread only */
	static char block[BLOCK_SIZE];
	int fd = input_open_file(reader->fd, GRAPH_FINDINGS_NAME);
	while (fd >= 0 && !read_next(fd, reader->at, &finding)) {
		struct text text = text_in(block, sizeof(block));
		add_finding(reader, &finding, &text);
		fwrite(block, 1, (size_t)(text.at - block), out);
		reader->at += sizeof(finding.head) + finding.head.n_rows * sizeof(finding.rows[0]);
	}
	if (fd >= 0)
		close(fd);
}
