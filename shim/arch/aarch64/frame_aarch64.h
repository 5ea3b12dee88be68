/*
 * frame_aarch64.h - frames of aarch64 (AAPCS64, Linux). arch/frame.h documents the names.
 */
#ifndef CULPRIT_FRAME_AARCH64_H
#define CULPRIT_FRAME_AARCH64_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
	FRAME_SIGNS = true,
	FRAME_HAS_LINK = true,
	FRAME_CFA_UNIT = 16, /* stack pointers are multiples of it */
	FRAME_REALIGNS = false,
	FRAME_RED_ZONE = 0,
	/* struct rt_sigframe: siginfo_t, then struct ucontext with x0 to x30, sp and pc. */
	FRAME_SIGNAL_FP = 544,
	FRAME_SIGNAL_LINK = 552,
	FRAME_SIGNAL_SP = 560,
	FRAME_SIGNAL_IP = 568,
	FRAME_SIGNAL_CODE = 8,
	/* The kernel's own code has not been marked since Linux 5.8. */
	FRAME_SIGNAL_IS_MARKED = false,
};

/* The compiler may place a frame's record anywhere in it, so its address does not give the CFA. */
struct frame_here {
	uint64_t ip, sp, fp;
};

#ifdef __clang__
#define FRAME_ENTRY_SP() __builtin_sponentry() /* its __builtin_dwarf_cfa() is x29 (clang 14) */
#else
#define FRAME_ENTRY_SP() __builtin_dwarf_cfa()
#endif

/* x29 leads to a record: the caller's x29, then the return address. */
#define FRAME_HERE()                                                 \
	((void *)&(struct frame_here){                               \
		.ip = (uintptr_t)__builtin_return_address(0),        \
		.sp = (uintptr_t)FRAME_ENTRY_SP(),                   \
		.fp = *(const uint64_t *)__builtin_frame_address(0), \
	})

static inline uint64_t frame_ip(const void *here)
{
	return ((const struct frame_here *)here)->ip;
}

static inline uint64_t frame_sp(const void *here)
{
	return ((const struct frame_here *)here)->sp;
}

static inline uint64_t frame_fp(const void *here)
{
	return ((const struct frame_here *)here)->fp;
}

/*
 * Remove a signature by xpaclri, which leaves an address without one as it is, and which processors
 * without pointer authentication ignore. It knows the size of addresses and the bits that a program
 * may use as a tag.
 */
static inline uint64_t frame_strip(uint64_t word)
{
	register uint64_t link __asm__("x30") = word;
	__asm__("hint #7" : "+r"(link));
	return link;
}

typedef uint16_t frame_cfa_offset;

/* Both are numbers of words below the CFA; 0: the register is still in place. */
struct frame_saves {
	uint16_t ip, fp;
};

static inline bool frame_is_word_below(int64_t offset)
{
	return offset <= 0 && offset >= -8 * UINT16_MAX && offset % 8 == 0;
}

static inline bool frame_saves_make(struct frame_saves *out_saves, int64_t ip, int64_t fp)
{
	if (!frame_is_word_below(ip) || !frame_is_word_below(fp))
		return false;
	*out_saves = (struct frame_saves){(uint16_t)(-ip / 8), (uint16_t)(-fp / 8)};
	return true;
}

static inline bool frame_ip_is_saved(struct frame_saves saves)
{
	return saves.ip != 0;
}

static inline uint64_t frame_saved_ip(struct frame_saves saves, uint64_t cfa)
{
	return cfa - 8 * (uint64_t)saves.ip;
}

static inline uint64_t frame_saved_fp(struct frame_saves saves, uint64_t cfa)
{
	return saves.fp ? cfa - 8 * (uint64_t)saves.fp : 0;
}

static inline struct frame_saves frame_saves_cfa(int64_t offset)
{
	(void)offset;
	return (struct frame_saves){0};
}

static inline int64_t frame_cfa_place(struct frame_saves saves)
{
	(void)saves;
	return 0;
}

/* mov x8, #139; svc #0: that is rt_sigreturn. */
static inline bool frame_is_signal_return(const uint8_t *code)
{
	static const uint8_t expected[] = {0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4};
	return memcmp(code, expected, FRAME_SIGNAL_CODE) == 0;
}

#endif
