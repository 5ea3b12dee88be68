/*
 * code_handles.c - trees of handles, found by a map. Forgotten nodes are reused.
 */
#include "record/objects/code_handles.h"

#include <stddef.h>

#include "record/host/arena.h"
#include "record/host/handle_map.h"

static struct handle_map handles; /* handle -> struct code_handle */
static struct code_handle *forgotten;

struct code_handle *code_handles_find(uint64_t handle)
{
	uint64_t value = 0;
	(void)handle_map_get(&handles, handle, &value);
	return (struct code_handle *)(uintptr_t)value;
}

static struct code_handle *take(void)
{
	struct code_handle *code = forgotten;
	if (!code)
		return arena_alloc_aside(sizeof(*code));
	forgotten = code->next;
	return code;
}

static void put_back(struct code_handle *code)
{
	code->next = forgotten;
	forgotten = code;
}

struct code_handle *code_handles_make(uint64_t handle)
{
	struct code_handle *code = code_handles_find(handle);
	if (code || !handle || !(code = take()))
		return code;
	*code = (struct code_handle){.handle = handle};
	if (handle_map_put(&handles, handle, (uintptr_t)code))
		return code;
	put_back(code);
	return NULL;
}

static void unlink_code(struct code_handle *code)
{
	if (code->next)
		code->next->previous = code->previous;
	if (code->previous)
		code->previous->next = code->next;
	else if (code->owner)
		code->owner->first = code->next;
	code->owner = code->next = code->previous = NULL;
}

static void link_code(struct code_handle *code, struct code_handle *owner)
{
	code->owner = owner;
	code->next = owner->first;
	if (code->next)
		code->next->previous = code;
	owner->first = code;
}

static bool is_within(const struct code_handle *code, const struct code_handle *root)
{
	while (code && code != root)
		code = code->owner;
	return code;
}

/* Unseen reuse of handles may have put a node above its new owner: unlink that owner first. */
void code_handles_derive(uint64_t handle, uint64_t from)
{
	struct code_handle *code = code_handles_make(handle);
	struct code_handle *owner = code_handles_make(from);
	if (!code || !owner || code == owner || code->owner == owner)
		return;
	if (is_within(owner, code))
		unlink_code(owner);
	unlink_code(code);
	link_code(code, owner);
}

bool code_handles_is_ending(const struct code_handle *code)
{
	while (code && !code->is_ending)
		code = code->owner;
	return code;
}

struct code_handle *code_handles_after(const struct code_handle *root,
				       const struct code_handle *code)
{
	if (code->first)
		return code->first;
	while (code != root && !code->next)
		code = code->owner;
	return code == root ? NULL : code->next;
}

struct code_handle *code_handles_leaf(struct code_handle *root)
{
	while (root->first)
		root = root->first;
	return root;
}

void code_handles_forget(struct code_handle *leaf)
{
	uint64_t ignored = 0;
	(void)handle_map_take(&handles, leaf->handle, &ignored);
	unlink_code(leaf);
	put_back(leaf);
}
