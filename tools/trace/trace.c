/*
 * trace.c - `culprit trace`: write a bundle's newest submissions as a trace for Perfetto or Chrome.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "bundle/selection.h"
#include "command/commands.h"
#include "command/message.h"
#include "command/options.h"
#include "command/output.h"
#include "trace/trace_parts.h"

static enum exit_status trace_bundle(struct bundle *bundle, enum trace_format format,
				     const char *output)
{
	struct analysis analysis;
	int result = analysis_open(bundle, SYMBOLS_WAIT_SECONDS, NULL, &analysis);
	FILE *out = result ? NULL : output_open(output);
	if (out)
		result = trace_write(&analysis, format, out);
	if (result)
		message("%s: %s", bundle->path, strerror(-result));
	if (out && output_close(out, output))
		result = -EIO;
	analysis_close(&analysis); /* It is empty if it could not be opened. */
	return out && !result ? EXIT_STATUS_OK : EXIT_STATUS_SYSTEM;
}

/* True if binary output would go to a terminal. */
static bool is_for_terminal(enum trace_format format, const char *output)
{
	return format == TRACE_PERFETTO && !output && isatty(STDOUT_FILENO);
}

int trace_main(const struct arguments *arguments)
{
	int format = options_choice(arguments, OPTION_trace_format);
	const char *output = arguments->values[OPTION_trace_output];
	if (format < 0)
		return EXIT_STATUS_USAGE;
	if (is_for_terminal((enum trace_format)format, output)) {
		message("a trace is binary and standard output is a terminal; use --output FILE");
		return EXIT_STATUS_USAGE;
	}
	struct selection bundles;
	int result = selection_make(arguments->operands, arguments->n_operands, &bundles);
	if (result)
		return result == -ENOENT ? EXIT_STATUS_BAD_BUNDLE : EXIT_STATUS_SYSTEM;
	struct bundle *bundle = NULL;
	enum exit_status status = EXIT_STATUS_USAGE;
	if (bundles.n == 1)
		status = bundle_open(bundles.paths[0], &bundle);
	else
		message("%zu bundles given; name one of them", bundles.n);
	selection_free(&bundles);
	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED)
		return (int)status;
	enum exit_status trace_status = trace_bundle(bundle, (enum trace_format)format, output);
	bundle_close(bundle);
	return (int)(trace_status > status ? trace_status : status);
}
