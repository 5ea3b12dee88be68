/*
 * device_files.h - the simulated device files, each of which is a file of memory.
 */
#ifndef SIMKERNEL_DEVICE_FILES_H
#define SIMKERNEL_DEVICE_FILES_H

#include <stdbool.h>
#include <sys/types.h>

enum device_kind { DEVICE_NONE, DEVICE_UVM, DEVICE_TOOLS, DEVICE_CONTROL, N_DEVICES };

/* True if SIMKERNEL has the word. Any thread. */
bool device_has_word(const char *word);

/* Return the device of a path or a descriptor. Any thread. */
enum device_kind device_kind_of_path(const char *path);
enum device_kind device_kind_of(int fd);

/* Return the path of a device. */
const char *device_path(enum device_kind kind);

/* Make a file and return its descriptor, or -1 with errno. Any thread. */
int device_open(enum device_kind kind);

/* Return the descriptor's file, 0 if it has none. Any thread. */
ino_t device_file_of(int fd);

/* True if the process has a descriptor of the file. Any thread. */
bool device_is_open(ino_t file);

/* Give a file of nvidia-uvm an address space, and see whether it has one. Any thread. */
int device_register_va_space(int fd);
bool device_has_va_space(int fd);

#endif
