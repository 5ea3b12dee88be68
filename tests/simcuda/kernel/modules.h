/*
 * modules.h - what the kernel modules do.
 */
#ifndef SIMKERNEL_MODULES_H
#define SIMKERNEL_MODULES_H

#include <sys/types.h>

/* A call of ioctl on nvidia-uvm-tools, or a control. Return what ioctl does. Any thread. */
int modules_tools(ino_t file, unsigned long request, void *parameters);
int modules_control(void *request);

#endif
