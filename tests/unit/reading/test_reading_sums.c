/*
 * test_reading_sums.c - what culprit's commands print for random bundles is what was stored. Other
 * tests say what is right; this one notices each change of a printed character.
 *
 * A group is three bundles of one job and a second run of the first. If a change is meant, look at
 * what it changes, for a group that the test names or for all of them, and store the new sums:
 *
 *     diff <(BEFORE/unit_reading_sums print 7) <(build/bin/unit_reading_sums print 7)
 *     build/bin/unit_reading_sums store
 */
#include <ftw.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "command/options.h"
#include "memory/memory_labels.h"
#include "model/any_bundle.h"
#include "progress/stall.h"
#include "reading/any_code.h"
#include "reading/any_files.h"
#include "reading/any_rows.h"
#include "reading/reading_run.h"
#include "report/page.h"
#include "report/report_labels.h"
#include "support/check.h"

enum { N_GROUPS = 80, N_RANKS = 3, LINE_SIZE = 256 };

/* One with %s runs for each bundle of a group, the others for the group. */
static const char *const commands[] = {
	"report %s",
	"report -v %s",
	"report --verbose --redact %s",
	"report --color always %s",
	"report -f json %s",
	"report -f json --redact %s",
	"report -f markdown %s",
	"report -f html %s",
	"report --symfs / --symbol-wait 1 -c core.dump %s",
	"dump %s",
	"dump -F ring %s",
	"trace %s",
	"trace -f chrome %s",
	"trace -o trace.txt %s",
	"memory %s",
	"memory --by library --top 2 %s",
	"memory --by thread %s",
	"memory --by kind -f json %s",
	"memory -f json %s",
	"memory -f torch %s",
	"memory -o memory.txt %s",
	"memory --at fault %s",
	"memory --at fault -f json %s",
	"memory --at 0x700000001200 %s",
	"memory --at 0x700000013010 -f json %s",
	"memory --since 0.00005 %s",
	"memory --leaks --fail-code 7 %s",
	"pack -o pack-%s %s",
	"report pack-%s",
	"report -v pack-%s",
	"pack --keep-secrets --no-source -o secret-%s %s",
	"report -f json secret-%s",
	"diff culprit-0 again/culprit-0",
	"diff -o diff.txt culprit-1 culprit-2",
	"memory --diff again/culprit-0 culprit-0",
	"report .",
	"report -v .",
	"report -f json .",
	"report -f html --redact .",
	"report -f junit .",
	"report -f sarif .",
	"report -f gitlab .",
	"report -f github .",
	"report -f markdown .",
	"list -o list.txt .",
	"list .",
	"list -f tsv --since 2001-09-09T01:46:41Z .",
	"list -f prometheus .",
	"report -f json -o again/culprit-0/report.json again/culprit-0",
	"report -v -o again/culprit-0/report.txt again/culprit-0",
	"list --fingerprint a . again",
	"report again",
	"dump -o dump.txt core.dump",
	"dump core.dump",
	"explain 719",
	"explain launch.grid_is_zer",
};
enum { N_COMMANDS_HERE = sizeof(commands) / sizeof(*commands) };

enum { MAX_WORDS = 256, WORD_SIZE = 48 };

/* A word that some output has to have. */
struct word {
	char text[WORD_SIZE];
	bool is_seen;
};

struct sums {
	uint64_t of_group[N_GROUPS];
	uint64_t of_command[N_COMMANDS_HERE];
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
	static const uint32_t rare[] = {613,    813,    897,  933,  307,   1006,  1009,  16039,
					143206, 166892, 1563, 3034, 25523, 39283, 46753, 1582,
					6342,   7475,   8188, 9008, 12361, 13414, 13462};
	bool is_rare = rank == 2 && group < sizeof(rare) / sizeof(*rare);
	return is_rare ? rare[group] : group * N_RANKS + rank;
}

static void write_bundle(uint64_t number, const char *path, uint32_t rank, bool is_other_run)
{
	static struct any_bundle any;
	any_bundle_make(&any, number);
	any_rows_add(&any);
	any_checks_add(&any, is_other_run);
	if (any_chance(&any, 50))
		any_code_add(&any, READING_CODE);
	bool is_load = any_chance(&any, 8);
	if (is_load)
		any_code_match_load(&any);
	any_files_write(&any, path, rank, is_load, READING_DUMPS);
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

static void run(uint64_t group, uint32_t index, const char *bundle)
{
	char command[LINE_SIZE];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	(void)snprintf(command, sizeof(command), commands[index], bundle, bundle);
#pragma GCC diagnostic pop
	struct reading_output output = reading_run(command);
	uint64_t sum = sum_of(&output);
	add(&sums->of_group[group], sum);
	add(&sums->of_command[index], sum);
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
	write_bundle(group * N_RANKS, "again/culprit-0", 0, true);
	any_dump_write(group, "core.dump", READING_DUMPS);
	for (uint32_t rank = 0; rank < N_RANKS; rank++) {
		(void)snprintf(path, sizeof(path), "culprit-%u", rank);
		write_bundle(number_of(group, rank), path, rank, false);
	}
	reading_begin();
	for (uint32_t index = 0; index < N_COMMANDS_HERE; index++) {
		bool is_of_bundle = strstr(commands[index], "%s");
		for (uint32_t rank = 0; rank < (is_of_bundle ? N_RANKS : 1); rank++) {
			(void)snprintf(path, sizeof(path), "culprit-%u", rank);
			run(group, index, path);
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
		exit(1);
	}
	remove_all();
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
	for (uint32_t i = 0; i < N_COMMANDS_HERE; i++)
		if (!strncmp(commands[i], name, strlen(name)) &&
		    ((facts->letter && strstr(commands[i], short_form)) ||
		     strstr(commands[i], long_form)))
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

static void store(void)
{
	FILE *file = fopen(READING_SUMS, "w");
	CHECK(file);
	for (uint32_t i = 0; i < N_COMMANDS_HERE; i++)
		CHECK(fprintf(file, "%016" PRIx64 " %s\n", sums->of_command[i], commands[i]) > 0);
	for (uint32_t i = 0; i < N_GROUPS; i++)
		CHECK(fprintf(file, "%016" PRIx64 " group %u\n", sums->of_group[i], i) > 0);
	CHECK(!fclose(file));
}

/* Return true if the next line is that of `name` with this sum; else say so. */
static bool is_stored(FILE *file, uint64_t sum, const char *name)
{
	char line[LINE_SIZE];
	char now[LINE_SIZE];
	(void)snprintf(now, sizeof(now), "%016" PRIx64 " %s\n", sum, name);
	if (fgets(line, sizeof(line), file) && !strcmp(line, now))
		return true;
	(void)fprintf(stderr, "another output: %s\n", name);
	return false;
}

static bool are_stored(void)
{
	FILE *file = fopen(READING_SUMS, "r");
	bool are_same = true;
	CHECK(file);
	for (uint32_t i = 0; i < N_COMMANDS_HERE; i++)
		are_same = is_stored(file, sums->of_command[i], commands[i]) && are_same;
	for (uint32_t i = 0; i < N_GROUPS; i++) {
		char name[32];
		(void)snprintf(name, sizeof(name), "group %u", i);
		are_same = is_stored(file, sums->of_group[i], name) && are_same;
	}
	CHECK(!fclose(file));
	if (!are_same)
		(void)fprintf(stderr, "print the outputs of a group before and after the change: "
				      "unit_reading_sums print GROUP [PART-OF-COMMAND]\n");
	return are_same;
}

int main(int argc, char **argv)
{
	bool is_print = argc > 2 && !strcmp(argv[1], "print");
	sums = mmap(NULL, sizeof(*sums), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(sums != MAP_FAILED);
	want_all();
	CHECK(mkdtemp(directory));
	reading_open();
	if (is_print) {
		wanted = argc > 3 ? argv[3] : "";
		printed = fdopen(dup(STDOUT_FILENO), "w");
		read_in_child(strtoull(argv[2], NULL, 0));
	} else {
		for (uint64_t group = 0; group < N_GROUPS; group++)
			read_in_child(group);
	}
	CHECK(!rmdir(directory));
	if (argc > 1 && !strcmp(argv[1], "store"))
		store();
	if (is_print)
		return 0;
	check_all_occur();
	return argc > 1 || are_stored() ? 0 : 1;
}
