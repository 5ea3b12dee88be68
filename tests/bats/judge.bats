#!/usr/bin/env bats
# scripts/judge itself: it must find what it is there to find.

load corpus

setup() {
	cd "$BATS_TEST_TMPDIR"
	printf 'cuCtxSynchronize 700\nfailed: 700\ncleanup: cuMemFree 700\n' >plain.out
	printf 'cuCtxSynchronize 700\nfailed: 700\ncleanup: cuMemFree 0\n' >under.out
	echo '{"scenario": "stray_store", "kind": "kernel", "kernel": "stray_store", "tag": 42,
		"grid": [4, 1, 1], "block": [32, 1, 1], "function": "stray_store",
		"file": "tests/corpus/faults.c", "line": 7}' | tr -d '\n' >truth.json
}

# suspect TAG LINE: one suspect of a report.
suspect() {
	printf '{"submission": 12, "kind": "launch", "kernel": "stray_store",
		"arguments": [{"index": 0, "size": 4, "hex": "%02x000000"}],
		"stack": [{"function": "stray_store", "file": "faults.c", "line": %d}]}' "$1" "$2"
}

# report CLASS CODE SUSPECT...
report() {
	local class=$1 code=$2 IFS=,
	shift 2
	printf '{"verdict": "%s", "error": {"code": %d}, "n_suspects": %d, "suspects": [%s]}' \
		"$class" "$code" $# "$*" >report.json
}

# judged SCENARIO SCHEME EXPECTED-RESULT [REPORT...]
judged() {
	local scenario=$1 scheme=$2 expected=$3
	shift 3
	run "$root/scripts/judge" --table "$table" --scenario "$scenario" --build linked \
		--scheme "$scheme" --driver simcuda --truth truth.json --plain plain.out \
		--under under.out --plain-status "${plain_status:-1}" \
		--under-status "${under_status:-1}" "$@"
	echo "$output"
	[[ $(cut -f8 <<<"$output") == "$expected" ]]
	[[ $expected == ok && $status == 0 || $expected != ok && $status == 1 ]]
}

@test "the truth, likely: ok" {
	report likely 700 "$(suspect 42 7)"
	judged stray_store side ok report.json
}

@test "another launch, exact: WRONG" {
	report exact 700 "$(suspect 41 7)"
	judged stray_store inline WRONG report.json
}

@test "the truth with memory other than its pointer's: WRONG; with none: ok" {
	sed -i 's/}$/, "memory": {"pointer": "0x1000", "state": "inside", "size": 4096}}/' truth.json
	report exact 700 "$(suspect 42 7)"
	judged stray_store inline ok report.json
	for size in 4096 8192; do
		report exact 700 "$(suspect 42 7 | tr -d '\n' | sed "s/000000\"}/&, {\"index\": 1, \"size\": 8, \"hex\": \"0010000000000000\", \"allocation\": {\"state\": \"inside\", \"start\": \"0x1000\", \"size\": $size}}/")"
		if ((size == 4096)); then
			judged stray_store inline ok report.json
		else
			judged stray_store inline WRONG report.json
		fi
	done
}

@test "another launch, likely: WRONG" {
	report likely 700 "$(suspect 41 7)"
	judged stray_store side WRONG report.json
}

@test "a wrong verdict is reported before a changed output" {
	report exact 700 "$(suspect 41 7)"
	echo "more" >>under.out
	judged stray_store inline WRONG report.json
}

@test "exact with two suspects: WRONG" {
	report exact 700 "$(suspect 42 7)" "$(suspect 41 7)"
	judged stray_store inline WRONG report.json
}

@test "narrowed with the truth: ok, without: WRONG" {
	report narrowed 700 "$(suspect 41 7)" "$(suspect 42 7)"
	judged stray_store off ok report.json
	report narrowed 700 "$(suspect 41 7)" "$(suspect 43 7)"
	judged stray_store off WRONG report.json
	sed -i 's/"n_suspects": 2/"n_suspects": 300/' report.json
	judged stray_store off ok report.json
}

@test "another code than the program saw: WRONG" {
	report likely 719 "$(suspect 42 7)"
	judged stray_store side WRONG report.json
}

@test "the right launch from the wrong line: STACK" {
	report likely 700 "$(suspect 42 8)"
	judged stray_store side STACK report.json
}

@test "weaker than required: WEAK; stronger than the evidence: STRONG" {
	report unknown 700
	judged stray_store side WEAK report.json
	report likely 700 "$(suspect 42 7)"
	judged stray_store off STRONG report.json
}

@test "a fault without a bundle, with two bundles or broken JSON: LOST" {
	judged stray_store side LOST
	report likely 700 "$(suspect 42 7)"
	judged stray_store side LOST report.json report.json
	echo '{' >report.json
	judged stray_store side LOST report.json
}

@test "output, exit status or a cleanup call that changed: DIFFERS" {
	report likely 700 "$(suspect 42 7)"
	under_status=0 judged stray_store side DIFFERS report.json
	cp plain.out under.out
	judged stray_store side DIFFERS report.json
	printf 'cuCtxSynchronize 0\nfailed: 700\n' >under.out
	judged stray_store side DIFFERS report.json
}

@test "a clean program: silence is ok, a verdict or a changed cleanup is not" {
	echo "cuCtxSynchronize 0" | tee plain.out >under.out
	export plain_status=0 under_status=0
	judged ok side ok
	report unknown 700
	judged ok side LOST report.json
	echo '{"verdict": "unknown", "error": null, "n_suspects": 0, "suspects": []}' >report.json
	judged ok side ok report.json
	echo "cleanup: cuMemFree 0" >>under.out
	judged ok side DIFFERS
}

@test "a scenario that does not do what its row says: FAILED" {
	report likely 700 "$(suspect 42 7)"
	plain_status=124 under_status=124 judged stray_store side FAILED report.json
	cp plain.out under.out
	judged ok side FAILED
	plain_status=0 under_status=0
	echo "cuMemAlloc 0" | tee plain.out >under.out
	judged out_of_memory side FAILED
}

@test "a refusal for which runtimes return one of two codes" {
	for code in 1 9; do
		echo "cudaGetLastError $code" | tee plain.out >under.out
		run "$root/scripts/judge" --table "$table" --scenario invalid_configuration --build cudart-12.4-shared \
			--scheme auto --driver gpu --plain plain.out --under under.out --plain-status 0 \
			--under-status 0
		[[ $status == 0 && $output == *ok* ]]
	done
}

@test "an unknown scenario stops it at once" {
	run "$root/scripts/judge" --table "$table" --scenario none --build linked --scheme side \
		--driver simcuda --plain plain.out --under under.out --plain-status 0 \
		--under-status 0
	((status == 2))
	[[ $output == "judge: "*"no scenario none" ]]
}

# graph_suspect CLASS NODE...: the launch of a graph with these candidates.
graph_suspect() {
	local class=$1 IFS=,
	shift
	printf '{"submission": 12, "kind": "graph_launch", "graph": {"node_verdict": "%s",
		"n_candidates": %d, "candidates": [%s]},
		"stack": [{"function": "replay", "file": "graphs.c", "line": 60}]}' "$class" $# "$*"
}

# node TAG LINE: one candidate.
node() {
	printf '{"kernel": "store_through", "arguments": [{"index": 0, "hex": "%02x000000"}],
		"stack": [{"function": "capture", "file": "graphs.c", "line": %d}]}' "$1" "$2"
}

graph_truth() {
	echo '{"kind": "graph", "kernel": "store_through", "tag": 42,
		"node": {"function": "capture", "file": "tests/corpus/graphs.c", "line": 9},
		"function": "replay", "file": "tests/corpus/graphs.c", "line": 60}' |
		tr -d '\n' >truth.json
}

@test "a graph: the right node, alone or among others, is ok" {
	graph_truth
	report exact 700 "$(graph_suspect exact "$(node 42 9)")"
	judged graph_one_node inline ok report.json
	report exact 700 "$(graph_suspect narrowed "$(node 41 8)" "$(node 42 9)")"
	judged graph_added inline ok report.json
}

@test "a graph: another node, exact or narrowed, is WRONG" {
	graph_truth
	report exact 700 "$(graph_suspect exact "$(node 41 9)")"
	judged graph_one_node inline WRONG report.json
	report exact 700 "$(graph_suspect exact "$(node 42 9)" "$(node 41 8)")"
	judged graph_one_node inline WRONG report.json
	report exact 700 "$(graph_suspect narrowed "$(node 41 8)" "$(node 40 8)")"
	judged graph_added inline WRONG report.json
}

@test "a graph: a node of another line is STACK, an unknown one WEAK, a guessed one STRONG" {
	graph_truth
	report exact 700 "$(graph_suspect exact "$(node 42 8)")"
	judged graph_one_node inline STACK report.json
	report exact 700 "$(graph_suspect unknown)"
	judged graph_one_node inline WEAK report.json
	report exact 700 "$(graph_suspect exact "$(node 42 9)")"
	judged graph_added inline STRONG report.json
}
