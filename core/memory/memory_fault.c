/*
 * memory_fault.c - words for a fault.
 */
#include "memory/memory_fault.h"

#include <inttypes.h>

#include "memory/memory_host.h"
#include "memory/memory_labels.h"

/*
 * Seen on an H100, driver 580.159. The low byte is the exception: 14 an address, 15 alignment. Bits
 * 16 to 23 differ from run to run (0x502000f, 0x503000f) and are left out here.
 */
enum {
	ESR_ADDRESS = 0x0e,
	ESR_ALIGNMENT = 0x0f,
	ESR_INVALID = 0x0100000e,
	ESR_LOCAL = 0x0200000e,
	ESR_STACK = 0x0300000e,
	ESR_SHARED = 0x0c00000e,
	ESR_SHARED_PARAMETER = 0x0c00000b, /* 64 MiB past its end; error 715 */
};

static const uint32_t ESR_KIND_MASK = 0xff00ffff;

/* Addresses have at most this many bits. Addresses below the second limit are taken for null. */
enum { ADDRESS_BITS = 57, NULL_BITS = 16 };

/* A pointer so far away is unrelated to an address. */
static const uint64_t FAR = (uint64_t)1 << 36;

static enum memory_fault_kind kind_of_exception(const struct fault_row *row)
{
	bool is_wide = row->flags & FAULT_ADDRESS_BYTE && row->address >> ADDRESS_BITS;
	switch (row->warp_esr & ESR_KIND_MASK) {
	case ESR_INVALID:
		return MEMORY_FAULT_INVALID;
	case ESR_LOCAL:
		return MEMORY_FAULT_LOCAL;
	case ESR_STACK:
		return MEMORY_FAULT_STACK;
	case ESR_SHARED:
	case ESR_SHARED_PARAMETER:
		return MEMORY_FAULT_SHARED;
	default:
		break;
	}
	switch (row->warp_esr & FAULT_ESR_EXCEPTION_MASK) {
	case ESR_ALIGNMENT:
		return MEMORY_FAULT_ALIGNMENT;
	case ESR_ADDRESS:
		return is_wide ? MEMORY_FAULT_INVALID : MEMORY_FAULT_OTHER;
	default:
		return MEMORY_FAULT_OTHER;
	}
}

static bool is_about_memory(enum memory_fault_kind kind)
{
	return kind == MEMORY_FAULT_MEMORY || kind == MEMORY_FAULT_ALIGNMENT ||
	       kind == MEMORY_FAULT_INVALID;
}

struct range_moment memory_fault_moment(const struct verdict *verdict)
{
	struct range_moment moment = {.sequence = 0};
	for (uint32_t i = 0; verdict && i < verdict->n_suspects && i < VERDICT_MAX_SUSPECTS; i++)
		range_moment_add(&moment, &verdict->suspects[i].record);
	return moment;
}

/* Return what the verdict's instruction accesses, if it is this fault's and can have faulted so. */
static struct instruction_access access_of(const struct verdict *verdict,
					   const struct memory_fault *fault)
{
	static const struct instruction_access unknown = {FAULT_ACCESS_UNKNOWN, 0};
	const struct fault_row *row = fault->row;
	if (!verdict || !verdict->fault_code.function || !verdict->fault_access.bytes ||
	    !(row->flags & FAULT_HAS_PC) || row->pc != verdict->fault_code.pc)
		return unknown;
	bool is_aligned =
		row->flags & FAULT_ADDRESS_BYTE && row->address % verdict->fault_access.bytes == 0;
	return fault->kind == MEMORY_FAULT_ALIGNMENT && is_aligned ? unknown
								   : verdict->fault_access;
}

void memory_fault_read(const struct bundle_view *view, const struct verdict *verdict,
		       const struct fault_story *story, struct memory_fault *out)
{
	const struct range_moment at = memory_fault_moment(verdict);
	const struct fault_row *row = story->memory ? story->memory : story->exception;
	*out = (struct memory_fault){.row = row};
	if (!row)
		return;
	out->kind = story->memory ? MEMORY_FAULT_MEMORY : kind_of_exception(row);
	out->n = story->memory ? story->n_memory : story->n_exceptions;
	out->is_page = row->flags & FAULT_ADDRESS_PAGE;
	out->access = access_of(verdict, out);
	out->has_address = is_about_memory(out->kind) &&
			   row->flags & (FAULT_ADDRESS_PAGE | FAULT_ADDRESS_BYTE);
	if (!out->has_address)
		return;
	memory_find(view, row->address, &at, &out->answer);
	if ((out->answer.relation == MEMORY_AFTER || out->answer.relation == MEMORY_BEFORE) &&
	    memory_is_host(view, row->address))
		out->answer = (struct memory_answer){.relation = MEMORY_NOWHERE};
}

const char *memory_fault_label(enum memory_fault_kind kind)
{
	static const char *const words[N_MEMORY_FAULT_KINDS] = {
		[MEMORY_FAULT_NONE] = "unknown",         [MEMORY_FAULT_MEMORY] = "memory",
		[MEMORY_FAULT_ALIGNMENT] = "misaligned", [MEMORY_FAULT_INVALID] = "invalid_address",
		[MEMORY_FAULT_LOCAL] = "local_memory",   [MEMORY_FAULT_SHARED] = "shared_memory",
		[MEMORY_FAULT_STACK] = "stack_overflow", [MEMORY_FAULT_OTHER] = "exception",
	};
	return words[kind < N_MEMORY_FAULT_KINDS ? kind : MEMORY_FAULT_NONE];
}

const char *memory_fault_access_word(uint8_t access)
{
	static const char *const words[] = {
		[FAULT_READ] = "read",
		[FAULT_WRITE] = "write",
		[FAULT_ATOMIC] = "atomic",
	};
	return access < sizeof(words) / sizeof(words[0]) && words[access] ? words[access]
									  : "access";
}

static const char *verb_of(uint8_t access)
{
	static const char *const verbs[] = {
		[FAULT_READ] = "read",
		[FAULT_WRITE] = "wrote",
		[FAULT_ATOMIC] = "atomic access to",
	};
	return access < sizeof(verbs) / sizeof(verbs[0]) && verbs[access] ? verbs[access]
									  : "accessed";
}

static void add_address(const struct memory_fault *fault, const char *before, struct text *out)
{
	char size[MEMORY_SIZE_TEXT];
	if (!(fault->row->flags & (FAULT_ADDRESS_PAGE | FAULT_ADDRESS_BYTE)))
		return;
	text_addf(out, "%s0x%" PRIx64, before, fault->row->address);
	if (fault->is_page)
		text_addf(out, " (%s page)", memory_size_short(fault_page_size(fault->row), size));
}

void memory_fault_add_access(const struct memory_fault *fault, struct text *out)
{
	switch (fault->kind) {
	case MEMORY_FAULT_MEMORY:
		text_add(out, verb_of(fault->row->access));
		add_address(fault, " ", out);
		break;
	case MEMORY_FAULT_ALIGNMENT:
		if (fault->access.bytes)
			text_addf(out, "misaligned %u-byte %s", fault->access.bytes,
				  memory_fault_access_word(fault->access.kind));
		else
			text_add(out, "misaligned access");
		add_address(fault, " at ", out);
		break;
	case MEMORY_FAULT_INVALID:
		text_add(out, verb_of(fault->access.kind));
		if (fault->access.bytes)
			text_addf(out, " %u byte%s at", fault->access.bytes,
				  fault->access.bytes == 1 ? "" : "s");
		add_address(fault, " ", out);
		break;
	case MEMORY_FAULT_LOCAL:
		text_add(out, "local memory out of range");
		add_address(fault, ", offset ", out);
		break;
	case MEMORY_FAULT_SHARED:
		text_add(out, "shared memory out of range");
		add_address(fault, ", offset ", out);
		break;
	case MEMORY_FAULT_STACK:
		text_add(out, "the stack overflowed");
		break;
	default:
		text_addf(out, "exception 0x%" PRIx32, fault->row->warp_esr);
		add_address(fault, " at ", out);
		break;
	}
}

/* Append ", 8 KiB past the end of", ", right past the end of" or ", 12 B before". */
static void add_distance(uint64_t distance, const char *words, struct text *out)
{
	char size[MEMORY_SIZE_TEXT];
	text_addf(out, ", %s %s", distance ? memory_size_short(distance, size) : "right", words);
}

static void add_inside(const struct memory_fault *fault, const char *state, struct text *out)
{
	char size[MEMORY_SIZE_TEXT];
	uint64_t distance = fault->answer.distance;
	if (distance)
		text_addf(out, ", %s into", memory_size_short(distance, size));
	else
		text_add(out, ", at the start of");
	text_addf(out, "%s allocation #%" PRIu64, state, fault->answer.range.number);
}

/* An address of no memory may be two small numbers. */
static void add_numbers(uint64_t address, struct text *out)
{
	enum { SMALL = 1 << 24 };
	int32_t low = (int32_t)(uint32_t)address;
	int32_t high = (int32_t)(uint32_t)(address >> 32);
	bool are_small = low > -SMALL && low < SMALL && high > -SMALL && high < SMALL;
	if (are_small)
		text_addf(out, "; as two int32: %" PRId32 " and %" PRId32, low, high);
}

static void add_nowhere(const struct bundle_view *view, const struct memory_fault *fault,
			const struct context_row *context, struct text *out)
{
	uint64_t address = fault->row->address;
	if (fault->kind == MEMORY_FAULT_INVALID) {
		text_add(out, ", not a valid GPU address");
		if (!fault->is_page)
			add_numbers(address, out);
		return;
	}
	if (address >> NULL_BITS == 0) {
		text_add(out, ", near address 0: a null pointer");
		if (address)
			text_addf(out, " + %" PRIu64 "%s", address,
				  fault->is_page ? " or more" : "");
		return;
	}
	if (!memory_add_host(view, context, address, out) &&
	    !memory_add_tables(view, context, address, out))
		text_add(out, ", where no known memory is");
}

void memory_fault_add_place(const struct bundle_view *view, const struct memory_fault *fault,
			    const struct context_row *context, struct text *out)
{
	const struct memory_answer *answer = &fault->answer;
	if (!fault->has_address)
		return;
	switch (answer->relation) {
	case MEMORY_INSIDE:
		add_inside(fault, "", out);
		return;
	case MEMORY_FREED:
		add_inside(fault, " freed", out);
		return;
	case MEMORY_IN_FLIGHT:
		add_inside(fault, "", out);
		return;
	case MEMORY_AFTER:
		add_distance(answer->distance, "past the end of", out);
		break;
	case MEMORY_BEFORE:
		add_distance(answer->distance, "before", out);
		break;
	default:
		add_nowhere(view, fault, context, out);
		return;
	}
	text_addf(out, " allocation #%" PRIu64, answer->range.number);
}

bool memory_fault_is_null(const struct memory_fault *fault)
{
	return fault->has_address && fault->answer.relation == MEMORY_NOWHERE &&
	       fault->row->address >> NULL_BITS == 0;
}

/* True if the address is in the range. */
static bool is_in(const struct range_row *range, uint64_t address)
{
	return range->number > 0 && address >= range->start && address - range->start < range->size;
}

uint64_t memory_fault_fit(const struct memory_fault *fault, uint64_t pointer)
{
	uint64_t address = fault->row->address;
	uint64_t distance = pointer > address ? pointer - address : address - pointer;
	if (!fault->has_address || (address >> NULL_BITS == 0) != (pointer >> NULL_BITS == 0))
		return 0;
	/* The pointer may be anywhere in its page. */
	if (fault->is_page && pointer > address && distance < fault_page_size(fault->row))
		distance = 0;
	if (fault->answer.relation != MEMORY_NOWHERE && is_in(&fault->answer.range, pointer))
		return UINT64_MAX - distance;
	return distance < FAR ? FAR - distance : 0;
}
