#!/usr/bin/env bats
# The fault corpus under culprit: every scenario, through each entry path to the driver, and with
# each marker scheme. The verdict must agree with the truth, and the program must see what it sees
# without culprit. There is one test per scenario; scripts/corpus-cell runs it and scripts/judge
# decides.

load corpus

# The entry paths run side by side, because most of a scenario is waiting. Rows are kept until all
# are in. Every path leads to the same wrappers, so on simcuda the other schemes are tried on the
# first path only, and the other paths in turns.
check_scenario() {
	local door pid wrong=0 pids=() schemes=(side inline off) doors=(linked dlopen procaddress)
	[[ $driver == simcuda ]] && doors=(linked "${doors[1 + BATS_TEST_NUMBER % 2]}")
	for door in "${doors[@]}"; do
		[[ $driver == simcuda && $door != linked ]] && schemes=(side)
		"$root/scripts/corpus-cell" --build-dir "$build" --driver "$driver" \
			--keep "$BATS_TEST_TMPDIR/$door" "$1" "$door" "${schemes[@]}" \
			>"$BATS_TEST_TMPDIR/$door.rows" 2>&1 &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do
		wait "$pid" || wrong=1
	done
	cat "$BATS_TEST_TMPDIR"/*.rows
	((wrong == 0))
}

@test "every scenario of faults.tsv has a test here" {
	for scenario in $(driver_scenarios); do
		echo "$scenario"
		grep -qx "@test \"$scenario\" { check_scenario $scenario; }" "$BATS_TEST_FILENAME"
	done
}

@test "late markers and any order of streams: no verdict is wrong" {
	[[ $driver == simcuda ]] || skip "only simcuda can be made late"
	local rows=$BATS_TEST_TMPDIR/rows
	export SIMCUDA_SEED=1 SIMCUDA_DELAY_US=50 SIMCUDA_MARKER_DELAY_US=2000
	for scenario in stray_store late_in_stream one_of_four_streams after_event_wait \
		one_of_eight_threads two_contexts two_devices green_contexts graph_replay cleanup_storm; do
		"$root/scripts/corpus-cell" --build-dir "$build" "$scenario" linked \
			side inline >>"$rows" || true
	done
	cat "$rows"
	(($(wc -l <"$rows") == 20))
	awk -F'\t' '$8 != "ok" || $7 != "same" { wrong = 1 } END { exit wrong }' "$rows"
	grep -qP '\texact\t1\tsame\tok' "$rows"
}

@test "throwing destructors: the first error reaches main" {
	local kernel=$build/lib/simcuda-kernels/stray_store.so
	[[ $driver == simcuda ]] || kernel=$build/lib/gpu-kernels/stray_store.fatbin
	export CULPRIT_DIR=$BATS_TEST_TMPDIR CULPRIT_QUIET=1
	run timeout -k 5 300 "$build/bin/culprit" run -- "$build/bin/throwing-destructor" "$kernel"
	echo "$output"
	((status == 1))
	[[ $output == "caught: cuStreamSynchronize returned 700" ]]
}

@test "stray_store" { check_scenario stray_store; }
@test "stray_load" { check_scenario stray_load; }
@test "misaligned" { check_scenario misaligned; }
@test "device_assert" { check_scenario device_assert; }
@test "trap" { check_scenario trap; }
@test "illegal_instruction" { check_scenario illegal_instruction; }
@test "stack_overflow" { check_scenario stack_overflow; }
@test "shared_out_of_bounds" { check_scenario shared_out_of_bounds; }
@test "use_after_free" { check_scenario use_after_free; }
@test "host_pointer" { check_scenario host_pointer; }
@test "first_launch" { check_scenario first_launch; }
@test "sync_each" { check_scenario sync_each; }
@test "late_in_stream" { check_scenario late_in_stream; }
@test "one_of_four_streams" { check_scenario one_of_four_streams; }
@test "after_event_wait" { check_scenario after_event_wait; }
@test "per_thread_stream" { check_scenario per_thread_stream; }
@test "one_of_eight_threads" { check_scenario one_of_eight_threads; }
@test "two_contexts" { check_scenario two_contexts; }
@test "two_devices" { check_scenario two_devices; }
@test "green_contexts" { check_scenario green_contexts; }
@test "launch_ex" { check_scenario launch_ex; }
@test "cooperative" { check_scenario cooperative; }
@test "graph_replay" { check_scenario graph_replay; }
@test "graph_one_node" { check_scenario graph_one_node; }
@test "graph_added" { check_scenario graph_added; }
@test "graph_child" { check_scenario graph_child; }
@test "graph_conditional" { check_scenario graph_conditional; }
@test "graph_clone" { check_scenario graph_clone; }
@test "graph_update" { check_scenario graph_update; }
@test "graph_params" { check_scenario graph_params; }
@test "graph_disabled" { check_scenario graph_disabled; }
@test "graph_updatable" { check_scenario graph_updatable; }
@test "copy_fault" { check_scenario copy_fault; }
@test "managed" { check_scenario managed; }
@test "async_alloc" { check_scenario async_alloc; }
@test "cleanup_storm" { check_scenario cleanup_storm; }
@test "fault_in_child" { check_scenario fault_in_child; }
@test "ok" { check_scenario ok; }
@test "invalid_value" { check_scenario invalid_value; }
@test "out_of_memory" { check_scenario out_of_memory; }
@test "too_many_threads" { check_scenario too_many_threads; }
@test "too_many_registers" { check_scenario too_many_registers; }
@test "shared_too_large" { check_scenario shared_too_large; }
@test "missing_kernel" { check_scenario missing_kernel; }
@test "registered_twice" { check_scenario registered_twice; }
@test "never_registered" { check_scenario never_registered; }
@test "ptx_too_new" { check_scenario ptx_too_new; }
@test "ptx_invalid" { check_scenario ptx_invalid; }
@test "not_initialized" { check_scenario not_initialized; }
@test "free_at_exit" { check_scenario free_at_exit; }
@test "busy_at_exit" { check_scenario busy_at_exit; }
@test "fork_before_init" { check_scenario fork_before_init; }
@test "exec_self" { check_scenario exec_self; }
