/*
 * code_file.h - a file that held GPU code when the process ran, if it has not been replaced.
 */
#ifndef CULPRIT_TOOLS_CODE_FILE_H
#define CULPRIT_TOOLS_CODE_FILE_H

#include <stdbool.h>

#include "coredump/byte_span.h"
#include "view/bundle_view.h"

/* Mapped, not read: most of a library of a gigabyte is skipped. */
struct code_file {
	struct byte_span bytes;
};

/* Properties of a file at the time when the driver read it. */
struct code_file_facts {
	uint64_t size;
	uint64_t changed_ns;
};

/* Returns 0, -ESTALE if the file was replaced or changed, or -errno of the system. */
int code_file_open(const char *path, const struct code_file_facts *facts, struct code_file *out);

/*
 * Opens the file of a module if it still has the module's build-id. If the module had none, the
 * file is accepted only if it holds no GPU code. Returns 0, -ESTALE or -errno.
 */
int code_file_open_module(const struct bundle_view *view, const struct module_row *module,
			  struct code_file *out);
void code_file_close(struct code_file *file);

/* True if the module is not a file but the code that the kernel maps into programs (vDSO). */
bool code_file_is_none(const struct bundle_view *view, const struct module_row *module);

/* Returns the bytes at an address of a mapped ELF file, to the end of its section; may be empty. */
struct byte_span code_file_at(const struct code_file *file, uint64_t address);

#endif
