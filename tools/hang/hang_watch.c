/*
 * hang_watch.c - take rounds of snapshots, report hangs, and kill hung processes if asked to.
 */
#include "hang/hang_watch.h"

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analysis_text.h"
#include "analysis/fingerprint.h"
#include "analysis/used_gpus.h"
#include "base/bundle_names.h"
#include "bundle/bundle_meta.h"
#include "bundle/live_memory.h"
#include "command/message.h"
#include "command/monotonic.h"
#include "hang/hang_rows.h"
#include "status/process_status.h"

enum { HARDWARE_WAIT_MS = 500 };

/* After a signal asked the command to end, ASKED_INTERVAL_MS is short enough to see progress. */
enum { ASKED_INTERVAL_MS = 500, SHORTEST_INTERVAL_MS = 250, LONGEST_INTERVAL_MS = 10000 };

/* How long a command that was asked to end may wait for work that makes no progress. */
static const uint64_t AFTER_INTERRUPT_NS = 2000000000, AFTER_TERMINATION_NS = 4000000000;

struct hang_watch {
	const struct hang_settings *settings;
	uint64_t limit_ns;
	int interval_ms;
	uint64_t due_ns; /* when the next round is due */
	int asked;       /* signal that asked the command to end, or 0 */
	unsigned n_interrupts;
	bool has_reported;
	int ended_by;      /* see hang_watch_finished_by() */
	unsigned n_rounds; /* since it was set */
	struct hang_rows rows;
	struct process_status status;
};

/* Use a quarter of the limit, so that a hang is reported soon after it. */
static int interval_of(unsigned seconds)
{
	unsigned interval_ms = seconds < 1000 ? seconds * 250 : LONGEST_INTERVAL_MS;
	if (interval_ms < SHORTEST_INTERVAL_MS)
		return SHORTEST_INTERVAL_MS;
	return interval_ms < LONGEST_INTERVAL_MS ? (int)interval_ms : LONGEST_INTERVAL_MS;
}

struct hang_watch *hang_watch_open(const struct hang_settings *settings)
{
	struct hang_watch *watch = calloc(1, sizeof(*watch));
	if (!watch)
		return NULL;
	watch->settings = settings;
	watch->limit_ns = settings->seconds * (uint64_t)NS_PER_S;
	watch->interval_ms = interval_of(settings->seconds);
	return watch;
}

void hang_watch_close(struct hang_watch *watch)
{
	free(watch);
}

int hang_watch_interval_ms(const struct hang_watch *watch)
{
	return watch->limit_ns ? watch->interval_ms : 0;
}

bool hang_watch_has_reported(const struct hang_watch *watch)
{
	return watch->has_reported;
}

int hang_watch_finished_by(const struct hang_watch *watch)
{
	return watch->ended_by;
}

/* Give the bundle's analysis the hang, as if its record had been read. */
static bool name_hang(struct hang_watch *watch)
{
	struct hang_claim claim;
	struct process_status *status = &watch->status;
	if (!hang_claim_make(&watch->rows, status, &claim))
		return false;
	json_decref(status->bundle->finding);
	status->bundle->finding = finding_of_hang(&claim, "");
	return !process_status_name(status) && status->analysis.finding == FINDING_HANG;
}

/* Store the hang for all later readers of the bundle. */
static void store(const struct process_status *status)
{
	struct fingerprint fingerprint;
	fingerprint_of(&status->analysis, &fingerprint);
	json_t *record = finding_of_hang(&status->analysis.hang, fingerprint.id);
	if (record)
		finding_store(status->bundle->path, record);
	used_gpus_store(status->bundle);
	json_decref(record);
}

/* Show the text of the hang, or the short report. */
static void show(const struct hang_watch *watch, const char *text, size_t size)
{
	const struct hang_settings *settings = watch->settings;
	char *brief = NULL;
	size_t brief_size = 0;
	FILE *out = settings->length == REPORT_SHORT ? open_memstream(&brief, &brief_size) : NULL;
	if (out) {
		(void)analysis_text_print(&watch->status.analysis, REPORT_SHORT, out);
		fclose(out);
	}
	settings->write(settings->state, brief ? brief : text, brief ? brief_size : size);
	free(brief);
}

/* Resolving source lines takes long, so it is done only when there is something to report. */
static void report_hang(struct hang_watch *watch)
{
	const struct hang_settings *settings = watch->settings;
	char *text = NULL;
	size_t size = 0;
	used_gpus_note(watch->status.bundle,
		       hardware_watch_take(settings->hardware, HARDWARE_WAIT_MS));
	if (!name_hang(watch))
		return;
	FILE *out = open_memstream(&text, &size);
	if (out) {
		hang_print(&watch->rows, &watch->status, out);
		fclose(out);
	}
	if (text && size && !settings->is_quiet)
		show(watch, text, size);
	if (text && size)
		hang_keep_text(watch->status.bundle->path, text, size);
	store(&watch->status);
	watch->has_reported = true;
	free(text);
}

/* The pid in meta.json is not trusted: kill a process only if the memory's name proves it. */
static void end_process(const char *memory_name, long pid)
{
	if (pid > 0 && pid <= INT_MAX && live_memory_is_of(memory_name, (int)pid))
		(void)kill((pid_t)pid, SIGKILL);
}

/* Dump the GPU's state before the process is killed, because killing it loses that state. */
static void dump(const struct hang_watch *watch, long pid)
{
	const struct hang_settings *settings = watch->settings;
	const char *bundle = watch->status.bundle->path;
	if (!*settings->dump.directory)
		return;
	bool is_dumped = hang_dump_take(&settings->dump, pid, bundle);
	char line[PATH_MAX + 64];
	(void)snprintf(line, sizeof(line), "culprit: process %ld: %s%s%s\n", pid,
		       is_dumped ? "its GPU core dump is " : "the driver made no GPU core dump",
		       is_dumped ? bundle : "", is_dumped ? "/" BUNDLE_HUNG_DUMP_NAME : "");
	if (!settings->is_quiet)
		settings->write(settings->state, line, strlen(line));
}

static void check_process(struct hang_watch *watch, const char *name, const struct target *target)
{
	struct process_status *status = &watch->status;
	message_mute(true); /* problems of its bundle are reported when the run ends */
	enum exit_status result = process_status_read(target, status);
	message_mute(false);
	if (!process_status_is_read(result))
		return;
	long pid = status->pid;
	/* A process that waits for the end of a checkpoint does not hang. */
	if (!status->has_snapshot || status->locked_ns || view_failure(&status->bundle->view)) {
		hang_rows_forget(&watch->rows, pid);
	} else if (hang_rows_add(&watch->rows, status, watch->limit_ns, watch->asked)) {
		report_hang(watch);
		/* The process cannot end by itself. Killing it is safe: shared memory survives. */
		if (watch->settings->aborts || watch->asked) {
			watch->ended_by = watch->asked ? watch->asked : SIGABRT;
			if (!watch->asked)
				dump(watch, pid);
			end_process(name, pid);
		}
	}
	process_status_close(status);
}

/* True if the process belongs to this run. */
static bool is_ours(const struct hang_watch *watch, int memory_fd)
{
	const char *reason = NULL;
	json_t *meta = bundle_meta_read(memory_fd, &reason);
	bool is_ours = !strcmp(bundle_meta_text(meta, "run"), watch->settings->run_id);
	json_decref(meta);
	return is_ours;
}

static void check_memory(struct hang_watch *watch, const char *name)
{
	struct target target;
	if (strncmp(name, BUNDLE_MEMORY_PREFIX, strlen(BUNDLE_MEMORY_PREFIX)) != 0 ||
	    live_memory_is_left(name) || target_of_memory(name, &target))
		return;
	if (is_ours(watch, target.memory_fd))
		check_process(watch, name, &target);
	target_close(&target);
}

static void take_snapshots(struct hang_watch *watch)
{
	DIR *list = opendir(BUNDLE_MEMORY_PARENT);
	hang_rows_begin(&watch->rows);
	struct dirent *entry = NULL;
	while (list && (entry = readdir(list)))
		check_memory(watch, entry->d_name);
	if (list)
		closedir(list);
	hang_rows_end(&watch->rows);
}

/* After a SIGTERM or a second Ctrl-C, a few seconds without progress count as a hang. */
static void note_signal(struct hang_watch *watch, int signal_number)
{
	watch->n_interrupts += signal_number == SIGINT ? 1 : 0;
	if (signal_number != SIGTERM && watch->n_interrupts < 2)
		return;
	if (!watch->asked)
		hang_rows_forget_all(&watch->rows);
	watch->asked = signal_number;
	watch->limit_ns = signal_number == SIGINT ? AFTER_INTERRUPT_NS : AFTER_TERMINATION_NS;
	watch->interval_ms = ASKED_INTERVAL_MS;
}

/* True if this round is late because the machine slept or was overloaded. */
static bool is_late(const struct hang_watch *watch, uint64_t now)
{
	return watch->due_ns && now > watch->due_ns + (uint64_t)watch->interval_ms * NS_PER_MS;
}

int hang_watch_tick(void *state, long child, int signal_number)
{
	struct hang_watch *watch = state;
	uint64_t now = monotonic_ns();
	if (signal_number)
		note_signal(watch, signal_number);
	if (!watch->limit_ns)
		return 0;
	if (is_late(watch, now))
		hang_rows_forget_all(&watch->rows);
	take_snapshots(watch);
	watch->due_ns = monotonic_ns() + (uint64_t)watch->interval_ms * NS_PER_MS;
	if (!watch->ended_by)
		return watch->interval_ms;
	/* The hung process is dead. Give the command a short time to clean up. */
	(void)kill((pid_t)child, watch->n_rounds++ ? SIGKILL : SIGTERM);
	return ASKED_INTERVAL_MS;
}
