/*
 * groups.c - keeps the first report of each group, and the names of the others.
 */
#include "report/groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 16 };

struct group {
	char *text;
	char *names[MAX_NAMES];
	size_t n_others; /* the names of all equal reports */
};

struct groups {
	struct group *rows; /* by their numbers in the index */
	struct group_index index;
};

struct groups *groups_open(void)
{
	return calloc(1, sizeof(struct groups));
}

int groups_add(struct groups *groups, const struct group_label *label, const char *text,
	       size_t size)
{
	bool is_new = false;
	struct group *rows = reallocarray(groups->rows, groups->index.n + 1, sizeof(rows[0]));
	if (!rows)
		return -ENOMEM;
	groups->rows = rows;
	size_t number = group_index_find(&groups->index, label ? label->key : "", &is_new);
	if (number == SIZE_MAX)
		return -ENOMEM;
	struct group *group = &rows[number];
	if (is_new || !label) { /* an empty key is always new */
		*group = (struct group){.text = strndup(text, size)};
		return group->text ? 0 : -ENOMEM;
	}
	if (group->n_others < MAX_NAMES) {
		char *name = strdup(label->name);
		if (!name)
			return -ENOMEM;
		group->names[group->n_others] = name;
	}
	group->n_others++;
	return 0;
}

static void print_group(const struct group *group, FILE *out)
{
	if (!group->text)
		return;
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
	for (size_t index = 0; index < groups->index.n; index++) {
		free(groups->rows[index].text);
		for (size_t i = 0; i < MAX_NAMES; i++)
			free(groups->rows[index].names[i]);
	}
	free(groups->rows);
	group_index_free(&groups->index);
	groups->rows = NULL;
}

void groups_print(struct groups *groups, FILE *out)
{
	for (size_t index = 0; index < groups->index.n; index++) {
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
