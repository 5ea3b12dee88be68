/*
 * main.c - runs one scenario: memory_host NAME [WHAT].
 */
#include <stdio.h>
#include <string.h>

#include "host.h"
#include "scenarios.h"

static const struct {
	const char *name;
	int (*run)(const char *what);
} scenarios[] = {
	{"address", give_address},
	{"fault", miss_memory},
	{"limit", exceed_limits},
	{"kinds", make_kinds},
	{"exhaustion", run_out_of_memory},
	{"many", make_many},
	{"odd", be_odd},
	{"recover", recover},
	{"refusals", refuse_launches},
	{"host_memory", misuse_host_memory},
	{"unmap", unmap_under_copy},
	{"order", free_in_order},
	{"images", refuse_images},
	{"load", load_image},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		if (strcmp(argv[1], scenarios[i].name) != 0)
			continue;
		host_open();
		return scenarios[i].run(argc > 2 ? argv[2] : "");
	}
	fprintf(stderr, "memory_host: no such scenario\n");
	return 2;
}
