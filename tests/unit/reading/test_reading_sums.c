/*
 * test_reading_sums.c - what culprit's commands print for random bundles is what was stored. Other
 * tests say what is right; this one notices each change of a printed character.
 *
 * A group is three bundles of one job and a second run of the first. If a change is meant, look at
 * what it changes, for a group that the test names or for all of them, and store the new sums:
 *
 *     diff <(BEFORE/unit_reading_sums print 7) <(build/bin/unit_reading_sums print 7)
 *     build/bin/unit_reading_sums store
 *
 * `first N` reads only the first N groups, for sanitizers.
 */
#include <ftw.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "base/text.h"
#include "command/options.h"
#include "memory/memory_find.h"
#include "memory/memory_labels.h"
#include "model/any_bundle.h"
#include "progress/stall.h"
#include "reading/any_code.h"
#include "reading/any_files.h"
#include "reading/any_rows.h"
#include "reading/reading_commands.h"
#include "reading/reading_run.h"
#include "report/page.h"
#include "report/report_labels.h"
#include "support/check.h"

enum { N_GROUPS = 170, N_RANKS = 3, LINE_SIZE = 256 };

enum { MAX_WORDS = 256, WORD_SIZE = 48 };

/* A word that some output has to have. */
struct word {
	char text[WORD_SIZE];
	bool is_seen;
};

struct sums {
	uint64_t of[N_GROUPS][N_LINES]; /* 0: not run */
	struct word words[MAX_WORDS];
	uint32_t n_words;
};

static struct sums *sums; /* shared with the processes that run the commands */
static char directory[] = "/tmp/culprit-reading-XXXXXX";
static FILE *printed; /* NULL: outputs are not printed */
static const char *wanted = "";

static void add(uint64_t *sum, uint64_t value)
{
	*sum = (*sum ^ value) * 0x9e3779b97f4a7c15u;
	*sum ^= *sum >> 29;
}

static uint64_t sum_of(const struct reading_output *output)
{
	uint64_t sum = (uint64_t)output->status;
	for (size_t i = 0; i < output->size; i++)
		add(&sum, (unsigned char)output->bytes[i]);
	return sum;
}

/* Return the number of a bundle. Some bundles have evidence that is rare. */
static uint64_t number_of(uint64_t group, uint32_t rank)
{
	/* Ranks often make the same mistake. */
	if (rank == 1 && group % 3 == 0)
		rank = 0;
	static const uint32_t rare[] = {613,    813,    897,    933,    307,    1006,   1563,
					3034,   16039,  25523,  26169,  39283,  39623,  46753,
					56245,  78351,  80243,  89176,  91119,  92300,  93118,
					102450, 103131, 106457, 114861, 120389, 1582,   6342,
					7475,   8188,   9008,   12361,  122209, 124766, 130136,
					132954, 136700, 138583, 143206, 144909, 166892, 185730};
	bool is_rare = rank == 2 && group < sizeof(rare) / sizeof(*rare);
	return is_rare ? rare[group] : group * N_RANKS + rank;
}

static void write_bundle(uint64_t number, const char *path, uint32_t rank, uint32_t group,
			 bool is_other_run)
{
	static struct any_bundle any;
	any_bundle_make(&any, number);
	any_rows_add(&any);
	any_checks_add(&any, is_other_run);
	if (any_chance(&any, 50))
		any_code_add(&any, group % ANY_CODE_SAMPLES, READING_CODE);
	bool is_load = any_chance(&any, 8);
	if (is_load)
		any_code_match_load(&any);
	any_files_write(&any, path, rank, group, is_load, READING_DUMPS);
	builder_end(&any.builder);
}

static void look_for_words(const struct reading_output *output)
{
	for (uint32_t i = 0; i < sums->n_words; i++) {
		struct word *word = &sums->words[i];
		if (!word->is_seen)
			word->is_seen =
				memmem(output->bytes, output->size, word->text, strlen(word->text));
	}
}

/* Return an address at a boundary of one of the areas, or near it. */
static uint64_t any_boundary(uint64_t key)
{
	const uint64_t places[] = {0,
				   1,
				   UINT64_MAX,
				   ANY_SPAN - 1,
				   ANY_SPAN,
				   ANY_SPAN + 1,
				   0x800,
				   -MEMORY_NEAR,
				   1 - MEMORY_NEAR,
				   ANY_SPAN + MEMORY_NEAR,
				   ANY_SPAN + MEMORY_NEAR - 1};
	enum { N_PLACES = sizeof(places) / sizeof(*places) };
	uint64_t area = key / N_PLACES % (ANY_AREAS + 2);
	return ANY_MEMORY + area * ANY_AREA + places[key % N_PLACES];
}

/* Put the bundle and the address into a line of a command. */
static void write_line(const char *line, const char *bundle, uint64_t address, char *out)
{
	struct text text = text_in(out, LINE_SIZE);
	for (; *line; line++) {
		if (*line == '@')
			text_addf(&text, "0x%" PRIx64, address);
		else if (*line == '%')
			text_add(&text, bundle);
		else
			text_add(&text, (const char[]){*line, '\0'});
		line += *line == '%';
	}
}

static void run(uint64_t group, uint32_t index, const char *bundle, uint32_t rank)
{
	char command[LINE_SIZE];
	write_line(commands[index].line, bundle, any_boundary(N_RANKS * group + rank), command);
	struct reading_output output = reading_run(command, group, READING_CODE);
	add(&sums->of[group][index], sum_of(&output));
	look_for_words(&output);
	if (printed && strstr(command, wanted)) {
		CHECK(fprintf(printed, "== %s: status %d\n", command, output.status) > 0);
		CHECK(fwrite(output.bytes, 1, output.size, printed) == output.size);
	}
}

/* The commands have global state: each group is read by a process of its own. */
static void read_group(uint64_t group)
{
	char path[32];
	CHECK(!mkdir("again", 0700));
	any_code_write((uint32_t)group % ANY_CODE_SAMPLES, READING_CODE);
	write_bundle(group * N_RANKS, "again/culprit-0", 0, (uint32_t)group, true);
	any_dump_write(group, "core.dump", READING_DUMPS);
	for (uint32_t rank = 0; rank < N_RANKS; rank++) {
		(void)snprintf(path, sizeof(path), "culprit-%u", rank);
		write_bundle(number_of(group, rank), path, rank, (uint32_t)group, false);
	}
	reading_begin();
	for (uint32_t index = 0; index < N_LINES; index++) {
		bool is_of_bundle = strstr(commands[index].line, "%s");
		if (commands[index].turn && commands[index].turn != 1 + (int)(group % N_TURNS))
			continue;
		for (uint32_t rank = 0; rank < (is_of_bundle ? N_RANKS : 1); rank++) {
			(void)snprintf(path, sizeof(path), "culprit-%u", rank);
			run(group, index, path, rank);
		}
	}
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status;
	(void)type;
	return where->level ? remove(path) : 0;
}

static void remove_all(void)
{
	CHECK(!nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS));
}

static void read_in_child(uint64_t group)
{
	int status = 0;
	(void)fflush(NULL);
	pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		CHECK(!chdir(directory));
		read_group(group);
		CHECK(!printed || !fflush(printed));
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child);
	if (status) {
		(void)fprintf(stderr, "group %" PRIu64 " ended with status %d\n", group, status);
		reading_print_rest();
	}
	remove_all();
	if (status)
		exit(1);
}

/* --- Words: a test in which something never occurs would not notice a change of it --- */

static void want(const char *before, const char *word, const char *after)
{
	CHECK(sums->n_words < MAX_WORDS);
	struct word *row = &sums->words[sums->n_words++];
	CHECK(snprintf(row->text, WORD_SIZE, "%s%s%s", before, word, after) < WORD_SIZE);
}

static void want_all(void)
{
	static const char *const evidence[] = {
#define TOPIC(kind, word, ...) word,
#include "explain/evidence.def"
#undef TOPIC
	};
	for (size_t i = 0; i < sizeof(evidence) / sizeof(*evidence); i++)
		want("\"", evidence[i], "\"");
	for (enum page_id id = 0; id < N_PAGE_IDS; id++)
		want("\"", page_id_label(id), "\"");
	for (uint32_t kind = 0; kind < N_RANGE_KINDS; kind++)
		want("", memory_kind_label(kind), "");
	for (int kind = JOURNAL_STRINGS; kind < N_JOURNAL_FILES; kind++)
		want("# ", journal_file_names[kind], ":");
	for (enum verdict_class class = 0; class <= VERDICT_EXACT; class ++)
		want("\"", report_verdict_label(class), "\"");
	for (enum suspect_lead lead = 1; lead < N_SUSPECT_LEADS; lead++)
		want("\"", report_lead_label(lead), "\"");
	for (enum stall_kind kind = 0; kind < N_STALL_KINDS; kind++)
		want("\"", stall_label(kind), "\"");
}

/* True if a command has the option, in its short or long form. */
static bool is_used(const struct option_facts *facts, const char *name)
{
	const char short_form[] = {' ', '-', facts->letter, ' ', '\0'};
	char long_form[WORD_SIZE];
	(void)snprintf(long_form, sizeof(long_form), " --%s ", facts->flag);
	for (uint32_t i = 0; i < N_LINES; i++)
		if (strstr(commands[i].line, name) &&
		    ((facts->letter && strstr(commands[i].line, short_form)) ||
		     strstr(commands[i].line, long_form)))
			return true;
	return false;
}

static void check_all_occur(void)
{
	static const enum command used[] = {COMMAND_report, COMMAND_list,  COMMAND_pack,
					    COMMAND_diff,   COMMAND_trace, COMMAND_dump,
					    COMMAND_memory};
	bool are_all = true;
	for (uint32_t i = 0; i < sums->n_words; i++) {
		const struct word *word = &sums->words[i];
		if (!word->is_seen)
			(void)fprintf(stderr, "in no output: %s\n", word->text);
		are_all = are_all && word->is_seen;
	}
	for (size_t i = 0; i < sizeof(used) / sizeof(*used); i++)
		for (enum option option = 0; option < OPTION_FIRST_SETTING; option++) {
			const struct option_facts *facts = &option_facts[option];
			bool is_missing = facts->command == used[i] &&
					  !is_used(facts, command_facts[used[i]].name);
			if (is_missing)
				(void)fprintf(stderr, "not used: %s --%s\n",
					      command_facts[used[i]].name, facts->flag);
			are_all = are_all && !is_missing;
		}
	CHECK(are_all);
}

/* --- The stored sums --- */

enum { SUMS_SIZE = 32 + 5 * N_LINES };

/* Write the line of a group: four digits of each command's sum. */
static void write_sums(uint64_t group, char out[SUMS_SIZE])
{
	struct text text = text_in(out, SUMS_SIZE);
	text_addf(&text, "%" PRIu64 ":", group);
	for (uint32_t i = 0; i < N_LINES; i++)
		text_addf(&text, sums->of[group][i] ? " %04x" : " -",
			  (unsigned)(sums->of[group][i] >> 48));
	text_add(&text, "\n");
}

static void store(void)
{
	char line[SUMS_SIZE];
	FILE *file = fopen(READING_SUMS, "w");
	CHECK(file);
	for (uint64_t group = 0; group < N_GROUPS; group++) {
		write_sums(group, line);
		CHECK(fputs(line, file) >= 0);
	}
	CHECK(!fclose(file));
}

/* Return true if the next line of the file is the group's; else print which commands differ. */
static bool is_stored(FILE *file, uint64_t group)
{
	char line[SUMS_SIZE] = "";
	char now[SUMS_SIZE];
	write_sums(group, now);
	if (fgets(line, sizeof(line), file) && !strcmp(line, now))
		return true;
	(void)fprintf(stderr, "group %" PRIu64 " has another output:\n", group);
	char *rest = line;
	char *rest_now = now;
	for (int i = -1; i < N_LINES; i++) {
		const char *stored = rest ? strsep(&rest, " \n") : "";
		if (strcmp(stored, strsep(&rest_now, " \n")) != 0 && i >= 0)
			(void)fprintf(stderr, "  %s\n", commands[i].line);
	}
	return false;
}

/* Return true if the outputs are those that were stored, and nothing is missing in them. */
static bool compare(uint32_t n_groups)
{
	enum { MANY = 10 };
	uint32_t n_other = 0;
	FILE *file = fopen(READING_SUMS, "r");
	CHECK(file);
	for (uint32_t group = 0; group < n_groups && n_other < MANY; group++) {
		read_in_child(group);
		n_other += !is_stored(file, group);
	}
	CHECK(!fclose(file));
	if (n_other == 0 && n_groups == N_GROUPS)
		check_all_occur();
	if (n_other)
		(void)fprintf(stderr, "print the outputs of a group before and after the change: "
				      "unit_reading_sums print GROUP [PART-OF-COMMAND]\n");
	return n_other == 0;
}

/* Return the exit status. */
static int read_all(const char *mode, const char *number, const char *part)
{
	uint32_t n = (uint32_t)strtoul(number, NULL, 0);
	if (!strcmp(mode, "print")) {
		wanted = part;
		printed = fdopen(dup(STDOUT_FILENO), "w");
		read_in_child(n);
		return 0;
	}
	if (strcmp(mode, "store") != 0)
		return compare(!strcmp(mode, "first") && n < N_GROUPS ? n : N_GROUPS) ? 0 : 1;
	for (uint64_t group = 0; group < N_GROUPS; group++)
		read_in_child(group);
	check_all_occur();
	store();
	return 0;
}

int main(int argc, char **argv)
{
	sums = mmap(NULL, sizeof(*sums), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(sums != MAP_FAILED);
	want_all();
	CHECK(mkdtemp(directory));
	reading_open();
	int status =
		read_all(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "", argc > 3 ? argv[3] : "");
	CHECK(!rmdir(directory));
	return status;
}
