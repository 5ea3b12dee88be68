#!/usr/bin/env bats
# Hosts that wear out graphs: rows of the journal are used again, and nodes that have none are not
# made up.

load robust

# rows KIND: how many there are, and how many found no room.
rows() {
	"$culprit" dump -F "$1" bundles/* | awk '/^# / { print $3 }'
}

lost() {
	"$culprit" dump -F "$1" bundles/* | awk '/^# / { print $5 }'
}

@test "20,000 graphs one after the other: rows are used again, the bad node is named" {
	unharmed many_graphs
	verdict "exact: graph launch #20001, .*, node stray_store, captured at "
	echo "rows: $(rows graphs) $(rows graph-nodes)"
	(($(rows graphs) < 6000 && $(rows graph-nodes) < 40000))
	(($(lost graph-nodes) == 0))
}

@test "20,000 updates of one graph: rows are used again, the bad node is named" {
	unharmed many_updates
	verdict "exact: graph launch #20001, .*, node stray_store, captured at "
	(($(rows graphs) < 6000 && $(rows graph-nodes) < 40000))
	(($(lost graph-nodes) == 0))
}

@test "more nodes than rows: the launch is named, its nodes are said to be unknown" {
	unharmed too_many_nodes
	verdict "exact: graph launch #1, graph 0x[0-9a-f]*, replay 1\$"
	grep -q '^  nodes  *not all known: there was no room for them$' under.err
	(($(lost graph-nodes) > 0))
}

@test "eight threads capture at once: each node has its own stack" {
	unharmed captures_in_threads
	verdict "exact: graph launch #1601, graph .*, one of 3 nodes"
	"$culprit" report bundles/* >report.txt
	cat report.txt
	(($(grep -c 'fill<<<.* captured at host.c:[0-9]* host_fill  <- graphs.c:[0-9]* capture' \
		report.txt) == 2))
	grep -Eq 'stray_store<<<.* captured at host.c:[0-9]* host_stray  <- graphs.c:[0-9]* capture' \
		report.txt
}
