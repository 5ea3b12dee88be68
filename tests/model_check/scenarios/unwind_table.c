/*
 * unwind_table.c - a thread stores the rule of another address in a slot of an older generation,
 * while a thread of that generation reads it.
 */
#include "record/stacks/unwind_rules.h"

#include "base/hash.h"
#include "model.h"

enum { SLOTS = 1 << 14 };

static uint64_t old_ip = 1;
static uint64_t new_ip = 2; /* belongs into the same slot */

/* The rule names its address. */
struct unwind_rule unwind_rules_compile(uint64_t ip)
{
	return (struct unwind_rule){
		.ip = ip, .cfa_offset = (frame_cfa_offset)ip, .type = UNWIND_NONE + 1};
}

static void use(uint64_t ip, uint64_t generation)
{
	const struct unwind_rule rule = unwind_table_rule(ip, generation);
	MODEL_CHECK(rule.ip == ip && rule.cfa_offset == (frame_cfa_offset)ip);
}

static void use_old(void)
{
	use(old_ip, 1);
}

static void use_new(void)
{
	use(new_ip, 2);
}

void scenario_setup(const char *variant)
{
	(void)variant;
	while ((hash_word(new_ip) >> 40) % SLOTS != (hash_word(old_ip) >> 40) % SLOTS)
		new_ip++;
	use_old();
	model_thread(use_old);
	model_thread(use_new);
	model_thread(use_new);
}

void scenario_end(void)
{
}
