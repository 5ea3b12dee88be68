/*
 * frame.h - a function's frame as the processor and its ABI lay it out: all that a walk over a
 * stack must know of them. The CFA is the caller's stack pointer before the call.
 *
 * Each architecture's file defines the following names. Any thread. Signal-safe.
 *
 * FRAME_HERE() returns, in a function with a frame pointer, a void * that leads to its caller's
 * registers until the function returns.
 *
 * frame_ip(here), frame_sp(here) and frame_fp(here) return the caller's registers after the return:
 * its next instruction, its stack pointer and its frame pointer.
 *
 * frame_strip(word) returns the address in a saved return address, which may be signed.
 *
 * FRAME_SIGNS is true if return addresses may be signed.
 *
 * frame_cfa_offset is a type for the distance from a register to the CFA, in units of
 * FRAME_CFA_UNIT bytes.
 *
 * struct frame_saves says where a function keeps its caller's registers, relative to the CFA. Its
 * member fp is 0 if the frame pointer is still in place.
 *
 * frame_saves_make(saves, ip, fp) sets saves from offsets in bytes; an offset is 0 for a register
 * that is still in place. It returns false, and sets nothing, if it cannot express the offsets.
 *
 * frame_ip_is_saved(saves) is false if the return address is still in its register.
 *
 * frame_saved_ip(saves, cfa) returns the address of the word with the return address.
 *
 * FRAME_HAS_LINK is true if a call puts the return address into a register. A function may then
 * save it anywhere.
 *
 * frame_saved_fp(saves, cfa) returns the address of the word with the frame pointer, or 0 if the
 * frame pointer is still in place.
 *
 * FRAME_REALIGNS is true if a function may keep its CFA in memory (UNWIND_REALIGNED).
 * frame_saves_cfa(offset) then returns saves with that word's offset from the frame pointer, and
 * frame_cfa_place(saves) returns the offset.
 *
 * FRAME_RED_ZONE is the number of bytes below its stack pointer that a function may use.
 *
 * FRAME_SIGNAL_FP, _LINK, _SP and _IP: offsets from the stack pointer after a signal's handler has
 * returned. The kernel saved the interrupted function's registers there (struct ucontext).
 *
 * frame_is_signal_return(code) is true if the FRAME_SIGNAL_CODE bytes at `code` end a signal.
 *
 * FRAME_SIGNAL_IS_MARKED is true if call frame information marks that code.
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
