/*
 * main.c - the command line of the corpus programs: runs one scenario and prints what it saw. Exits
 * with 0 if nothing failed, 1 if the GPU failed, 2 if the scenario could not be run.
 */
#include "corpus.h"
#include "scenarios.h"
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct scenario {
	const char *name;
	enum scenario_start start;
	CUresult (*run)(struct corpus *corpus);
	const char *description;
};

static const struct scenario scenarios[] = {
#define ROW(name, start, description) {#name, START_##start, name, description},
	SCENARIO_ROWS(ROW)
#undef ROW
};

static const size_t n_scenarios = sizeof(scenarios) / sizeof(scenarios[0]);

static int list_scenarios(void)
{
	for (size_t i = 0; i < n_scenarios; i++)
		printf("%-22s %s\n", scenarios[i].name, scenarios[i].description);
	return 0;
}

static int print_usage(void)
{
	fputs("usage: corpus [--truth FILE] [--kernels DIR] SCENARIO\n"
	      "       corpus --list\n",
	      stderr);
	return 2;
}

static const struct scenario *find_scenario(const char *name)
{
	for (size_t i = 0; i < n_scenarios; i++)
		if (!strcmp(scenarios[i].name, name))
			return &scenarios[i];
	fprintf(stderr, "corpus: no scenario %s; --list names them\n", name);
	exit(2);
}

static int run_scenario(struct corpus *corpus, const struct scenario *scenario)
{
	corpus->scenario = scenario->name;
	if (scenario->start == START_CONTEXT)
		corpus_open(corpus);
	CUresult code = scenario->run(corpus);
	if (code)
		printf("failed: %d\n", (int)code);
	corpus_close(corpus);
	return code ? 1 : 0;
}

static void set_kernels(struct corpus *corpus, const char *directory)
{
	if (directory)
		snprintf(corpus->kernels, sizeof(corpus->kernels), "%s", directory);
}

/* Static, because threads and exit handlers may outlive main's frame. */
static struct corpus corpus;

static int read_options(int argc, char **argv)
{
	static const struct option options[] = {{"truth", required_argument, NULL, 't'},
						{"kernels", required_argument, NULL, 'k'},
						{"list", no_argument, NULL, 'l'},
						{NULL, 0, NULL, 0}};
	int option = 0;
	while ((option = getopt_long(argc, argv, "+", options, NULL)) != -1)
		if (option == 't')
			corpus.truth_path = optarg;
		else if (option == 'k')
			set_kernels(&corpus, optarg);
		else if (option == 'l')
			exit(list_scenarios());
		else
			exit(print_usage());
	return optind;
}

static void find_program(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size - 1);
	path[length < 0 ? 0 : length] = '\0';
	corpus.program = path;
}

int main(int argc, char **argv)
{
	static char path[PATH_MAX];
	setvbuf(stdout, NULL, _IOLBF, 0);
	find_program(path, sizeof(path));
	set_kernels(&corpus, getenv("CORPUS_KERNELS"));
	int first = read_options(argc, argv);
	if (first != argc - 1)
		return print_usage();
	driver_open();
	return run_scenario(&corpus, find_scenario(argv[first]));
}
