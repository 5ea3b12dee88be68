/*
 * test_ranks_json.c - the part of a job in a process's status: groups, and what was found of them.
 */
#include "status/ranks.h"

#include <string.h>

#include "support/check.h"

enum { N_PROCESSES = 3, GROUP_STREAM = 7 };

static struct rank_group groups[2];
static struct rank_process processes[N_PROCESSES];
static const struct ranks ranks = {.rows = processes, .n = N_PROCESSES};

static struct rank_collective *collective(struct rank_group *group, uint64_t number)
{
	return &group->window[number % RANKS_WINDOW];
}

static void set_collective(struct rank_group *group, uint64_t number, const char *kind)
{
	collective(group, number)->number = number;
	strcpy(collective(group, number)->kind, kind);
}

/* Three processes. The first has a group with unfinished work, and lacks the second one. */
static void begin(void)
{
	for (int i = 0; i < N_PROCESSES; i++) {
		memcpy(processes[i].name, (char[]){'r', 'a', 'n', 'k', ' ', (char)('0' + i)}, 6);
		processes[i].rank = i;
	}
	groups[0] = (struct rank_group){.stream = GROUP_STREAM, .newest = 100, .front = 99};
	set_collective(&groups[0], 100, "AllReduce");
	set_collective(&groups[0], 99, "Broadcast");
	groups[1] = (struct rank_group){.stream = 0};
	processes[0].n_groups = 2;
	processes[0].groups = groups;
}

static const char *text(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));
	return value ? value : "null";
}

static json_t *group_json(json_t *job, size_t index)
{
	return json_array_get(json_object_get(job, "groups"), index);
}

static void test_groups(void)
{
	const struct rank_findings none = {.n = 0};
	begin();
	json_t *job = ranks_to_json(&ranks, 0, &none);
	CHECK_STRING(text(job, "name"), "rank 0");
	CHECK_EQUAL(json_integer_value(json_object_get(job, "n")), N_PROCESSES);
	CHECK(json_is_false(json_object_get(job, "outlier")));
	CHECK_EQUAL(json_array_size(json_object_get(job, "findings")), 0);
	const json_t *group = group_json(job, 0);
	CHECK_EQUAL(json_integer_value(json_object_get(group, "group")), 1);
	CHECK(json_is_false(json_object_get(group, "moves")));
	CHECK_EQUAL(json_integer_value(json_object_get(group, "launched")), 100);
	CHECK_STRING(text(group, "newest"), "AllReduce");
	CHECK_EQUAL(json_integer_value(json_object_get(group, "unfinished")), 99);
	CHECK_STRING(text(group, "front"), "Broadcast");
	group = group_json(job, 1);
	CHECK(json_is_true(json_object_get(group, "moves")));
	CHECK(json_is_null(json_object_get(group, "newest")));
	CHECK(json_is_null(json_object_get(group, "unfinished")));
	CHECK(json_is_null(json_object_get(group, "front")));
	json_decref(job);
}

/* A newer collective has the entry of the one that is asked for. */
static void test_collectives_outside_of_the_window(void)
{
	const struct rank_findings none = {.n = 0};
	begin();
	groups[0].front = 99 - RANKS_WINDOW;
	json_t *job = ranks_to_json(&ranks, 0, &none);
	CHECK(json_is_null(json_object_get(group_json(job, 0), "front")));
	json_decref(job);
}

/* Return the finding about the ranks with these roles. */
static json_t *find(bool is_odds, enum rank_role *roles)
{
	static struct rank_findings findings;
	begin();
	findings.n = 1;
	findings.rows[0] = (struct rank_finding){.group = 1,
						 .is_odds = is_odds,
						 .number = 99,
						 .kind = "Broadcast",
						 .text = (char[]){"rank 1 is behind"},
						 .roles = roles};
	processes[0].is_outlier = true;
	json_t *job = ranks_to_json(&ranks, 0, &findings);
	CHECK(json_is_true(json_object_get(job, "outlier")));
	json_t *finding = json_incref(json_array_get(json_object_get(job, "findings"), 0));
	json_decref(job);
	processes[0].is_outlier = false;
	return finding;
}

static const char *name_in(const json_t *finding, const char *key)
{
	const json_t *names = json_object_get(finding, key);
	CHECK_EQUAL(json_array_size(names), 1);
	return json_string_value(json_array_get(names, 0));
}

static void test_findings(void)
{
	enum rank_role behind[N_PROCESSES] = {RANK_WAITS, RANK_BEHIND, RANK_ELSE};
	enum rank_role at_odds[N_PROCESSES] = {RANK_AT_ODDS, RANK_ELSE, RANK_WAITS};
	json_t *finding = find(false, behind);
	CHECK_STRING(text(finding, "kind"), "behind");
	CHECK_STRING(text(finding, "collective"), "Broadcast");
	CHECK_STRING(text(finding, "text"), "rank 1 is behind");
	CHECK_STRING(name_in(finding, "ranks"), "rank 1");
	CHECK_STRING(name_in(finding, "others"), "rank 0");
	json_decref(finding);
	finding = find(true, at_odds);
	CHECK_STRING(text(finding, "kind"), "odds");
	CHECK_STRING(name_in(finding, "ranks"), "rank 0");
	CHECK_STRING(name_in(finding, "others"), "rank 2");
	json_decref(finding);
}

int main(void)
{
	test_groups();
	test_collectives_outside_of_the_window();
	test_findings();
	return 0;
}
