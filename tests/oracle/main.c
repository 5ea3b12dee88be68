/*
 * main.c - the oracle's program: makes a random CUDA program from a seed and runs it, or shows it.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate_doors.h"
#include "program.h"

static const char usage[] =
	"usage: oracle [--truth FILE] --kernels FILE SEED   run the program of that seed\n"
	"       oracle --print SEED                         show it as a list of calls\n"
	"  --clean   without its fault\n"
	"  --door NAME   make some calls past culprit: deepbind, dlsym, table or heap\n"
	"  --plugin FILE   oracle_plugin.so, which deepbind opens\n"
	"  FILE      of --kernels: oracle.so for simcuda, oracle.fatbin for a GPU;\n"
	"            of --truth: gets a line of JSON about the program, its bad call and its end\n"
	"Exit status: 0 no error, 1 the fault was seen, 2 anything else.\n";

static const struct option long_options[] = {
	{"truth", required_argument, NULL, 't'},  {"kernels", required_argument, NULL, 'k'},
	{"print", no_argument, NULL, 'p'},        {"clean", no_argument, NULL, 'c'},
	{"help", no_argument, NULL, 'h'},         {"door", required_argument, NULL, 'd'},
	{"plugin", required_argument, NULL, 'l'}, {NULL, 0, NULL, 0}};

static enum door door_of(const char *name)
{
	for (enum door door = DOOR_NONE; door < N_DOORS; door++)
		if (!strcmp(door_names[door], name))
			return door;
	fputs(usage, stderr);
	exit(2);
}

/* Write the properties by which the judge groups programs. */
static void tell_program(const struct program *program, const char *truth_path)
{
	FILE *truth = truth_path ? fopen(truth_path, "ae") : NULL;
	if (!truth)
		return;
	fprintf(truth,
		"{\"truth\": \"program\", \"seed\": %llu, \"fault\": \"%s\", \"threads\": %u, "
		"\"streams\": %u, \"contexts\": %u, \"graphs\": %u, \"door\": \"%s\"}\n",
		(unsigned long long)program->seed, fault_names[program->fault], program->n_threads,
		program->n_streams_used, program->n_contexts, program->n_graphs,
		door_names[program->door]);
	fclose(truth);
}

int main(int argc, char **argv)
{
	static struct program program;
	const char *kernels_path = NULL;
	const char *truth_path = NULL;
	const char *plugin_path = NULL;
	enum door door = DOOR_NONE;
	bool is_clean = false, prints = false;
	int option = 0;
	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (option == 't')
			truth_path = optarg;
		else if (option == 'k')
			kernels_path = optarg;
		else if (option == 'p')
			prints = true;
		else if (option == 'c')
			is_clean = true;
		else if (option == 'd')
			door = door_of(optarg);
		else if (option == 'l')
			plugin_path = optarg;
		else
			return fputs(usage, option == 'h' ? stdout : stderr), option == 'h' ? 0 : 2;
	}
	if (argc - optind != 1 || (!prints && !kernels_path))
		return fputs(usage, stderr), 2;
	program_generate(strtoull(argv[optind], NULL, 10), is_clean, &program);
	if (door)
		generate_doors(&program, door);
	if (prints)
		return program_print(&program), 0;
	tell_program(&program, truth_path);
	return program_run(&program, kernels_path, truth_path, plugin_path);
}
