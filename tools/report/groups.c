/*
 * groups.c - keeps the first report of each group, and the names of the others.
 */
#include "report/groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fingerprint.h"
#include "base/text.h"
#include "report/report_words.h"

enum { MAX_NAMES = 16 };

struct group {
	char *key;
	char *text;
	char *names[MAX_NAMES];
	size_t n_others; /* the names of all equal reports */
};

struct groups {
	struct group *rows;
	size_t n;
};

void group_label_make(const struct analysis *analysis, struct group_label *out)
{
	const struct report_process *process = &analysis->process.report;
	struct text name = text_in(out->name, sizeof(out->name));
	struct fingerprint fingerprint;
	fingerprint_of(analysis, &fingerprint);
	out->key[0] = '\0';
	if (fingerprint.id[0])
		snprintf(out->key, sizeof(out->key), "%s %s", fingerprint.id,
			 report_verdict_word(analysis->verdict->class));
	text_addf(&name, "pid %ld", process->pid);
	if (process->rank)
		text_addf(&name, ", rank %s", process->rank);
	text_add(&name, ": ");
	text_add_foreign(&name, analysis->bundle->path, strlen(analysis->bundle->path));
}

struct groups *groups_open(void)
{
	return calloc(1, sizeof(struct groups));
}

static struct group *find_equal(struct groups *groups, const struct group_label *label)
{
	for (size_t index = 0; label && *label->key && index < groups->n; index++)
		if (!strcmp(groups->rows[index].key, label->key))
			return &groups->rows[index];
	return NULL;
}

static int add_group(struct groups *groups, const char *key, const char *text, size_t size)
{
	struct group *rows = realloc(groups->rows, (groups->n + 1) * sizeof(rows[0]));
	struct group group = {.key = strdup(key), .text = strndup(text, size)};
	if (rows)
		groups->rows = rows;
	if (!rows || !group.key || !group.text) {
		free(group.key);
		free(group.text);
		return -ENOMEM;
	}
	rows[groups->n++] = group;
	return 0;
}

int groups_add(struct groups *groups, const struct group_label *label, const char *text,
	       size_t size)
{
	struct group *equal = find_equal(groups, label);
	if (!equal)
		return add_group(groups, label ? label->key : "", text, size);
	if (equal->n_others < MAX_NAMES) {
		char *name = strdup(label->name);
		if (!name)
			return -ENOMEM;
		equal->names[equal->n_others] = name;
	}
	equal->n_others++;
	return 0;
}

static void print_group(const struct group *group, FILE *out)
{
	size_t line = strcspn(group->text, "\n");
	size_t n_more = group->n_others > MAX_NAMES ? group->n_others - MAX_NAMES : 0;
	fwrite(group->text, 1, line, out);
	if (group->n_others)
		fprintf(out, " and %zu more process%s", group->n_others,
			group->n_others == 1 ? "" : "es");
	fputs(group->text + line, out);
	for (size_t index = 0; index < group->n_others - n_more; index++)
		fprintf(out, "  %-16s%s\n", index ? "" : "the same in", group->names[index]);
	if (n_more)
		fprintf(out, "  %-16sand %zu more\n", "", n_more);
}

static void forget(struct groups *groups)
{
	for (size_t index = 0; index < groups->n; index++) {
		free(groups->rows[index].key);
		free(groups->rows[index].text);
		for (size_t i = 0; i < MAX_NAMES; i++)
			free(groups->rows[index].names[i]);
	}
	free(groups->rows);
	*groups = (struct groups){NULL, 0};
}

void groups_print(struct groups *groups, FILE *out)
{
	for (size_t index = 0; index < groups->n; index++) {
		if (index)
			fputc('\n', out);
		print_group(&groups->rows[index], out);
	}
	forget(groups);
}

void groups_close(struct groups *groups)
{
	if (groups)
		forget(groups);
	free(groups);
}
