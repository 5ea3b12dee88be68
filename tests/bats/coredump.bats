#!/usr/bin/env bats
# CULPRIT_COREDUMP=on, on a simulated driver that hides and changes errors as an H200 does while it
# writes GPU core dumps: programs must see what they see without dumps, and verdicts must be right.

load corpus

setup() {
	[[ $driver == simcuda ]] || skip "scripts/gpu corpus --coredump does this on a GPU"
	cd "$BATS_TEST_TMPDIR"
	unset "${!CULPRIT_@}" "${!SIMCUDA_@}"
	export CULPRIT_REPORT=full
	export CULPRIT_COREDUMP=on CULPRIT_DIR=$BATS_TEST_TMPDIR/bundles
	mkdir bundles
}

# rows_of SCENARIO...: a row of scripts/judge for each, in the file rows; two run at a time.
rows_of() {
	printf '%s\n' "$@" | xargs -P 2 -I NAME "$root/scripts/corpus-cell" --build-dir "$build" \
		NAME linked auto >rows || true
	cat rows
	(($(wc -l <rows) == $#))
}

# cells SCENARIO...: the same, and all are as they must be.
cells() {
	rows_of "$@"
	awk -F'\t' '$8 != "ok" { wrong = 1 } END { exit wrong }' rows
}

# all_cells: of each scenario that the driver API has.
all_cells() {
	local scenarios
	mapfile -t scenarios < <(driver_scenarios)
	cells "${scenarios[@]}"
}

kernel_scenarios() {
	awk -F'\t' '$2 == "kernel" && $10 ~ /driver/ { print $1 }' "$table"
}

# kernel_cells: of each scenario whose culprit is a kernel; in an emulator of some.
kernel_cells() {
	local scenarios
	mapfile -t scenarios < <(kernel_scenarios | some_lines)
	cells "${scenarios[@]}"
}

# under SCENARIO: its output, status and stderr under culprit; the bundle's path in $bundle.
under() {
	run --separate-stderr timeout -k 5 300 "$build/bin/culprit" run -- "$build/bin/corpus" "$@"
	echo "$output" "$stderr"
	bundle=$(echo "$CULPRIT_DIR"/culprit-*)
}

# unharmed SCENARIO: output and status are as plain, without dumps.
unharmed() {
	run_corpus linked "$@"
	local plain=$output plain_status=$status
	CULPRIT_CLEANUP=real under "$@"
	((status == plain_status))
	[[ $output == "$plain" ]]
}

bats_require_minimum_version 1.5.0

@test "the whole corpus, errors hidden and changed: each is reported as ever, kernels exactly" {
	all_cells
	for scenario in $(kernel_scenarios); do
		grep -q "^$scenario	.*	exact	1	same	ok" rows
	done
}

@test "each kernel of the corpus, errors reported as ever" {
	SIMCUDA_COREDUMP=told kernel_cells
}

@test "each kernel of the corpus, warps that had exited" {
	SIMCUDA_COREDUMP=gone kernel_cells
}

# Late side markers may mislead a verdict that is not exact.
@test "streams in any order, late markers: exact is never wrong" {
	export SIMCUDA_SEED=1 SIMCUDA_DELAY_US=50 SIMCUDA_MARKER_DELAY_US=2000
	rows_of stray_store late_in_stream one_of_four_streams after_event_wait \
		one_of_eight_threads two_contexts graph_replay cleanup_storm
	awk -F'\t' '$5 == "exact" && $8 != "ok" || $7 != "same" { wrong = 1 }
		END { exit wrong }' rows
}

@test "a dump that is still being written is waited for" {
	SIMCUDA_COREDUMP_GROW_MS=150 unharmed one_of_eight_threads
	[[ $stderr == *"exact: launch #"* ]]
}

@test "a driver that never reports errors: the dump's code, from all calls that fail without dumps" {
	export SIMCUDA_COREDUMP_LATE_MS=60000
	unharmed stray_store
	[[ $stderr == *"(700) — exact: launch #12, stray_store"* ]]
	unharmed device_assert
	unharmed cleanup_storm
}

@test "an assert is 710 for every call, where the driver says 719" {
	unharmed device_assert
	[[ $stderr == *"CUDA_ERROR_ASSERT (710) — exact"* ]]
}

@test "a dump that is cut short: no proof, and the driver's own error" {
	SIMCUDA_COREDUMP="cut" unharmed first_launch
	[[ $stderr == *"CUDA_ERROR_ILLEGAL_ADDRESS (700) — "* && $stderr != *" — exact"* ]]
	[[ $stderr == *"weaker: GPU core dumps are on"* ]]
}

@test "no dump is written: nothing unproven is exact" {
	SIMCUDA_COREDUMP=lost SIMCUDA_COREDUMP_LATE_MS=0 CULPRIT_MARKERS=inline under late_in_stream
	[[ $stderr == *"CUDA_ERROR"* && $stderr != *" — exact"* ]]
}

@test "a driver without core dumps, and one that refuses: as ever, and the report says so" {
	for word in absent refused; do
		SIMCUDA_COREDUMP=$word CULPRIT_MARKERS=inline unharmed stray_store
		[[ $stderr == *"exact: launch #12, stray_store"* ]]
		rm -r "$bundle"
		SIMCUDA_COREDUMP=$word CULPRIT_MARKERS=off CULPRIT_PROGRESS=off unharmed stray_store
		[[ $stderr == *"weaker: no GPU core dump was to be had"* ]]
		grep -Eq '"coredumps": "(refused by|impossible: the driver)' "$bundle/meta.json"
		rm -r "$bundle"
	done
}

@test "the user's own core dumps stay his" {
	export CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1 CUDA_COREDUMP_FILE=$PWD/own
	export CUDA_COREDUMP_GENERATION_FLAGS=skip_abort SIMCUDA_COREDUMP=told
	under stray_store
	[[ $stderr != *" — exact"* ]]
	[[ -s own && ! -e $bundle/core.nvcudmp ]]
	grep -q '"coredumps": "left to' "$bundle/meta.json"
}

@test "a path that the driver would take for a pattern: no dump" {
	export CULPRIT_DIR=$PWD/100%% # of the path 100%
	mkdir 100%
	CULPRIT_MARKERS=inline unharmed stray_store
	[[ $stderr == *"exact: launch #12, stray_store"* ]]
	grep -q '"coredumps": "impossible: the bundle' 100%/culprit-*/meta.json
}


@test "a process without a failure leaves nothing" {
	unharmed ok
	[[ -z $(ls bundles) ]]
}

# host NAME: the odd host of tests/robust, with dumps as plain; its stderr is in the file host.err.
host() {
	local robust=$build/bin/tests/robust status=0 plain_status=0
	timeout -k 5 300 "$robust" "$1" >plain.out 2>/dev/null || plain_status=$?
	CULPRIT_CLEANUP=real LD_PRELOAD=$build/lib/libculprit.so \
		timeout -k 5 300 "$robust" "$1" >host.out 2>host.err || status=$?
	echo "$1: $status, plain $plain_status"
	diff plain.out host.out
	((status == plain_status))
}

@test "odd hosts: small stacks, threads that exit or are cancelled, exit at the error" {
	for name in small_stacks main_thread_ends cancelled_threads launches_at_thread_end \
		launches_in_coroutines exit_at_error error_in_exit_handler state_unchanged \
		everything close_all; do
		host "$name"
		grep -q '^culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700) — exact: .*stray_store \[pid [0-9]*\]$' host.err
	done
	SIMCUDA_COREDUMP_LATE_MS=60000 host everything
}

@test "off by default" {
	unset CULPRIT_COREDUMP
	CULPRIT_MARKERS=off CULPRIT_PROGRESS=off unharmed stray_store
	[[ ! -e $bundle/core.nvcudmp ]]
	[[ $stderr == *"or with --coredump on, to narrow it down"* ]]
}

@test "random programs: no exact verdict is wrong" {
	unset OUT CULPRIT_COREDUMP CULPRIT_DIR
	"$root/scripts/oracle" --coredump --programs "$(rounds 60)" --seed 1 --build-dir "$build" --keep kept
}
