#!/usr/bin/env bats
# Hosts that use up the rows of graphs: rows of the journal are reused, and nodes without a row are
# not made up.

load robust

# rows KIND: how many rows there are, and how many found no room.
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

@test "markers within a graph: the node that failed is listed first, those before it are finished" {
	unharmed bad_replay
	verdict "exact: graph launch #4, .*; its node is one of 20 \[pid [0-9]*\]\$"
	CULPRIT_GRAPH_MARKERS=every unharmed bad_replay
	verdict "exact: graph launch #4, .*; its node is one of 8 \[pid [0-9]*\]\$"
	grep -A 1 '^  nodes .*; by their markers 12 more are finished$' under.err | grep -q '^ *12: stray_store<<<'
	CULPRIT_GRAPH_MARKERS=5 unharmed bad_replay
	verdict "exact: graph launch #4, .*; its node is one of 10 \[pid [0-9]*\]\$"
	grep -q '^  nodes .*; by their markers 10 more are finished$' under.err
	CULPRIT_GRAPH_MARKERS=50 unharmed bad_replay
	verdict "exact: graph launch #4, .*; its node is one of 20 \[pid [0-9]*\]\$"
}

# The GPU may go on then, and so may they.
@test "markers within a graph prove nothing while the user's own core dumps are on" {
	export CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1 CUDA_COREDUMP_GENERATION_FLAGS=skip_abort
	export CUDA_COREDUMP_FILE=$BATS_TEST_TMPDIR/users.core
	CULPRIT_GRAPH_MARKERS=every unharmed bad_replay
	verdict "(narrowed|likely): .*#4 graph "
	! grep -q 'by their markers' under.err || false
}

@test "markers within a graph of branches: what follows a marker is finished, and no more is claimed" {
	for seed in {0..12}; do
		CULPRIT_GRAPH_MARKERS=every SIMCUDA_SEED=$seed unharmed bad_branch
		verdict "exact: graph launch #3, .*; its node is one of [0-9]* \[pid [0-9]*\]\$"
		! grep -q '^  nodes .* 1[3-9] more are finished' under.err || false
		grep -q 'stray_store<<<' under.err
	done
}

@test "markers within graphs leave the application's graphs and their updates as they were" {
	for interval in every 3 100; do
		CULPRIT_GRAPH_MARKERS=$interval unharmed graph_answers
	done
}

@test "20,000 updates of a graph with markers, and captures in eight threads: the bad node is named" {
	export CULPRIT_GRAPH_MARKERS=every
	unharmed many_updates
	verdict "exact: graph launch #20001, .*, node stray_store, captured at "
	unharmed captures_in_threads
	verdict "exact: graph launch #1601, .*, node stray_store, captured at "
}

@test "more nodes than rows: the launch is named, its nodes are said to be unknown" {
	unharmed too_many_nodes
	verdict "exact: graph launch #1, graph 0x[0-9a-f]*, replay 1 "
	grep -q '^  nodes  *not all known: there was no room for them$' under.err
	(($(lost graph-nodes) > 0))
	grep -Eq "^  no room +for ([0-9]+ graphs?, )?[0-9]+ graph nodes$" under.err
}

@test "eight threads capture at once: each node has its own stack" {
	unharmed captures_in_threads
	verdict "exact: graph launch #1601, graph .*; its node is one of 3"
	"$culprit" report bundles/* >report.txt
	cat report.txt
	(($(grep -c 'fill<<<.* captured at host.c:[0-9]* host_fill  <- graphs.c:[0-9]* capture' \
		report.txt) == 2))
	grep -Eq 'stray_store<<<.* captured at (host.c:[0-9]* host_store  <- )?host.c:[0-9]* host_stray  <- graphs.c:[0-9]* capture' \
		report.txt
}

@test "ending a capture that does not exist leaves the running one" {
	CULPRIT_MARKERS=inline unharmed ends_of_captures
	verdict "exact: graph launch #1, graph .*, node stray_store, captured at |exact: graph launch #1, graph .*; its node is one of 2"
}

@test "the driver's words: a graph's launch has a number, and is known to have started" {
	unharmed graph_answers
	verdict "exact: graph launch #6, "
	grep -q "driver progress: .* had started #6 and nothing after it (counter verified" under.err
}

# Seen on an H200: from its fifth entry on a stream has them elsewhere, and they stay there.
@test "the driver's words: a graph of many ends, and the work after it, have numbers" {
	unharmed many_ends
	verdict "exact: launch #34, stray_store "
	grep -q "driver progress: .* had started #34 and nothing after it (counter verified" under.err
	(($("$culprit" dump bundles/* | grep -c 'call="cuGraphLaunch".* payload=') == 16))
	(($("$culprit" dump bundles/* | grep -c 'call="cuLaunchKernel".* payload=') >= 17))
}
