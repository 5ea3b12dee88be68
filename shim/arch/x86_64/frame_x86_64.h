/*
 * frame_x86_64.h - frames of x86-64 (System V ABI). arch/frame.h documents the names.
 */
#ifndef CULPRIT_FRAME_X86_64_H
#define CULPRIT_FRAME_X86_64_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
	FRAME_SIGNS = false,
	FRAME_HAS_LINK = false,
	FRAME_CFA_UNIT = 1,
	FRAME_REALIGNS = true,
	FRAME_RED_ZONE = 128,
	FRAME_SIGNAL_FP = 120,
	FRAME_SIGNAL_LINK = 0,
	FRAME_SIGNAL_SP = 160,
	FRAME_SIGNAL_IP = 168,
	FRAME_SIGNAL_CODE = 9,
	FRAME_SIGNAL_IS_MARKED = true,
};

/* The frame pointer leads to the caller's rbp and, after it, the return address. */
#define FRAME_HERE() __builtin_frame_address(0)

static inline uint64_t frame_ip(const void *here)
{
	return ((const uint64_t *)here)[1];
}

static inline uint64_t frame_sp(const void *here)
{
	return (uintptr_t)((const uint64_t *)here + 2);
}

static inline uint64_t frame_fp(const void *here)
{
	return ((const uint64_t *)here)[0];
}

static inline uint64_t frame_strip(uint64_t word)
{
	return word;
}

typedef int32_t frame_cfa_offset;

/* The call saves the return address at CFA - 8. `fp` is in bytes. */
struct frame_saves {
	int16_t fp;
};

static inline bool frame_saves_make(struct frame_saves *out_saves, int64_t ip, int64_t fp)
{
	if (ip != -8 || fp > 0 || fp < INT16_MIN || fp % 8 != 0)
		return false;
	out_saves->fp = (int16_t)fp;
	return true;
}

static inline bool frame_ip_is_saved(struct frame_saves saves)
{
	(void)saves;
	return true;
}

static inline uint64_t frame_saved_ip(struct frame_saves saves, uint64_t cfa)
{
	(void)saves;
	return cfa - 8;
}

static inline uint64_t frame_saved_fp(struct frame_saves saves, uint64_t cfa)
{
	return saves.fp ? cfa + (uint64_t)(int64_t)saves.fp : 0;
}

static inline struct frame_saves frame_saves_cfa(int64_t offset)
{
	return (struct frame_saves){.fp = (int16_t)offset};
}

static inline int64_t frame_cfa_place(struct frame_saves saves)
{
	return saves.fp;
}

/* mov $15, %rax; syscall: that is rt_sigreturn. */
static inline bool frame_is_signal_return(const uint8_t *code)
{
	static const uint8_t expected[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
	return memcmp(code, expected, FRAME_SIGNAL_CODE) == 0;
}

#endif
