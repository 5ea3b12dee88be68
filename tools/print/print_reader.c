/*
 * print_reader.c - poll the rings, every millisecond while they fill and less often otherwise: a
 * write to mapped memory wakes no reader. New processes are announced by inotify.
 */
#include "print/print_reader.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "print/print_parts.h"

enum { BUSY_MS = 1, IDLE_MS = 4 }; /* launches in a loop fill a ring of 64k records in 30 ms */
enum {
	TURNS = 16
}; /* between two searches for new rings and processes, which take dozens of system calls */

static bool is_known(const struct print_reader *reader, const char *name)
{
	for (const struct printed_process *at = reader->processes; at; at = at->next)
		if (!strcmp(at->name, name))
			return true;
	for (size_t i = 0; i < reader->n_others; i++)
		if (!strcmp(reader->others[i], name))
			return true;
	return false;
}

static void add_other(struct print_reader *reader, const char *name)
{
	char **others = realloc(reader->others, (reader->n_others + 1) * sizeof(*others));
	char *copy = strdup(name);
	if (others)
		reader->others = others;
	if (others && copy)
		others[reader->n_others++] = copy;
	else
		free(copy);
}

static void check_name(struct print_reader *reader, const char *name)
{
	if (strncmp(name, BUNDLE_MEMORY_PREFIX, strlen(BUNDLE_MEMORY_PREFIX)) != 0 ||
	    strlen(name) >= BUNDLE_MEMORY_NAME_MAX || is_known(reader, name))
		return;
	bool is_other = false;
	struct printed_process *process = printed_process_open(name, reader->run, &is_other);
	if (is_other)
		add_other(reader, name);
	if (!process)
		return;
	process->next = reader->processes;
	reader->processes = process;
}

static void find_processes(struct print_reader *reader)
{
	DIR *list = opendir(BUNDLE_MEMORY_PARENT);
	struct dirent *entry = NULL;
	while (list && (entry = readdir(list)))
		check_name(reader, entry->d_name);
	if (list)
		closedir(list);
}

/* Answer the processes' questions about kernels, for which their launches wait. */
static void answer(const struct print_reader *reader)
{
	for (struct printed_process *at = reader->processes; at; at = at->next)
		kernel_names_answer(at, reader->chosen);
}

static void flush(struct print_reader *reader)
{
	if (reader->n_read)
		print_queue_put(reader->queue, reader->read, reader->n_read);
	reader->n_read = 0;
}

/* Return a free entry of the batch. */
static struct print_entry *next_entry(struct print_reader *reader, struct printed_ring *ring)
{
	if (reader->n_read == READER_BATCH)
		flush(reader);
	struct print_entry *entry = &reader->read[reader->n_read++];
	entry->ring = ring;
	entry->n_lost = 0;
	return entry;
}

/* The owner has overwritten unread records: continue with one that will not be overwritten soon. */
static void skip_lost(struct print_reader *reader, struct printed_ring *ring, uint64_t found,
		      uint64_t capacity)
{
	uint64_t next = found - capacity + capacity / 4;
	if (next <= ring->next)
		next = ring->next + 1;
	next_entry(reader, ring)->n_lost = next - ring->next;
	ring->next = next;
}

/* Read a ring's new records. Return true if there were any. */
static bool read_ring(struct print_reader *reader, struct printed_ring *ring)
{
	struct printed_process *process = ring->process;
	const struct view_rows *rows = &process->rings_view.rings[ring->slot];
	uint64_t begin = ring->next;
	char name[32];
	snprintf(name, sizeof(name), BUNDLE_RING_PREFIX "%u", ring->slot);
	(void)mapped_file_view(&ring->file, process->fd, name, &process->rings_view);
	struct journal_record record;
	for (uint64_t n = 0; n < rows->n_rows; n++) {
		uint64_t place = rows->capacity ? ring->next % rows->capacity : 0;
		if (!view_record(&process->rings_view, ring->slot, place, &record) ||
		    record.commit <= ring->next)
			break; /* it is not written yet, or is being written */
		if (record.commit != ring->next + 1) {
			skip_lost(reader, ring, record.commit, rows->capacity);
			continue;
		}
		ring->next++;
		next_entry(reader, ring)->record = record;
	}
	return ring->next != begin;
}

bool print_reader_read(struct print_reader *reader)
{
	bool has_any = false;
	for (struct printed_process *process = reader->processes; process;
	     process = process->next) {
		if (reader->n_turns == 0)
			printed_process_find_rings(process);
		for (uint32_t slot = 0; slot < process->n_rings; slot++)
			if (process->rings[slot] && read_ring(reader, process->rings[slot]))
				has_any = true;
	}
	flush(reader);
	reader->n_turns = has_any ? (reader->n_turns + 1) % TURNS : 0;
	return has_any;
}

/* Wait for the next turn. Return true if the command has exited. */
static bool await(struct print_reader *reader, int events_fd, bool is_busy)
{
	struct pollfd fds[] = {{.fd = reader->end_fd, .events = POLLIN},
			       {.fd = events_fd, .events = POLLIN}};
	if (poll(fds, 2, is_busy ? BUSY_MS : IDLE_MS) <= 0)
		return false;
	char events[4096];
	while (fds[1].revents && read(events_fd, events, sizeof(events)) > 0)
		reader->n_turns = 0;
	return fds[0].revents != 0;
}

void *print_reader_run(void *state)
{
	struct print_reader *reader = state;
	int events_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	bool is_ended = false;
	if (events_fd >= 0)
		(void)inotify_add_watch(events_fd, BUNDLE_MEMORY_PARENT, IN_CREATE);
	while (!is_ended) {
		if (reader->n_turns == 0)
			find_processes(reader);
		answer(reader);
		bool is_busy = print_reader_read(reader);
		is_ended = await(reader, events_fd, is_busy);
	}
	/* Read once more and stop, even if a daemon that the command left keeps writing. */
	reader->n_turns = 0;
	find_processes(reader);
	(void)print_reader_read(reader);
	if (events_fd >= 0)
		close(events_fd);
	print_queue_end(reader->queue);
	return NULL;
}
