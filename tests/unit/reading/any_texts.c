/*
 * any_texts.c - calls what writes texts, and prints them.
 */
#include "reading/any_texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/finding.h"
#include "bundle/bundle.h"
#include "checks/mangled_types.h"
#include "graph_findings/graph_findings_text.h"
#include "memory/memory_holders.h"
#include "model/any_state.h"
#include "reading/any_host.h"
#include "report/last_rejection.h"
#include "support/check.h"
#include "json/json_values.h"

static void print_holders(const struct bundle_view *view)
{
	struct memory_held held;
	void *scratch = calloc(1, memory_holders_scratch(view) + 1);
	CHECK(scratch);
	memory_holders_find(view, 0, 0x200000, scratch, &held);
	free(scratch);
	(void)printf("held: %" PRIu64 " in %" PRIu64 ", %" PRIu64 " stacks, %" PRIu64 " of %" PRIu64
		     " in pages, %d\n",
		     held.bytes, held.n, held.n_stacks, held.in_pages, held.page_bytes,
		     held.has_pools);
	for (uint32_t i = 0; i < held.n_holders; i++)
		(void)printf("  %u: %" PRIu64 " in %" PRIu64 "\n", held.holders[i].stack,
			     held.holders[i].bytes, held.holders[i].n);
}

static void print_finding(const struct analysis *analysis)
{
	json_t *record = analysis->finding == FINDING_HANG ? finding_of_hang(&analysis->hang, "ab")
			 : analysis->finding == FINDING_REJECTION ? finding_of_rejection("cd")
								  : finding_of_unfinished("ef");
	CHECK(record && json_print(record, stdout));
	(void)printf("\n");
	json_decref(record);
}

static void print_all(const struct analysis *analysis)
{
	static char bytes[1 << 16];
	struct text text = text_in(bytes, sizeof(bytes));
	struct graph_findings_reader reader = {.pid = 7, .report = &analysis->report};
	graph_findings_print(&reader, stdout);
	(void)printf("%" PRIu64 " rows\n", reader.n_printed);
	if (analysis->finding == FINDING_REJECTION)
		last_rejection_text(&analysis->report, &analysis->rejection, &text);
	(void)printf("%s", text.at > text.start ? bytes : "");
	print_holders(analysis->report.view);
	print_finding(analysis);
}

int any_texts_print(const char *path)
{
	struct bundle *bundle = NULL;
	struct analysis analysis;
	if (bundle_open(path, &bundle) && !bundle)
		return 1;
	CHECK(!analysis_open(bundle, 1, NULL, &analysis));
	print_all(&analysis);
	analysis_close(&analysis);
	bundle_close(bundle);
	return 0;
}

/* --- Names of kernels --- */

static void print_types(const char *name)
{
	struct mangled_types types;
	bool is_read = mangled_types_read(name, &types);
	(void)printf("%d %u %x %d:", is_read, types.n, types.consts, types.only_float);
	for (uint32_t i = 0; i < MANGLED_MAX_PARAMETERS && i < types.n; i++)
		(void)printf(" %d", types.types[i]);
	(void)printf(" %s\n", name);
}

int any_types_print(uint64_t number)
{
	static const char *const names[] = {
		"_Z4stepPKfPfi",
		"_ZN4math7scatterIfEEvPT_S2_",
		"_Z3addI6__halfEvPKT_PS1_i",
		"_ZN2at6native18elementwise_kernelILi128ELi4EZNS0_22gpu_kernel_implINS0_"
		"11FillFunctorIN3"
		"c108BFloat16EEEEEvRNS_18TensorIteratorBaseERKT_EUliE_EEviT1_",
		"_ZN7cutlass6KernelINS_4gemm6kernel4GemmINS_6half_tEEEEEvNT_6ParamsE",
		"_Z1fP13__nv_bfloat16PK14__nv_fp8_e4m3PdPlPhPxPj",
		"_Z1gIJfdiEEvDpPT_",
		"_ZN12_GLOBAL__N_11hEPFvPfEPA4_fRKdOi",
		"_ZNK1A1fEPN1B1CEPvPKvPSt4pairIffE",
		"_Z1kIfLb1ELi3EEvPKT_S2_PS0_10ParametersIT_E"};
	static const char letters[] = "PKRSTNEILfdijlhvZ_0123456789OQF";
	struct any_bundle *any = calloc(1, sizeof(*any));
	CHECK(any);
	any->random = number * 0x9e3779b97f4a7c15u + 11;
	for (int i = 0; i < 60; i++) {
		char name[512];
		(void)snprintf(name, sizeof(name), "%s", ANY_OF(any, names));
		uint32_t n = any_pick(any, 4);
		for (uint32_t k = 0; k < n; k++) {
			uint32_t at = any_pick(any, (uint32_t)strlen(name));
			name[at] = letters[any_pick(any, sizeof(letters) - 1)];
		}
		print_types(name);
	}
	free(any);
	return 0;
}
