/*
 * main.c - robust SCENARIO: runs one host of scenarios.h.
 */
#include <stdio.h>
#include <string.h>

#include "scenarios.h"

static const struct scenario {
	const char *name;
	int (*run)(void);
	const char *description;
} scenarios[] = {
#define ROW(name, description) {#name, name, description},
	SCENARIOS(ROW)
#undef ROW
};

static const size_t n_scenarios = sizeof(scenarios) / sizeof(*scenarios);

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < n_scenarios; i++) {
		if (argc == 2 && !strcmp(argv[1], scenarios[i].name))
			return scenarios[i].run();
	}
	fputs("usage: robust SCENARIO, one of\n", stderr);
	for (size_t i = 0; i < n_scenarios; i++)
		fprintf(stderr, "  %-22s %s\n", scenarios[i].name, scenarios[i].description);
	return 2;
}
