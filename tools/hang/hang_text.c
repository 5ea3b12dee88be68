/*
 * hang_text.c - find which stream is to blame for a hang, and print its report.
 */
#include "hang/hang_rows.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "files/input.h"
#include "report/report_page.h"
#include "status/status_text.h"

static bool waits_for_other(const struct stall *stall)
{
	return stall->kind == STALL_EVENT || stall->kind == STALL_LEGACY ||
	       stall->kind == STALL_QUEUE;
}

static const struct stall *find_stall(const struct process_status *status, uint32_t stream)
{
	for (uint32_t i = 0; i < status->stalls.n; i++)
		if (status->stalls.rows[i].stream == stream)
			return &status->stalls.rows[i];
	return NULL;
}

/* Follow the chain of waits to its last stream; if the chain is a circle, to any stream of it. */
static const struct stall *follow(const struct process_status *status, const struct stall *stall)
{
	for (uint32_t steps = 0; steps < status->stalls.n && waits_for_other(stall); steps++) {
		const struct stall *source = find_stall(status, stall->source);
		if (!source)
			break;
		stall = source;
	}
	return stall;
}

/* Find the root of the first stuck stream; newly stuck streams come before reported ones. */
static const struct stall *find_root(struct hang_rows *rows, const struct process_status *status)
{
	const struct stall *root = NULL;
	bool is_new = false;
	for (uint32_t i = 0; i < status->stalls.n && !is_new; i++) {
		const struct stall *stall = &status->stalls.rows[i];
		const struct hang_row *row = hang_rows_find(rows, status->pid, stall->stream);
		if (!row || !row->is_stuck || (root && row->is_told))
			continue;
		root = follow(status, stall);
		is_new = !row->is_told;
	}
	return root;
}

/* If several stuck streams wait for no other stream, each may keep the others from the GPU. */
static bool is_only_root(struct hang_rows *rows, const struct process_status *status,
			 const struct stall *root)
{
	for (uint32_t i = 0; i < status->stalls.n; i++) {
		const struct stall *stall = &status->stalls.rows[i];
		const struct hang_row *row = hang_rows_find(rows, status->pid, stall->stream);
		if (stall != root && row && row->is_stuck && !waits_for_other(stall))
			return false;
	}
	return !waits_for_other(root);
}

static void add_stand(struct hang_rows *rows, const struct process_status *status,
		      const struct stall *stall, struct hang_claim *out)
{
	const struct hang_row *row = hang_rows_find(rows, status->pid, stall->stream);
	if (!row || out->n == HANG_CLAIM_MAX)
		return;
	out->rows[out->n++] = (struct hang_stand){
		.sequence = stall->front.sequence,
		.source_sequence = stall->source_sequence,
		.kind = stall->kind,
		.is_proven = row->proven_ns != 0,
	};
}

bool hang_claim_make(struct hang_rows *rows, const struct process_status *status,
		     struct hang_claim *out)
{
	const struct stall *root = find_root(rows, status);
	struct hang_row *row = root ? hang_rows_find(rows, status->pid, root->stream) : NULL;
	if (!row)
		return false;
	bool is_exact = row->proven_ns && is_only_root(rows, status, root);
	*out = (struct hang_claim){.class = is_exact ? VERDICT_EXACT : VERDICT_LIKELY,
				   .ns = row->last_ns - row->first_ns};
	add_stand(rows, status, root, out);
	for (uint32_t i = 0; i < status->stalls.n; i++) {
		const struct stall *stall = &status->stalls.rows[i];
		row = hang_rows_find(rows, status->pid, stall->stream);
		if (stall != root && row && row->is_stuck)
			add_stand(rows, status, stall, out);
	}
	return true;
}

void hang_print(struct hang_rows *rows, const struct process_status *status, FILE *out)
{
	fprintf(out, "%s\n", report_headline(status->analysis.page));
	(void)status_print_text(status, out);
	const struct report_hardware *hardware = status->analysis.report.hardware;
	for (uint32_t i = 0; hardware && i < hardware->n_lines; i++)
		fprintf(out, "  %-9s %s\n", i ? "" : "hardware:", hardware->lines[i]);
	for (uint32_t i = 0; i < rows->n; i++)
		if (rows->rows[i].pid == status->pid && rows->rows[i].is_stuck)
			rows->rows[i].is_told = true;
}

void hang_keep_text(const char *path, const char *text, size_t size)
{
	int directory_fd = input_open_own_directory(path);
	int fd = directory_fd < 0
			 ? -1
			 : openat(directory_fd, BUNDLE_HUNG_NAME,
				  O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0) {
		if (write(fd, text, size) != (ssize_t)size)
			unlinkat(directory_fd, BUNDLE_HUNG_NAME, 0);
		close(fd);
	}
	if (directory_fd >= 0)
		close(directory_fd);
}
