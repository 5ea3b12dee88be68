/*
 * node_checks.c - lay out the orders of checks.
 *
 * In the answer of a check between two nodes, the first node's ranges have the lower half of the
 * places, the second node's the upper half, by their places in the lists. So an answer keeps its
 * place when the other node changes.
 */
#include "graph_checks/node_checks.h"

#include <stddef.h>

struct layout {
	uint32_t n;
	struct check_range ranges[CHECK_ORDER_RANGES];
};

static bool has_odd_values(uint32_t type)
{
	return type != CHECK_I32 && type != CHECK_I64 && type != CHECK_U8;
}

static bool is_wanted(const struct node_ranges *list, uint32_t range, enum check_when when,
		      uint32_t flags)
{
	if (!(flags & CHECK_ODD_ONLY))
		return true;
	return has_odd_values(list->types[range]) &&
	       (when == BEFORE || !(list->consts >> range & 1));
}

/* Ask for a range. One that was freed has no bytes, and keeps its place. */
static uint8_t ask(struct layout *layout, const struct checked_node *node, uint32_t range,
		   uint32_t place)
{
	layout->ranges[layout->n++] =
		(struct check_range){.address = node->list.pointers[range].address,
				     .bytes = node->list.pointers[range].bytes,
				     .type = node->list.types[range],
				     .place = place,
				     .version = node->version};
	return (uint8_t)place;
}

/* Return the place of a range of the next node, if this node's check reads the same after it. */
static uint8_t find_shared(const struct checked_node *node, const struct checked_node *next,
			   uint32_t range)
{
	const struct argument_range *wanted = &next->list.pointers[range];
	for (uint32_t i = 0; i < node->list.n; i++) {
		const struct argument_range *read = &node->list.pointers[i];
		if (node->places[AFTER][i] != NO_PLACE && read->address == wanted->address &&
		    read->bytes == wanted->bytes && read->number == wanted->number &&
		    node->list.types[i] == next->list.types[range])
			return (uint8_t)i;
	}
	return NO_PLACE;
}

static void ask_after(struct layout *layout, struct checked_node *node, uint32_t flags)
{
	for (uint32_t i = 0; i < node->list.n; i++)
		node->places[AFTER][i] = is_wanted(&node->list, i, AFTER, flags)
						 ? ask(layout, node, i, i)
						 : (uint8_t)NO_PLACE;
}

/* `previous`: the node that the check follows; NULL: none. */
static void ask_before(struct layout *layout, struct checked_node *node,
		       const struct checked_node *previous, uint32_t flags)
{
	for (uint32_t i = 0; i < node->list.n; i++) {
		uint8_t *place = &node->places[BEFORE][i];
		*place = previous ? find_shared(previous, node, i) : (uint8_t)NO_PLACE;
		if (*place == NO_PLACE && is_wanted(&node->list, i, BEFORE, flags))
			*place = ask(layout, node, i, previous ? CHECK_MAX_RANGES + i : i);
	}
}

void node_checks_fill_order(struct checked_node *node, const struct checked_node *end,
			    enum check_when when, const struct check_mode *mode,
			    struct check_order *out)
{
	struct layout layout = {.n = 0};
	if (when == BEFORE && node->is_joined) {
		node--;
		when = AFTER;
	}
	if (when == AFTER) {
		ask_after(&layout, node, mode->flags);
		if (node + 1 < end && node[1].is_joined)
			ask_before(&layout, node + 1, node, mode->flags);
	} else {
		ask_before(&layout, node, NULL, mode->flags);
	}
	check_fill_order(&node->slots[when], layout.ranges, layout.n, mode, out);
}

struct node_bytes node_checks_bytes(const struct checked_node *node, enum check_when when,
				    const struct check_mode *mode)
{
	struct node_bytes bytes = {0};
	for (uint32_t i = 0; i < node->list.n; i++) {
		if (node->places[when][i] == NO_PLACE)
			continue;
		bytes.n_given += node->list.given[i];
		bytes.n_read += check_bytes_read(node->list.pointers[i].bytes, mode);
	}
	return bytes;
}

/* Return the result if it is of the version that the node, or the one before it, has now. */
static const volatile struct check_result *current(const struct checked_node *node,
						   enum check_when when, uint32_t range,
						   const volatile struct check_result *results)
{
	uint32_t place = node->places[when][range];
	if (place == NO_PLACE)
		return NULL;
	bool is_shared = when == BEFORE && node->is_joined && place < CHECK_MAX_RANGES;
	uint32_t version = is_shared ? node[-1].version : node->version;
	return results[place].run && results[place].version == version ? &results[place] : NULL;
}

const volatile struct check_result *node_checks_first_odd(const struct checked_node *node,
							  enum check_when when, uint32_t range)
{
	return current(node, when, range, node->slots[when].answer->first_odd);
}

const volatile struct check_result *node_checks_newest(const struct checked_node *node,
						       enum check_when when, uint32_t range)
{
	return current(node, when, range, node->slots[when].answer->newest);
}

const volatile struct check_result *node_checks_odd_now(const struct checked_node *node,
							enum check_when when, uint32_t range,
							uint32_t flags)
{
	const volatile struct check_result *newest = node_checks_newest(node, when, range);
	if (!newest || newest->run != node_checks_run(node, when))
		return NULL;
	if (flags & CHECK_ODD_ONLY)
		return node_checks_first_odd(node, when, range);
	return check_is_odd(newest, flags) ? newest : NULL;
}
