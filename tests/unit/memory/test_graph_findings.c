/*
 * test_graph_findings.c - the rows that answers of a graph's checks lead to. Random graphs have a
 * stored sum, which notices each change of a row.
 *
 * If a change is meant, look at what it changes, and store the sum that the test prints:
 *
 *     diff <(BEFORE/unit_graph_findings print) <(build/bin/unit_graph_findings print)
 */
#include "graph_checks/graph_findings.h"

#include <inttypes.h>

#include "graph_checks/checked_exec.h"
#include "model/random_pick.h"
#include "record/host/reserve.h"
#include "record/journal/bundle.h"
#include "record/journal/strings.h"
#include "support/check.h"

enum { N_GRAPHS = 3000, MAX_NODES = 90, N_LISTS = 3 };

static const uint64_t stored_sum = 0x6d2709b41e0b559f;

/* The answers of one check: the lists of struct check_answer, and what is odd now. */
struct answers {
	struct check_result results[N_LISTS][CHECK_MAX_RANGES];
	struct check_answer answer;
	struct node_bytes bytes;
};

static uint64_t random_state;
static bool is_printed;
static bool lacks_table;
static uint64_t sum;
static uint64_t n_findings, n_rows, kinds, flags;
static struct checked_node nodes[MAX_NODES];
static struct answers answers[MAX_NODES][N_WHEN];
static struct checked_exec exec;

static uint32_t pick(uint32_t n)
{
	return random_pick(&random_state, n);
}

void *reserve_memory(size_t size)
{
	static struct graph_check_row room[GRAPH_CHECK_MAX_ROWS];
	CHECK_EQUAL(size, sizeof(room));
	return room;
}

void bundle_ensure(void)
{
	trace_add("bundle\n");
}

int bundle_open_late(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_GRAPH_CHECKS);
	trace_add("table\n");
	return lacks_table ? -1 : 0;
}

struct table *bundle_table(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_GRAPH_CHECKS);
	return (struct table *)(void *)&sum;
}

uint32_t strings_intern_z(const char *string)
{
	return (uint32_t)strlen(string) + 1000;
}

static const volatile struct check_result *
result_of(const struct checked_node *node, enum check_when when, uint32_t range, uint32_t list)
{
	CHECK(node->has_checks && range < node->list.n);
	const struct check_result *result = &answers[node - nodes][when].results[list][range];
	return result->version ? result : NULL;
}

const volatile struct check_result *node_checks_first_odd(const struct checked_node *node,
							  enum check_when when, uint32_t range)
{
	return result_of(node, when, range, 0);
}

const volatile struct check_result *node_checks_newest(const struct checked_node *node,
						       enum check_when when, uint32_t range)
{
	return result_of(node, when, range, 1);
}

const volatile struct check_result *node_checks_odd_now(const struct checked_node *node,
							enum check_when when, uint32_t range,
							uint32_t of)
{
	CHECK_EQUAL(of, exec.graph.mode.flags);
	return result_of(node, when, range, 2);
}

struct node_bytes node_checks_bytes(const struct checked_node *node, enum check_when when,
				    const struct check_mode *mode)
{
	CHECK(node->has_checks && mode == &exec.graph.mode);
	return answers[node - nodes][when].bytes;
}

uint32_t table_append(struct table *table, const void *bytes, uint32_t n)
{
	const struct graph_check_row *rows = bytes;
	CHECK((void *)table == &sum);
	CHECK(n > 0 && n <= GRAPH_CHECK_MAX_ROWS);
	for (size_t i = 0; i < n * sizeof(*rows); i++)
		sum = (sum ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
	n_findings++;
	for (uint32_t i = 0; i < n; i++) {
		CHECK(rows[i].n_rows == n && rows[i].index == i);
		kinds |= 1u << rows[i].kind;
		flags |= rows[i].flags;
		if (is_printed)
			(void)printf("%u of %u: kind %u, flags %x, replay %u of %u, node %u, "
				     "parameter %u, %u of %u KiB, runs %u %u\n",
				     i + 1, n, rows[i].kind, rows[i].flags, rows[i].replay,
				     rows[i].n_replays, rows[i].node, rows[i].parameter,
				     rows[i].kib_read, rows[i].kib_given, rows[i].before.run,
				     rows[i].after.run);
	}
	n_rows += n;
	return 1;
}

static void make_answers(struct answers *out, uint32_t n_ranges, uint32_t n_odd)
{
	memset(out, 0, sizeof(*out));
	out->answer.run = pick(6);
	for (uint32_t list = 0; list < N_LISTS; list++)
		for (uint32_t i = 0; i < n_ranges; i++) {
			struct check_result *result = &out->results[list][i];
			if (pick(10) >= n_odd)
				continue;
			result->version = 1;
			result->run = pick(6);
			result->n = pick(100);
		}
	out->bytes.n_given = pick(5000);
	uint64_t n_less = pick(8) ? 0 : pick(2000);
	out->bytes.n_read = out->bytes.n_given - n_less % (out->bytes.n_given + 1);
}

static void make_node(uint32_t index, uint32_t n_odd)
{
	struct checked_node *node = &nodes[index];
	memset(node, 0, sizeof(*node));
	node->function = 10 + pick(5);
	node->stack = 20 + pick(5);
	node->since = pick(3) ? 0 : pick(4);
	node->has_checks = pick(6) > 0;
	bool is_long = exec.graph.n_nodes == MAX_NODES || !pick(20);
	node->list.n = is_long ? CHECK_MAX_RANGES : pick(4);
	for (uint32_t i = 0; i < node->list.n; i++) {
		struct argument_range *range = &node->list.pointers[i];
		range->address = pick(1000);
		range->bytes = pick(1000);
		range->start = pick(1000);
		range->size = pick(1000);
		range->number = pick(1000);
		range->parameter = i;
		range->offset = pick(100);
	}
	for (enum check_when when = BEFORE; when < N_WHEN; when++) {
		make_answers(&answers[index][when], node->list.n, n_odd);
		node->slots[when].answer = &answers[index][when].answer;
	}
}

static void make_graph(uint64_t number)
{
	random_state = number;
	uint32_t n_odd = pick(5) ? pick(4) : 9;
	memset(&exec, 0, sizeof(exec));
	exec.handle = (CUgraphExec)(uintptr_t)(100 + pick(9));
	exec.number = pick(50);
	exec.stack = pick(50);
	exec.n_replays = pick(6);
	exec.reported = pick(4) ? 0 : pick(4);
	exec.n_reports = pick(8) ? 0 : 6 + pick(3);
	exec.reason = &"no checks"[pick(9)];
	exec.graph.n_nodes = pick(60) ? pick(5) : MAX_NODES;
	exec.graph.nodes = nodes;
	exec.graph.n_checked = pick(9);
	exec.graph.is_linear = pick(2);
	exec.graph.instance = (CUgraphExec)(uintptr_t)(pick(10) > 0);
	exec.graph.mode.flags = pick(2) ? CHECK_INFINITY_IS_ODD : 0;
	for (uint32_t i = 0; i < exec.graph.n_nodes; i++)
		make_node(i, n_odd);
}

static void read_graph(uint64_t number)
{
	make_graph(number);
	if (is_printed)
		(void)printf("graph %" PRIu64 "\n", number);
	graph_findings_write_new(&exec);
	graph_findings_write_new(&exec);
	sum += exec.reported * 31 + exec.n_reports;
	graph_findings_write_last(&exec);
	sum += exec.reported * 37 + exec.n_reports;
	if (pick(4) == 0)
		graph_findings_write_reason(&exec);
}

/* Without room for rows nothing is written; and the newest answers only if they are wanted. */
static void test_wanted(void)
{
	for (uint64_t number = 0; number < 50; number++)
		read_graph(number);
	CHECK_EQUAL(n_findings, 0);
	graph_findings_start(false);
	for (uint64_t number = 0; number < 50; number++)
		read_graph(number);
	CHECK(n_findings > 0 && !(kinds >> GRAPH_CHECK_LAST & 1));
}

static void test_table(void)
{
	CHECK(graph_findings_prepare());
	lacks_table = true;
	CHECK(graph_findings_prepare());
	CHECK_TRACE("bundle\ntable\n");
}

int main(int argc, char **argv)
{
	test_wanted();
	test_table();
	is_printed = argc > 1 && !strcmp(argv[1], "print");
	graph_findings_start(true);
	sum = 0;
	for (uint64_t number = 0; number < N_GRAPHS; number++)
		read_graph(number);
	CHECK_EQUAL(kinds, (1u << N_GRAPH_CHECK_KINDS) - 1);
	CHECK_EQUAL(flags, 31);
	if (sum != stored_sum)
		(void)fprintf(stderr,
			      "%" PRIu64 " findings with %" PRIu64 " rows: sum 0x%" PRIx64 "\n",
			      n_findings, n_rows, sum);
	CHECK(sum == stored_sum);
	return 0;
}
