/*
 * node_checks.h - the two checks of a kernel node: what they read, and where their answers are.
 *
 * If a node waits for the node before it in the list only, and that node has no other one waiting,
 * one check between the two serves both. It reads the first node's arguments after that node has
 * run, and the second node's before that node runs. Memory passed to both is read once.
 *
 * A check that looks for odd values only leaves out integers. After the kernel it also leaves out
 * what the kernel's signature names as pointers to const: a kernel that writes there anyway is not
 * named, but those that read it afterwards are.
 */
#ifndef CULPRIT_GRAPH_CHECKS_NODE_CHECKS_H
#define CULPRIT_GRAPH_CHECKS_NODE_CHECKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "check/check.h"
#include "graph_checks/node_ranges.h"

enum check_when { BEFORE, AFTER, N_WHEN };

/* A node of the program's graph. Its place in the list is its index in the journal. */
struct checked_node {
	CUgraphNode node; /* the program's handle */
	CUgraphNode copy;
	CUgraph graph;            /* the copy's */
	uint32_t holder;          /* as in struct graph_visit */
	uint32_t function, stack; /* ids, of a kernel with checks */
	uint32_t version;         /* of `list`, from 1 */
	uint32_t since;           /* only values that became odd after this replay count */
	bool has_checks;
	bool is_joined; /* the check before it is the one after the node before it in the list */
	CUgraphNode checks[N_WHEN]; /* in the copy */
	struct check_slot slots[N_WHEN];
	uint8_t places[N_WHEN][CHECK_MAX_RANGES]; /* in the slot's answer; NO_PLACE: not read */
	struct node_ranges list;
};

enum { NO_PLACE = 255 };

/*
 * Fill the order of one of the node's checks, and note its places in the nodes that it serves.
 * `end` is the end of the list. The list's owner.
 */
void node_checks_fill_order(struct checked_node *node, const struct checked_node *end,
			    enum check_when when, const struct check_mode *mode,
			    struct check_order *out);

/*
 * Return the first odd result of a range of the list, or the newest one; NULL: it was not read, or
 * the kernel or its arguments have changed since. The list's owner, or a reader beside the GPU.
 */
const volatile struct check_result *node_checks_first_odd(const struct checked_node *node,
							  enum check_when when, uint32_t range);
const volatile struct check_result *node_checks_newest(const struct checked_node *node,
						       enum check_when when, uint32_t range);

/*
 * Return the newest result if it is odd, of a check with these flags; NULL: it is not. A check that
 * looks for odd values only has no newer result than the first odd one. The list's owner, or a
 * reader beside the GPU.
 */
const volatile struct check_result *node_checks_odd_now(const struct checked_node *node,
							enum check_when when, uint32_t range,
							uint32_t flags);

/* Bytes of the kernel's arguments that one of a node's checks reads. */
struct node_bytes {
	uint64_t n_read;
	uint64_t n_given; /* without samples */
};

/* Add up the bytes of a check that has its order. Any thread. */
struct node_bytes node_checks_bytes(const struct checked_node *node, enum check_when when,
				    const struct check_mode *mode);

/* Return the number of the newest complete run of a check. The answers of that run are there. */
static inline uint32_t node_checks_run(const struct checked_node *node, enum check_when when)
{
	/* Pairs with the kernel's fence before it stores the number. */
	return __atomic_load_n(&node->slots[when].answer->run, __ATOMIC_ACQUIRE);
}

#endif
