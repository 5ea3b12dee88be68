/*
 * journal_graphs.h - the part of journal_format.h about graphs: its readers include that one.
 */
#ifndef CULPRIT_BASE_JOURNAL_GRAPHS_H
#define CULPRIT_BASE_JOURNAL_GRAPHS_H

#include <assert.h>
#include <stdint.h>

enum graph_flags {
	GRAPH_NODES_LOST = 1,    /* rows found no room, or the driver did not tell all nodes */
	GRAPH_NODES_HIDDEN = 2,  /* a conditional node's bodies are not among the rows */
	GRAPH_NODES_CHANGED = 4, /* a change of a node could not be followed */
};

/*
 * An executable graph as it was instantiated, or updated as a whole. Its nodes are the rows of
 * graph-nodes from `first` on by their `next`, those of a child graph right behind the node that
 * holds it. A launch names row and number (struct record_graph). The rows of a graph that was
 * destroyed or updated stay for a while before they are used again: `number` tells.
 */
struct graph_row {
	uint64_t number;  /* live: of this use of the row, never the same twice; 0: being written */
	uint64_t handle;  /* CUgraphExec */
	uint32_t first;   /* id in graph-nodes, 0 none */
	uint32_t n_nodes; /* of the graph, whether or not each has a row */
	uint32_t flags;   /* live: enum graph_flags */
	uint32_t stack;   /* of the call that instantiated or updated it */
	/*
	 * Markers within it (CULPRIT_GRAPH_MARKERS): one behind every marker_interval-th of the
	 * kernels that are in no child graph, in the order of their index, and one behind the last.
	 */
	uint32_t marker_interval; /* 0: none */
	uint32_t n_markers;
	/*
	 * Live, copied at the failure: below n_markers, so many have come in the launch that was
	 * running; at n_markers nothing is known.
	 */
	uint32_t marked;
	uint32_t is_linear; /* each node, in the order of their index, waits for the one before */
};
static_assert(sizeof(struct graph_row) == 48, "graph_row is part of the format");

/* How a node came into the graph, and so what its stack is the stack of. */
enum graph_node_source { GRAPH_NODE_UNSEEN, GRAPH_NODE_CAPTURED, GRAPH_NODE_ADDED };

enum graph_node_flags {
	GRAPH_NODE_COPIED = 1, /* from another graph: the stack is the other node's */
	GRAPH_NODE_DISABLED = 2,
	GRAPH_NODE_ARGUMENTS_CUT = 4,
	GRAPH_NODE_UPDATABLE = 8, /* kernels may change its shape, arguments and whether it runs */
	GRAPH_NODE_COOPERATIVE = 16, /* or the driver did not tell */
};

/* Work of a node, beside enum work_kind (WORK_GRAPH holds the nodes behind it). */
enum { NODE_WORK_NONE = 0, NODE_WORK_UNKNOWN = UINT8_MAX };

#define GRAPH_NODE_ARGUMENTS 48

/*
 * A node of an executable graph. A change of the node is written into its row; what it was before
 * goes to a row of its own, `older`, for as long as such rows last. Of those with the same number
 * and index, a launch ran the one with the greatest version that is not above its own.
 */
struct graph_node_row {
	uint64_t number;  /* live: its graph's; 0: being written */
	uint64_t handle;  /* CUgraphNode, of the graph that was instantiated */
	uint32_t next;    /* id of the next node's row, 0: the last one */
	uint32_t older;   /* id of the node as it was before `version`, 0 none */
	uint32_t version; /* of the graph, from which on the node is so; 0: from the beginning */
	uint32_t index;   /* in the graph, from 0 */
	uint32_t holder;  /* 1 + index of the node whose child graph it is in; 0: in none */
	uint32_t stack;
	uint32_t function; /* id in functions; of kernels, as the rest of it */
	uint32_t shared_bytes;
	uint32_t grid[3];
	uint32_t block[3];
	uint8_t work;            /* enum work_kind, NODE_WORK_NONE, NODE_WORK_UNKNOWN */
	uint8_t source;          /* enum graph_node_source */
	uint16_t flags;          /* enum graph_node_flags */
	uint32_t argument_bytes; /* of the parameter buffer, that many are here: */
	uint8_t arguments[GRAPH_NODE_ARGUMENTS];
};
static_assert(sizeof(struct graph_node_row) == 128, "graph_node_row is part of the format");

#endif
