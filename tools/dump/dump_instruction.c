/*
 * dump_instruction.c - print instructions at which the GPU stopped: their bits, what they access,
 * and what nvdisasm makes of them.
 */
#include "dump/dump_parts.h"

#include <inttypes.h>

#include "base/text.h"
#include "bundle/bundle_code.h"
#include "dump/disassembler.h"
#include "fault/fault_story.h"
#include "memory/memory_fault.h"

enum { LINE_SIZE = 512 };

void dump_instruction(FILE *out, const struct code_instruction *instruction)
{
	char line[LINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	fprintf(out, "instruction 0x%016" PRIx64 " 0x%016" PRIx64, instruction->words[0],
		instruction->words[1]);
	if (instruction->access.bytes)
		fprintf(out, ": %u-byte %s", instruction->access.bytes,
			memory_fault_access_word(instruction->access.kind));
	fflush(out);
	if (disassembler_append(instruction, &text))
		fprintf(out, ": %s", line);
	fputc('\n', out);
}

static void dump_location(FILE *out, const struct bundle_view *view,
			  const struct code_location *place)
{
	struct code_line line;
	struct code_instruction instruction;
	(void)bundle_code_line(view, place->function, place->pc - place->start, &line,
			       &instruction);
	code_line_free(&line);
	if (!instruction.architecture)
		return;
	fprintf(out, "pc=0x%" PRIx64 " function=%" PRIu32 " offset=0x%" PRIx64 " ", place->pc,
		place->function, place->pc - place->start);
	dump_instruction(out, &instruction);
}

void dump_instructions(FILE *out, const struct bundle_view *view)
{
	struct fault_story story;
	struct code_extents extents;
	struct code_size *sizes = NULL;
	uint8_t *facts = NULL;
	fault_story_read(view, &story);
	if (!story.n_pcs)
		return;
	uint32_t n = bundle_code_read(view, &facts, &sizes);
	struct code_sizes known = {sizes, n, story.are_accesses};
	code_extents_locate(view, known, story.pcs, story.n_pcs, &extents);
	for (uint32_t i = 0; i < extents.n && !extents.are_contradictory; i++)
		if (extents.locations[i].is_inside)
			dump_location(out, view, &extents.locations[i]);
	bundle_code_free(facts, sizes, n);
}
