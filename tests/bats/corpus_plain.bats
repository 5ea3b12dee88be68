#!/usr/bin/env bats
# The fault corpus without culprit: each scenario does what faults.tsv says, and the launch that it
# announces as the bad one is the launch that faults.

load corpus

# One build is enough for what a scenario does; the doors are compared below.
check_plain() {
	local kind code
	kind=$(field "$1" kind)
	code=$(field "$1" "${driver}_code")
	run_corpus linked "$1"
	echo "$output"
	case $kind in
	kernel | copy | graph)
		[[ $1 == fault_in_child ]] && return "$((status != 0))"
		[[ $status == 1 && ${output} == *"failed: $code"* ]]
		;;
	rejection) [[ $status == 0 && $output == *" $code"* && $output != *failed* ]] ;;
	clean) [[ $status == 0 && $output != *failed* ]] ;;
	*) false ;;
	esac
}

@test "every scenario behaves as its row of faults.tsv says" {
	local wrong=0
	for scenario in $(driver_scenarios); do
		check_plain "$scenario" || { echo "WRONG: $scenario" && wrong=1; }
	done
	((wrong == 0))
}

@test "faults.tsv and the programs know the same scenarios" {
	run_corpus linked --list
	[[ $(awk '{print $1}' <<<"$output" | sort) == "$(driver_scenarios | sort)" ]]
}

@test "the three entry paths to the driver give the same output" {
	local scenario wanted
	for scenario in stray_store per_thread_stream launch_ex graph_replay ok; do
		run_corpus linked "$scenario"
		wanted=$status:$output
		((status != 2))
		for door in dlopen procaddress; do
			run_corpus "$door" "$scenario"
			echo "$scenario $door: $output"
			[[ $status:$output == "$wanted" ]]
		done
	done
}

# simcuda writes which submission faulted; the program wrote which one it meant to be bad.
same_truth() {
	python3 -S - "$1" "$2" <<'PYTHON'
import json, sys
said = [json.loads(line) for line in open(sys.argv[1])]
seen = [json.loads(line) for line in open(sys.argv[2])]
assert len(said) == 1 and len(seen) == 1, (said, seen)
said, seen = said[0], seen[0]
if said["kind"] == "kernel":
    assert seen["kernel"] == said["kernel"], (said, seen)
    assert bytes.fromhex(seen["params"])[:4] == said["tag"].to_bytes(4, "little"), (said, seen)
    assert seen["grid"] == said["grid"] and seen["block"] == said["block"], (said, seen)
PYTHON
}

@test "the announced launch is the one that faults" {
	[[ $driver == simcuda ]] || skip "only simcuda tells which submission faulted"
	for scenario in $(driver_scenarios); do
		[[ $(field "$scenario" side) == none ]] && continue
		export SIMCUDA_TRUTH=$BATS_TEST_TMPDIR/$scenario.seen
		run_corpus linked --truth "$BATS_TEST_TMPDIR/$scenario.said" "$scenario"
		echo "$scenario"
		same_truth "$BATS_TEST_TMPDIR/$scenario.said" "$SIMCUDA_TRUTH"
	done
}

@test "cleanup calls fail after a fault: there is something to make harmless" {
	run_corpus linked cleanup_storm
	[[ $output == *"cleanup: cuMemFree 700"* && $output == *"cleanup: cuStreamDestroy 700"* ]]
}

@test "throwing destructors hide the first error" {
	local kernel=$build/lib/simcuda-kernels/stray_store.so
	[[ $driver == simcuda ]] || kernel=$build/lib/gpu-kernels/stray_store.fatbin
	run timeout -k 5 300 "$build/bin/throwing-destructor" "$kernel"
	echo "$output"
	((status == 134))
	[[ $output != *"caught: "* ]]
}
