/*
 * version.c - `culprit version`: this build, the formats it writes, and the libraries it runs with.
 */
#include <commit.h> /* made by cmake/commit.cmake: BUILD_COMMIT, "" outside a checkout */
#include <elfutils/libdwfl.h>
#include <gnu/libc-version.h>
#include <jansson.h>
#include <lz4.h>
#include <stdio.h>
#include <zlib.h>
#include <zstd.h>

#include "base/bundle_names.h"
#include "base/journal_format.h"
#include "command/commands.h"
#include "command/exit_status.h"
#include "command/options.h"
#include "pack/pack_parts.h"
#include "status/status_json.h"
#include "json/report_json.h"

int version_main(const struct arguments *arguments)
{
	if (options_no_operands(arguments, COMMAND_version))
		return EXIT_STATUS_USAGE;
	printf("culprit " CULPRIT_VERSION "%s%s%s\n", *BUILD_COMMIT ? " (commit " : "",
	       BUILD_COMMIT, *BUILD_COMMIT ? ")" : "");
	/* The magic ends with the journal's format, as a digit. */
	printf("formats    bundle %d, journal %c, pack %d, report JSON %d, status JSON %d\n",
	       BUNDLE_FORMAT, (char)(JOURNAL_MAGIC >> 56), PACK_FORMAT, REPORT_JSON_FORMAT,
	       STATUS_JSON_FORMAT);
	printf("libraries  libdw %s, jansson %s, lz4 %s, zstd %s, zlib %s, glibc %s\n",
	       dwfl_version(NULL), jansson_version_str(), LZ4_versionString(), ZSTD_versionString(),
	       zlibVersion(), gnu_get_libc_version());
	return EXIT_STATUS_OK;
}
