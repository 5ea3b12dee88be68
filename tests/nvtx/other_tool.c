/*
 * other_tool.c - another tool's injection library, which prints the calls that it receives. With
 * REFUSES it refuses to be initialised.
 */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((visibility("default"))) int
InitializeInjectionNvtx2(NvtxGetExportTableFunc_t export_table);

static int push(const char *text)
{
	fprintf(stderr, "other tool: %s\n", text);
	return 40;
}

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t export_table)
{
	const NvtxExportTableCallbacks *callbacks = export_table(NVTX_ETID_CALLBACKS);
	NvtxFunctionTable functions;
	unsigned size;

	if (getenv("REFUSES") ||
	    !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &functions, &size))
		return 0;
	*functions[NVTX_CBID_CORE_RangePushA] = (NvtxFunctionPointer)push;
	return 1;
}
