/*
 * journal_graphs.h - the part of journal_format.h about graphs. Include journal_format.h instead of
 * this file.
 */
#ifndef CULPRIT_BASE_JOURNAL_GRAPHS_H
#define CULPRIT_BASE_JOURNAL_GRAPHS_H

#include <assert.h>
#include <stdint.h>

enum graph_flags {
	GRAPH_NODES_LOST = 1,    /* rows did not fit, or the driver did not list all nodes */
	GRAPH_NODES_HIDDEN = 2,  /* a conditional node's bodies are not among the rows */
	GRAPH_NODES_CHANGED = 4, /* a change of a node could not be followed */
	GRAPH_HAS_CHECKS = 8, /* launches run a copy with kernels of culprit's between the nodes */
};

/*
 * An executable graph as it was instantiated, or updated as a whole. Its nodes are a list of rows
 * of graph-nodes, from `first` on, linked by `next`. The nodes of a child graph follow the node
 * that holds it. A launch names row and number (struct record_graph). The rows of a destroyed or
 * updated graph stay for a while before they are reused; a reused row has another `number`.
 */
struct graph_row {
	uint64_t number;  /* live: unique number of this use of the row; 0: being written */
	uint64_t handle;  /* CUgraphExec */
	uint32_t first;   /* id in graph-nodes; 0: none */
	uint32_t n_nodes; /* of the graph, whether or not each has a row */
	uint32_t flags;   /* live: enum graph_flags */
	uint32_t stack;   /* of the call that instantiated or updated it */
	/*
	 * Markers inside the graph (CULPRIT_GRAPH_MARKERS). There is one after every
	 * marker_interval-th kernel and one after the last, in the order of their index. Kernels in
	 * child graphs do not count.
	 */
	uint32_t marker_interval; /* 0: none */
	uint32_t n_markers;
	/*
	 * Live, copied at the failure: the number of markers that the running launch had passed, or
	 * n_markers if nothing is known.
	 */
	uint32_t marked;
	uint32_t is_linear; /* each node waits for the node with the index before its own */
};
static_assert(sizeof(struct graph_row) == 48, "graph_row is part of the format");

/* How a node was added to the graph, and so which call its stack belongs to. */
enum graph_node_source { GRAPH_NODE_UNSEEN, GRAPH_NODE_CAPTURED, GRAPH_NODE_ADDED };

enum graph_node_flags {
	GRAPH_NODE_COPIED = 1, /* from a node of another graph, whose stack it has */
	GRAPH_NODE_DISABLED = 2,
	GRAPH_NODE_ARGUMENTS_CUT = 4,
	GRAPH_NODE_UPDATABLE = 8,    /* kernels may change its shape and arguments, or disable it */
	GRAPH_NODE_COOPERATIVE = 16, /* or the driver did not say */
};

/* `work` of a node besides enum work_kind. A WORK_GRAPH node holds the nodes that follow it. */
enum { NODE_WORK_NONE = 0, NODE_WORK_UNKNOWN = UINT8_MAX };

#define GRAPH_NODE_ARGUMENTS 48

/*
 * A node of an executable graph. A change of the node is written into its row. The node's earlier
 * state moves to another row, `older`, until such rows are reused. A launch ran the state with the
 * greatest version that is at most its own, among rows with the same number and index.
 */
struct graph_node_row {
	uint64_t number;  /* live: its graph's; 0: being written */
	uint64_t handle;  /* CUgraphNode, of the graph that was instantiated */
	uint32_t next;    /* id of the next node's row; 0: this is the last node */
	uint32_t older;   /* id of the node as it was before `version`; 0: none */
	uint32_t version; /* of the graph, since which the node is in this state; 0: always */
	uint32_t index;   /* in the graph, from 0 */
	uint32_t holder;  /* 1 + index of the node whose child graph it is in; 0: none */
	uint32_t stack;
	uint32_t function; /* id in functions; this and the following: kernels only */
	uint32_t shared_bytes;
	uint32_t grid[3];
	uint32_t block[3];
	uint8_t work;            /* enum work_kind, NODE_WORK_NONE, NODE_WORK_UNKNOWN */
	uint8_t source;          /* enum graph_node_source */
	uint16_t flags;          /* enum graph_node_flags */
	uint32_t argument_bytes; /* bytes of the parameter buffer in `arguments` */
	uint8_t arguments[GRAPH_NODE_ARGUMENTS];
};
static_assert(sizeof(struct graph_node_row) == 128, "graph_node_row is part of the format");

#endif
