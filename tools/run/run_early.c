/*
 * run_early.c - watches the slot. Its writers store into memory and ring the bell, a futex, for
 * which a thread waits here.
 */
#include "run/run_parts.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/run_slot_layout.h"
#include "command/message.h"
#include "report/terminal.h"
#include "run/run_slot.h"

enum { MAX_LINES = 8 };

/* Avoid the number of a standard stream that is closed. */
static int move_up(int low_fd)
{
	int fd = fcntl(low_fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(low_fd);
	return fd;
}

/* Use a pipe, since its events can come as a signal. */
static bool open_events(struct run_early *early)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		return false;
	early->events_fd = move_up(ends[0]);
	early->bell_fd = move_up(ends[1]);
	return early->events_fd >= 0 && early->bell_fd >= 0;
}

static void *wait_for_bell(void *state)
{
	struct run_early *early = state;
	uint32_t heard = 0;
	while (!__atomic_load_n(&early->is_ending, __ATOMIC_ACQUIRE)) {
		/* Pairs with the release of the thread that rings. */
		uint32_t bell = __atomic_load_n(&early->slot->bell, __ATOMIC_ACQUIRE);
		if (bell == heard)
			syscall(SYS_futex, &early->slot->bell, FUTEX_WAIT, bell, NULL, NULL, 0);
		else
			/* A full pipe already holds enough events. */
			(void)!write(early->bell_fd, "", 1);
		heard = bell;
	}
	return NULL;
}

/* Block the signals that the main thread waits for. */
static bool start_thread(struct run_early *early)
{
	sigset_t all;
	sigfillset(&all);
	sigset_t before;
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = pthread_create(&early->thread, NULL, wait_for_bell, early);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return !error;
}

static void *map_slot(int slot_fd)
{
	void *base = mmap(NULL, RUN_SLOT_HEAD, PROT_READ | PROT_WRITE, MAP_SHARED, slot_fd, 0);
	return base == MAP_FAILED ? NULL : base;
}

static void unmap_slot(struct run_early *early)
{
	if (early->slot)
		munmap(early->slot, RUN_SLOT_HEAD);
	early->slot = NULL;
}

void run_early_begin(int slot_fd, bool is_quiet, struct run_early *out)
{
	*out = (struct run_early){
		.slot_fd = slot_fd, .events_fd = -1, .bell_fd = -1, .is_quiet = is_quiet};
	if (slot_fd < 0)
		return;
	out->looked_at = calloc(RUN_SLOT_MAX_ENTRIES / CHAR_BIT, 1);
	out->slot = map_slot(slot_fd);
	if (out->looked_at && out->slot && open_events(out) && start_thread(out))
		return;
	unmap_slot(out);
	run_early_end(out);
}

/* Empty the pipe before reading the slot: later entries make a new event. */
static void take_events(int fd)
{
	char events[4096];
	while (fd >= 0 && read(fd, events, sizeof(events)) > 0)
		;
}

/* The line has the terminal's width, and the colours of the full report. */
static void show_line(const char *text, size_t size)
{
	struct terminal terminal = terminal_of(STDERR_FILENO, TERMINAL_NEVER);
	terminal_print(&terminal, text, size, stderr);
	if (!terminal.columns && !terminal.is_ascii)
		fputc('\n', stderr);
}

/* True only once for each entry. */
static bool is_new(struct run_early *early, uint32_t entry)
{
	unsigned char bit = (unsigned char)(1u << (entry % CHAR_BIT));
	bool is_known = early->looked_at[entry / CHAR_BIT] & bit;
	early->looked_at[entry / CHAR_BIT] |= bit;
	return !is_known;
}

static void tell(struct run_early *early, const struct run_verdict *verdict)
{
	const char *end = memchr(verdict->text, '\n', verdict->size);
	if (early->n_lines < MAX_LINES) {
		message_end_line();
		show_line(verdict->text, end ? (size_t)(end - verdict->text) : verdict->size);
	} else if (early->n_lines == MAX_LINES) {
		message("more failures are told when the command has ended");
	}
	early->n_lines += early->n_lines <= MAX_LINES ? 1 : 0;
}

void run_early_print(void *state)
{
	struct run_early *early = state;
	take_events(early->events_fd);
	if (early->is_quiet)
		return;
	if (!early->looked_at)
		early->looked_at = calloc(RUN_SLOT_MAX_ENTRIES / CHAR_BIT, 1);
	struct run_reported told;
	run_slot_read(early->slot_fd, &told);
	for (size_t index = 0; early->looked_at && index < told.n_verdicts; index++) {
		const struct run_verdict *verdict = &told.verdicts[index];
		if (is_new(early, verdict->entry) && !verdict->is_shown)
			tell(early, verdict);
	}
	run_reported_free(&told);
}

static void stop_thread(struct run_early *early)
{
	__atomic_store_n(&early->is_ending, true, __ATOMIC_RELEASE);
	/* Ring like any writer: the thread may be just about to wait. */
	__atomic_fetch_add(&early->slot->bell, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &early->slot->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	pthread_join(early->thread, NULL);
}

void run_early_end(struct run_early *early)
{
	if (early->slot)
		stop_thread(early);
	unmap_slot(early);
	if (early->events_fd >= 0)
		close(early->events_fd);
	if (early->bell_fd >= 0)
		close(early->bell_fd);
	early->events_fd = -1;
	early->bell_fd = -1;
	free(early->looked_at);
	early->looked_at = NULL;
}
