/*
 * code_file.h - a file that held code of the GPU when the process ran, if it is still that file.
 */
#ifndef CULPRIT_TOOLS_CODE_FILE_H
#define CULPRIT_TOOLS_CODE_FILE_H

#include <stdbool.h>

#include "coredump/byte_span.h"
#include "view/bundle_view.h"

/* Mapped, not read: libraries of a gigabyte are mostly passed over. */
struct code_file {
	struct byte_span bytes;
};

/* What was known of a file when the driver read it. */
struct code_file_facts {
	uint64_t size;
	uint64_t changed_ns;
};

/* 0; -ESTALE: it is another file by now; else -errno of the system. */
int code_file_open(const char *path, const struct code_file_facts *facts, struct code_file *out);

/*
 * The file of a module, if it has the build-id that the module had; one without may have code of
 * the GPU only if it has none. 0; -ESTALE; else -errno.
 */
int code_file_open_module(const struct bundle_view *view, const struct module_row *module,
			  struct code_file *out);
void code_file_close(struct code_file *file);

/* Is the module no file, and none of the application's: the kernel's own code for programs? */
bool code_file_is_none(const struct bundle_view *view, const struct module_row *module);

/* What lies at an address of a mapped ELF file, to the end of its section; empty: nothing. */
struct byte_span code_file_at(const struct code_file *file, uint64_t address);

#endif
