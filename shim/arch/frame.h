/*
 * frame.h - a function's frame as the processor and its ABI lay it out: all that a walk over a
 * stack must know of them. The CFA is the caller's stack pointer before the call.
 *
 * Each architecture's file offers, for signal handlers and any thread:
 *
 * FRAME_HERE()            in a function with a frame pointer: a void * that leads to its caller's
 *                         registers until the function returns
 * frame_ip(here)          the caller's registers after the return: its next instruction, its stack
 * frame_sp(here)          pointer and its frame pointer
 * frame_fp(here)
 * frame_strip(word)       the address in a saved return address, which may be signed
 * FRAME_SIGNS             whether it may be
 * FRAME_ADDRESS_BITS      size of the addresses that programs have
 *
 * frame_cfa_offset        a type for the distance from a register to the CFA, in FRAME_CFA_UNIT
 * bytes struct frame_saves      where a function keeps its caller's registers, relative to the CFA;
 * its member fp is 0 if the frame pointer is still in place frame_saves_make(saves, ip, fp)   fill
 * it from offsets in bytes, 0 for a register that is still in place; false if it cannot express
 * them frame_saved_ip(saves, cfa)  the address of the word with the return address
 * frame_ip_is_saved(saves)    false: it is still in its register, and no word has it
 * FRAME_HAS_LINK          whether there is such a register, which a function saves anywhere
 * frame_saved_fp(saves, cfa)  the address of the word with the frame pointer, 0: still in place
 * FRAME_REALIGNS          whether a function may keep its CFA in memory (UNWIND_REALIGNED); then
 * also frame_saves_cfa(offset) saves that have the place of the CFA, relative to the frame pointer
 * frame_cfa_place(saves)  that offset
 *
 * FRAME_RED_ZONE          bytes below its stack pointer that a function may use
 * FRAME_SIGNAL_*          where the kernel saved an interrupted function's registers, relative to
 * the stack pointer after the handler returns (struct ucontext) frame_is_signal_return(code)  true
 * if the FRAME_SIGNAL_CODE bytes at `code` end a signal FRAME_SIGNAL_IS_MARKED  whether call frame
 * information marks that code
 */
#ifndef CULPRIT_ARCH_FRAME_H
#define CULPRIT_ARCH_FRAME_H

#if defined(__x86_64__)
#include "arch/x86_64/frame_x86_64.h"
#elif defined(__aarch64__)
#include "arch/aarch64/frame_aarch64.h"
#else
#error "culprit knows the frames of x86-64 and aarch64 only"
#endif

#endif
