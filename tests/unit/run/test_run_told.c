/*
 * test_run_told.c - what a run reads from its slot after other runs and hostile processes wrote to
 * it.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/run_slot_layout.h"
#include "base/text.h"
#include "run/run_slot.h"
#include "support/check.h"

static char run[128];
static int slot;
static char printed[4096];

static struct run_slot_header read_header(void)
{
	struct run_slot_header header;
	CHECK_EQUAL(pread(slot, &header, sizeof(header), 0), sizeof(header));
	return header;
}

static void write_header(const struct run_slot_header *header)
{
	CHECK_EQUAL(pwrite(slot, header, sizeof(*header), 0), sizeof(*header));
}

/* Take the next entry as a process does. */
static void write_entry(const struct run_slot_entry *entry, const char *text)
{
	struct run_slot_header header = read_header();
	size_t at = run_slot_text_at(header.capacity, header.n_entries);
	CHECK_EQUAL(pwrite(slot, text, strlen(text), (off_t)at), strlen(text));
	CHECK_EQUAL(pwrite(slot, entry, sizeof(*entry), (off_t)run_slot_entry_at(header.n_entries)),
		    sizeof(*entry));
	header.n_entries++;
	write_header(&header);
}

static void begin(void)
{
	slot = run_slot_open(run, sizeof(run));
	CHECK(slot > STDERR_FILENO);
	CHECK_EQUAL(fcntl(slot, F_GETFD), FD_CLOEXEC);
}

static void end(void)
{
	CHECK_EQUAL(close(slot), 0);
}

/* Print all that the run reads. */
static const char *print_slot(void)
{
	struct run_reported told;
	struct text text = text_in(printed, sizeof(printed));
	run_slot_read(slot, &told);
	for (size_t i = 0; i < told.n_verdicts; i++)
		text_addf(&text, "%u: %ld %.*s%s%s\n", told.verdicts[i].entry, told.verdicts[i].pid,
			  (int)told.verdicts[i].size, told.verdicts[i].text,
			  told.verdicts[i].is_shown ? ", shown" : "",
			  told.verdicts[i].is_told ? ", told" : "");
	for (size_t i = 0; i < told.n_processes; i++)
		text_addf(&text, "end of %ld: %" PRIu64 "\n", told.processes[i].pid,
			  told.processes[i].n_submissions);
	run_reported_free(&told);
	CHECK(!told.verdicts && !told.n_verdicts && !told.processes && !told.n_processes);
	return printed;
}

static void test_passed_on(void)
{
	begin();
	CHECK_STRING(print_slot(), "");
	run_slot_pass_verdict(run, 7, "first", 5, false);
	run_slot_pass_end(run, 8, 12);
	CHECK_EQUAL(read_header().bell, 1);
	CHECK(!run_slot_has_fatal(slot, 0));
	run_slot_pass_verdict(run, 9, "second\033 text", 12, true);
	run_slot_pass_fatal(run);
	CHECK_STRING(print_slot(), "0: 7 first\n2: 9 second? text, shown\nend of 8: 12\n");
	CHECK_EQUAL(read_header().n_entries, 4);
	CHECK_EQUAL(read_header().bell, 3);
	CHECK(run_slot_has_fatal(slot, 0) && run_slot_has_fatal(slot, getpid()));
	CHECK(!run_slot_has_fatal(slot, 7));
	end();
}

/* There is no such run, or no run at all. */
static void test_no_run(void)
{
	begin();
	int before = dup(0);
	CHECK_EQUAL(close(before), 0);
	char other[sizeof(run)];
	memcpy(other, run, sizeof(run));
	other[0]++;
	run_slot_pass_verdict(other, 7, "text", 4, false);
	run_slot_pass_fatal("");
	run_slot_pass_end(run, 8, 1);
	int after = dup(0);
	CHECK_EQUAL(close(after), 0);
	CHECK_EQUAL(after, before);
	CHECK_STRING(print_slot(), "end of 8: 1\n");
	end();
}

/* A slot that is full, or nearly, is written within its entries only. */
static void test_full(void)
{
	begin();
	struct run_slot_header header = read_header();
	struct stat before;
	struct stat after;
	header.n_entries = header.capacity - 1;
	write_header(&header);
	run_slot_pass_end(run, 8, 1);
	CHECK_STRING(print_slot(), "end of 8: 1\n");
	CHECK_EQUAL(fstat(slot, &before), 0);
	run_slot_pass_verdict(run, 7, "text", 4, false);
	run_slot_pass_fatal(run);
	CHECK_EQUAL(fstat(slot, &after), 0);
	CHECK_EQUAL(after.st_size, before.st_size);
	CHECK_EQUAL(read_header().bell, 0);
	struct run_slot_entry behind;
	CHECK_EQUAL(pread(slot, &behind, sizeof(behind), (off_t)run_slot_entry_at(header.capacity)),
		    sizeof(behind));
	CHECK_EQUAL(behind.pid, 0);
	CHECK_STRING(print_slot(), "end of 8: 1\n");
	end();
}

/* A text that is longer than its place is cut, in the slot of the other run. */
static void test_long_text(void)
{
	static char text[RUN_SLOT_TEXT_SIZE + 2];
	struct run_reported told;
	begin();
	memset(text, 'x', sizeof(text));
	run_slot_pass_verdict(run, 7, text, sizeof(text), false);
	run_slot_read(slot, &told);
	CHECK_EQUAL(told.n_verdicts, 1);
	CHECK_EQUAL(told.verdicts[0].size, RUN_SLOT_TEXT_SIZE);
	CHECK(run_reported_find(&told, 7) == told.verdicts && !run_reported_find(&told, 8));
	told.verdicts[0].is_told = true;
	CHECK(!run_reported_find(&told, 7));
	run_reported_add_process(&told, 5, 6);
	CHECK(run_reported_process(&told, 5) == told.processes && !run_reported_process(&told, 7));
	run_reported_free(&told);
	end();
}

/* The earliest verdict is first. Entries that are empty or hostile are left out. */
static void test_entries(void)
{
	begin();
	write_entry(&(struct run_slot_entry){.pid = 1, .published_ns = 30, .text_size = 5},
		    "third");
	write_entry(&(struct run_slot_entry){.pid = 2, .published_ns = 10, .text_size = 5},
		    "first");
	write_entry(&(struct run_slot_entry){.published_ns = 1, .text_size = 2}, "no process");
	write_entry(&(struct run_slot_entry){.pid = 3, .published_ns = 1}, "no size");
	write_entry(&(struct run_slot_entry){.pid = 4, .text_size = RUN_SLOT_TEXT_SIZE + 1},
		    "long");
	write_entry(&(struct run_slot_entry){.flags = RUN_SLOT_FINISHED, .n_submissions = 3}, "");
	write_entry(&(struct run_slot_entry){.pid = 5, .n_submissions = 3}, "");
	write_entry(&(struct run_slot_entry){.pid = 6,
					     .flags = RUN_SLOT_FINISHED | RUN_SLOT_SHOWN,
					     .n_submissions = 3,
					     .published_ns = 20,
					     .text_size = 6},
		    "second");
	static const char wanted[] = "1: 2 first\n7: 6 second, shown\n0: 1 third\nend of 6: 3\n";
	CHECK_STRING(print_slot(), wanted);
	struct run_slot_header header = read_header();
	struct run_slot_header hostile = header;
	hostile.magic++;
	write_header(&hostile);
	CHECK_STRING(print_slot(), "");
	hostile = header;
	hostile.capacity = RUN_SLOT_MAX_ENTRIES + 1;
	write_header(&hostile);
	CHECK_STRING(print_slot(), "");
	hostile = header;
	hostile.n_entries = UINT32_MAX;
	write_header(&hostile);
	CHECK_STRING(print_slot(), wanted);
	end();
	slot = -1;
	CHECK_STRING(print_slot(), "");
}

static void test_command(void)
{
	begin();
	CHECK_EQUAL(read_header().command, 0);
	run_slot_note_command(slot);
	CHECK_EQUAL(read_header().command, getpid());
	end();
}

/* A limit of file sizes leaves room for fewer entries, or for none. */
static void test_limit(void)
{
	struct rlimit limit = {.rlim_cur = run_slot_size(RUN_SLOT_MAX_ENTRIES / 4),
			       .rlim_max = RLIM_INFINITY};
	CHECK_EQUAL(getrlimit(RLIMIT_FSIZE, &(struct rlimit){0}), 0);
	CHECK_EQUAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
	begin();
	CHECK_EQUAL(read_header().capacity, RUN_SLOT_MAX_ENTRIES / 4);
	end();
	limit.rlim_cur--;
	CHECK_EQUAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
	begin();
	CHECK_EQUAL(read_header().capacity, RUN_SLOT_MAX_ENTRIES / 8);
	end();
	limit.rlim_cur = 4096;
	CHECK_EQUAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
	int before = dup(0);
	CHECK_EQUAL(close(before), 0);
	CHECK_EQUAL(run_slot_open(run, sizeof(run)), -EFBIG);
	int after = dup(0);
	CHECK_EQUAL(close(after), 0);
	CHECK_EQUAL(after, before);
}

int main(void)
{
	test_passed_on();
	test_no_run();
	test_full();
	test_long_text();
	test_entries();
	test_command();
	check_in_child(test_limit);
	return 0;
}
