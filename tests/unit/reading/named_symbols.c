/*
 * named_symbols.c - replaces tools/symbols: names and lines follow from the question alone, so that
 * no file of this machine is read.
 */
#include "reading/named_symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/symbols.h"

static bool has_problems;

enum { MAX_COPIES = 4096 };

struct symbols {
	void (*mask)(void *state, char *bytes, size_t size);
	void *state;
	size_t n_copies;
	char *copies[MAX_COPIES];
};

void named_symbols_spoil(bool are_spoiled)
{
	has_problems = are_spoiled;
}

struct symbols *symbols_open(unsigned wait_seconds)
{
	(void)wait_seconds;
	return calloc(1, sizeof(struct symbols));
}

void symbols_close(struct symbols *symbols)
{
	for (size_t i = 0; symbols && i < symbols->n_copies; i++)
		free(symbols->copies[i]);
	free(symbols);
}

void symbols_share(bool is_shared)
{
	(void)is_shared;
}

void symbols_set_root(const char *directory)
{
	(void)directory;
}

int symbols_filter(struct symbols *symbols, const struct bundle_view *view,
		   void (*mask)(void *state, char *bytes, size_t size), void *state)
{
	(void)view;
	symbols->mask = mask;
	symbols->state = state;
	return 0;
}

struct symbol_source symbols_source(struct symbols *symbols)
{
	return (struct symbol_source){.frames = symbols_frames,
				      .demangle = symbols_demangle,
				      .notes = symbols_notes,
				      .state = symbols};
}

static const char *masked(struct symbols *symbols, const char *text)
{
	char *copy = text && symbols->mask && symbols->n_copies < MAX_COPIES ? strdup(text) : NULL;
	if (!copy)
		return text;
	symbols->copies[symbols->n_copies++] = copy;
	symbols->mask(symbols->state, copy, strlen(copy));
	return copy;
}

size_t symbols_frames(void *state, uint32_t module_id, const struct module_row *module,
		      const char *path, uint64_t offset, struct source_frame *out, size_t max)
{
	static const char *const functions[] = {
		"main",
		"train::step(Model&, int)",
		"at::native::add_kernel<float>(at::Tensor const&)",
		"cudaLaunchKernel",
		"_start",
		"__device_stub__Z4stepPf",
		"void launch<float, 128>(float*, int)",
		NULL,
		"(anonymous namespace)::run(std::function<void ()>)",
		"boost::python::call(int)",
		"cudart::launch"};
	static const char *const files[] = {"/home/ann/project/train.cu",
					    "/home/ann/project/model/a:b,100%.cc",
					    "/usr/include/c++/12/bits/std_function.h",
					    "/usr/local/cuda/include/cuda_runtime.h",
					    NULL,
					    "relative/step.cpp",
					    "/tmp/tmpxft_00001_00000000-6_step.cudafe1.stub.c"};
	size_t n = module && module_id != 4 ? offset % 4 : 0;
	(void)path;
	for (size_t i = 0; i < max && i < n; i++) {
		uint64_t key = offset / 4 + 7 * i + module_id;
		out[i] = (struct source_frame){.function = functions[key % 11],
					       .file = masked(state, files[key % 7]),
					       .line = (uint32_t)(offset % 50),
					       .column = (uint32_t)(offset % 9),
					       .is_inlined = i + 1 < n};
	}
	return n < max ? n : max;
}

const char *symbols_demangle(void *state, const char *mangled)
{
	(void)state;
	return !strcmp(mangled, "_ZN4math7scatterIfEEvPT_S2_")
		       ? "void math::scatter<float>(float*, float*)"
	       : !strcmp(mangled, "_Z8bad_loadPKfPfi") ? "bad_load(float const*, float*, int)"
						       : NULL;
}

size_t symbols_notes(void *state, const char *path, uint32_t line, const char **out, size_t max)
{
	static const char *const notes[] = {"aten.add", "train.py:12 x + y", "aten.relu"};
	size_t n = strstr(path, "torchinductor") ? line % 4 : 0;
	(void)state;
	for (size_t i = 0; i < max && i < n; i++)
		out[i] = notes[i];
	return n < max ? n : max;
}

size_t symbols_source_lines(struct symbols *symbols, const char *path, uint32_t line,
			    uint64_t newest, struct source_frame *out, size_t max)
{
	static const char *const texts[] = {"\tstep<<<1, 1>>>(p); /* <b> */", "", "}",
					    "x = y[i] & z"};
	size_t n = strlen(path) % 3 ? line % 8 : 0;
	(void)symbols;
	(void)newest;
	for (size_t i = 0; i < max && i < n; i++)
		out[i] = (struct source_frame){.function = texts[(line + i) % 4],
					       .line = line + (uint32_t)i};
	return n < max ? n : max;
}

const char *symbols_module_problem(const struct symbols *symbols, uint32_t module_id)
{
	(void)symbols;
	return has_problems && module_id % 5 == 2 ? "the file cannot be opened" : NULL;
}

bool symbols_module_has_changed(const struct symbols *symbols, uint32_t module_id)
{
	(void)symbols;
	return has_problems && module_id % 10 == 2;
}

const char *symbols_module_given_up(const struct symbols *symbols, uint32_t module_id)
{
	(void)symbols;
	return has_problems && module_id % 11 == 1 ? "its inlined functions" : NULL;
}
