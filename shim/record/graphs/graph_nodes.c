/*
 * graph_nodes.c - lists of nodes in pages of their own.
 */
#include "record/graphs/graph_nodes.h"

#include <sys/mman.h>

#include "record/driver/driver.h"

bool node_list_make(size_t n_nodes, struct node_list *out)
{
	size_t bytes = n_nodes * sizeof(CUgraphNode);
	*out = (struct node_list){0};
	if (n_nodes == 0)
		return true;
	void *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return false;
	out->nodes = memory;
	out->bytes = bytes;
	return true;
}

void node_list_free(struct node_list *list)
{
	if (list->bytes)
		(void)munmap(list->nodes, list->bytes);
	*list = (struct node_list){0};
}

bool node_list_read(CUgraph graph, struct node_list *out)
{
	size_t n_nodes = 0;
	*out = (struct node_list){0};
	if (real.cuGraphGetNodes(graph, NULL, &n_nodes) != CUDA_SUCCESS ||
	    !node_list_make(n_nodes, out))
		return false;
	out->n_nodes = n_nodes;
	if (n_nodes == 0 || real.cuGraphGetNodes(graph, out->nodes, &out->n_nodes) == CUDA_SUCCESS)
		return true;
	node_list_free(out);
	return false;
}
