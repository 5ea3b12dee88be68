/*
 * arch.h - everything in the shim that depends on the processor's architecture. A folder here has
 * one architecture's functions, its symbol_hooks.S, and options.cmake.
 *
 * arch_ticks() returns the processor's tick counter. It may be read earlier than instructions that
 * precede it. arch_ticks_are_steady() is true if it runs at one rate, also in sleep.
 *
 * arch_pause() hints to the processor that a loop waits for another thread.
 *
 * arch_thread_pointer() returns the address where the C library keeps this thread's own data.
 *
 * arch_system_call() calls the kernel with a call's number and four arguments. It returns the
 * result or -errno, and leaves errno unchanged.
 *
 * ARCH_PAGE_MAX is the size of the largest page that a kernel may have.
 * ARCH_ADDRESS_BITS: addresses of a process are below this power of two.
 * ARCH_JUMP_SLOT, ARCH_GLOB_DAT: the types of relocations that put a symbol's address in a word.
 *
 * Any thread. Signal-safe.
 */
#ifndef CULPRIT_ARCH_H
#define CULPRIT_ARCH_H

#if defined(__x86_64__)
#include "arch/x86_64/arch_x86_64.h"
#elif defined(__aarch64__)
#include "arch/aarch64/arch_aarch64.h"
#else
#error "culprit is written for x86-64 and aarch64"
#endif

#endif
