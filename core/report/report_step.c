/*
 * report_step.c - a table of rules: the first one that applies gives the command. The words of
 * `culprit explain` are in tools/explain.
 */
#include "report/report_parts.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/failure_class.h"
#include "base/settings.h"
#include "memory/memory_fault.h"
#include "report/last_rejection.h"
#include "report/report_python.h"

enum { CODE_LAUNCH_TIMEOUT = 702, RECORDS_FACTOR = 4 };

static bool is_refused(const struct step_facts *facts)
{
	return facts->is_rejection;
}

static bool is_hung(const struct step_facts *facts)
{
	return facts->verdict->hang;
}

/* It is not known what had started: snapshots would show it. */
static bool lacks_snapshot(const struct step_facts *facts)
{
	const struct verdict *verdict = facts->verdict;
	return facts->has_ended && verdict->unknown_reason == UNKNOWN_NO_FAILURE &&
	       verdict->n_unfinished > 0 && verdict->n_suspects == 0;
}

static bool is_unfinished(const struct step_facts *facts)
{
	const struct verdict *verdict = facts->verdict;
	return verdict->unknown_reason == UNKNOWN_NO_FAILURE && verdict->n_unfinished > 0;
}

static bool has_no_failure(const struct step_facts *facts)
{
	return facts->verdict->unknown_reason == UNKNOWN_NO_FAILURE;
}

static bool is_hardware(const struct step_facts *facts)
{
	return facts->verdict->unknown_reason == UNKNOWN_HARDWARE;
}

static bool is_damaged(const struct step_facts *facts)
{
	return facts->verdict->unknown_reason == UNKNOWN_BAD_BUNDLE;
}

static bool lacked_memory(const struct step_facts *facts)
{
	return facts->verdict->unknown_reason == UNKNOWN_NO_MEMORY;
}

static bool has_evidence(const struct verdict *verdict, enum evidence_kind kind)
{
	for (uint32_t i = 0; i < verdict->n_evidence; i++)
		if (verdict->evidence[i].kind == kind)
			return true;
	return false;
}

static bool lost_records(const struct step_facts *facts)
{
	const struct verdict *verdict = facts->verdict;
	bool are_lost = verdict->unknown_reason == UNKNOWN_RECORDS_LOST ||
			has_evidence(verdict, EVIDENCE_RECORDS_LOST);
	return are_lost && verdict->class != VERDICT_EXACT && facts->more_records;
}

static bool has_unseen_work(const struct step_facts *facts)
{
	return facts->verdict->unknown_reason == UNKNOWN_NOTHING_UNFINISHED ||
	       facts->verdict->has_unseen;
}

static bool took_too_long(const struct step_facts *facts)
{
	return facts->verdict->failure.code == CODE_LAUNCH_TIMEOUT;
}

/* One graph launch is left, without markers that distinguish its nodes. */
static bool has_unclear_node(const struct step_facts *facts)
{
	const struct verdict *verdict = facts->verdict;
	return verdict->n_suspects == 1 && verdict->suspects[0].record.work == WORK_GRAPH &&
	       verdict->graph.n_candidates > 1 && verdict->graph.n_finished == 0;
}

static bool is_not_exact(const struct step_facts *facts)
{
	return facts->verdict->class != VERDICT_EXACT;
}

static bool is_freed(const struct step_facts *facts)
{
	enum anomaly_kind kind = facts->verdict->anomaly.kind;
	if (!facts->has_address)
		return kind == ANOMALY_FREED || kind == ANOMALY_IN_FLIGHT;
	return facts->relation == MEMORY_FREED || facts->relation == MEMORY_IN_FLIGHT;
}

static bool is_past_end(const struct step_facts *facts)
{
	return facts->has_address && facts->relation == MEMORY_AFTER;
}

static bool is_null(const struct step_facts *facts)
{
	return facts->has_address && facts->is_null;
}

static bool lacks_line(const struct step_facts *facts)
{
	return facts->lacks_line;
}

static bool has_address(const struct step_facts *facts)
{
	return facts->has_address;
}

static bool has_known_code(const struct step_facts *facts)
{
	return failure_name(facts->verdict->failure.code);
}

/* The words after a rule's own. */
enum operand {
	OPERAND_NONE,
	OPERAND_COMMAND,
	OPERAND_RECORDS,
	OPERAND_BUNDLE,
	OPERAND_CODE,
	OPERAND_RULE
};

static const struct rule {
	const char *id;
	bool (*applies)(const struct step_facts *facts);
	const char *words;
	enum operand operand;
	const char *after; /* a line below; NULL: none */
} rules[] = {
	{"refused", is_refused, "culprit explain", OPERAND_RULE, NULL},
	{"hung", is_hung, "culprit status", OPERAND_BUNDLE, NULL},
	{"snapshot", lacks_snapshot, "culprit run --hang 60", OPERAND_COMMAND,
	 "with less time than the limit that ended it: the report will name what had started"},
	{"unfinished", is_unfinished, "culprit status", OPERAND_BUNDLE, NULL},
	{"no_failure", has_no_failure, NULL, OPERAND_NONE, NULL},
	{"hardware", is_hardware, "culprit explain", OPERAND_CODE, NULL},
	{"damaged", is_damaged, "culprit run", OPERAND_COMMAND, NULL},
	{"no_memory", lacked_memory, "culprit report", OPERAND_BUNDLE, NULL},
	{"records", lost_records, "culprit run --records", OPERAND_RECORDS, NULL},
	{"unseen", has_unseen_work, "culprit doctor", OPERAND_NONE, NULL},
	{"timeout", took_too_long, "culprit explain", OPERAND_CODE, NULL},
	{"graph_markers", has_unclear_node, "culprit run --graph-markers every", OPERAND_COMMAND,
	 NULL},
	{"triage", is_not_exact, "culprit triage", OPERAND_COMMAND, NULL},
	{"freed", is_freed, "culprit explain use-after-free", OPERAND_NONE, NULL},
	{"past_end", is_past_end, "culprit explain out-of-bounds", OPERAND_NONE, NULL},
	{"null_pointer", is_null, "culprit explain null-pointer", OPERAND_NONE, NULL},
	{"lineinfo", lacks_line, "export NVCC_APPEND_FLAGS=-lineinfo", OPERAND_NONE,
	 "then build the program again, and run it: the report will show the line in the kernel"},
	{"address", has_address, "culprit memory --at fault", OPERAND_BUNDLE, NULL},
	{"code", has_known_code, "culprit explain", OPERAND_CODE, NULL},
};

static const struct rule *find_rule(const struct step_facts *facts)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].applies(facts))
			return rules[i].words ? &rules[i] : NULL;
	return NULL;
}

const char *report_step_rule(const struct step_facts *facts)
{
	const struct rule *rule = find_rule(facts);
	return rule ? rule->id : NULL;
}

/* Return four times the length of the longest ring; 0 if there is no such setting. */
static uint64_t find_more_records(const struct bundle_view *view)
{
	uint64_t longest = 0;
	for (uint32_t slot = 0; slot < view->n_rings; slot++)
		if (view->rings[slot].capacity > longest)
			longest = view->rings[slot].capacity;
	uint64_t more = RECORDS_FACTOR * longest;
	return longest && longest < SETTINGS_RECORDS_MAX && more <= SETTINGS_RECORDS_MAX ? more : 0;
}

/* Code that Python launches is mostly built by others, or at run time. */
static bool is_of_python(const struct report *report)
{
	const struct verdict *verdict = report->verdict;
	return verdict->n_suspects > 0 &&
	       report_has_python(report, verdict->suspects[0].record.stack);
}

static bool find_lack_of_line(const struct page *page)
{
	if (is_of_python(&page->report))
		return false;
	for (uint32_t i = 0; i < page->n_lines; i++) {
		const struct page_line *line = &page->lines[i];
		if (line->id == PAGE_ON_THE_DEVICE && line->n_locations)
			return !page->locations[line->first_place].line;
	}
	return false;
}

static void find_facts(const struct page *page, struct step_facts *out)
{
	const struct report *report = &page->report;
	struct fault_story story;
	struct memory_fault fault;
	fault_story_read(report->view, &story);
	memory_fault_read(report->view, report->verdict, &story, &fault);
	*out = (struct step_facts){.verdict = report->verdict,
				   .is_rejection = report->rejection,
				   .has_ended = report->process &&
						report->process->end.kind != REPORT_RUNS,
				   .has_address = fault.has_address,
				   .is_null = memory_fault_is_null(&fault),
				   .relation = fault.answer.relation,
				   .lacks_line = find_lack_of_line(page),
				   .more_records = find_more_records(report->view)};
}

static void add_command(const struct report *report, struct text *out)
{
	const char *command = report->process ? report->process->command : NULL;
	text_add(out, " -- ");
	if (command && !report->view->is_redacted)
		text_add_foreign(out, command, strlen(command));
	else
		text_add(out, "COMMAND");
}

/* A path that a shell would not take as one word is left out: the newest bundle is meant then. */
static void add_bundle(const struct report *report, struct text *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789/._-+,:@%=";
	const char *path = report->bundle_path;
	if (path && *path && *path != '-' && !path[strspn(path, plain)])
		text_addf(out, " %s", path);
}

static void add_operand(const struct report *report, const struct step_facts *facts,
			enum operand operand, struct text *out)
{
	switch (operand) {
	case OPERAND_RECORDS:
		text_addf(out, " %" PRIu64, facts->more_records);
		add_command(report, out);
		break;
	case OPERAND_COMMAND:
		add_command(report, out);
		break;
	case OPERAND_BUNDLE:
		add_bundle(report, out);
		break;
	case OPERAND_CODE:
		text_addf(out, " %" PRId32, facts->verdict->failure.code);
		break;
	case OPERAND_RULE:
		text_addf(out, " %s", last_rejection_rule(report->view, report->rejection));
		break;
	case OPERAND_NONE:
		break;
	}
}

void report_add_step(struct page *page)
{
	struct step_facts facts;
	find_facts(page, &facts);
	const struct rule *rule = find_rule(&facts);
	if (!rule)
		return;
	page_begin(page, PAGE_HELP);
	text_add(&page->text, rule->words);
	add_operand(&page->report, &facts, rule->operand, &page->text);
	page_end(page);
	if (!rule->after)
		return;
	page_below(page, PAGE_HELP);
	text_add(&page->text, rule->after);
	page_end(page);
}
