#!/usr/bin/env bats
# The first error, whichever call returns it, and errors that are not the failure's: programs see
# them as without culprit. scripts/transparency, group first, tries each call as the only one that
# reports it.

load robust

@test "whichever call discovers the failure keeps its error" {
	run "$root/scripts/transparency" --build-dir "$build" --only '^first/'
	echo "$output"
	((status == 0))
	# All 49, twice: under culprit run, and with the library alone.
	[[ $output == *"| first | 98 |"* ]]
}

# A run in which a free discovers the failure and the next ones are harmless.
@test "a free that discovers the failure is its observer, and only later frees are counted" {
	status=0
	SIMCUDA_LATE_MS=0 SIMCUDA_TRUTH=truth LD_PRELOAD=$shim \
		"$build/bin/first" everything >under.out 2>under.err || status=$?
	cat under.out under.err
	((status == 1))
	verdict "exact: launch #2, stray_store"
	grep -q '^  seen by  *cuMemFree_v2 from ' under.err
	"$culprit" report bundles/* >report.txt || true
	grep -q '^  afterwards  *5 cleanup calls made harmless$' report.txt
}

@test "threads whose frees race to the failure: at least one of them gets the error" {
	for _ in 1 2 3 4 5; do
		rm -rf bundles/*
		unharmed racing_frees
		verdict "exact: launch #2, stray_store"
		[[ $(cat under.out) == FAILED ]]
	done
}

# sound SCENARIO: no error of the program's is hidden, and there is neither a verdict nor a bundle.
sound() {
	unharmed "$1"
	[[ ! -s under.err ]]
	bundles 0
}

@test "a single sticky code is not a failure if the driver does not return it again" {
	export SIMCUDA_INJECT=cuStreamQuery:1:719
	sound invented_without_context
	sound invented_in_destroyed_context
	sound invented_at_exit
	grep -qx 'cuStreamDestroy again 400' plain.out || grep -qx 'cuStreamDestroy 4' plain.out
}

# differs LINE...: those lines of the plain run, and no others, end with 0 instead.
differs() {
	under "${@:1:1}"
	plain "${@:1:1}"
	((status == plain_status))
	diff <(sed '/^cleanup: /s/ 700$/ 0/' plain.out) under.out
}

@test "a failure is confirmed in the context that it is about" {
	export SIMCUDA_CONTAINED=1
	differs failed_elsewhere
	verdict "exact: launch #1, stray_store"
	grep -qx 'cuStreamDestroy again 400' under.out
	warnings 0
}

@test "mistakes in a context that was made after the failure stay errors" {
	export SIMCUDA_CONTAINED=1
	unharmed goes_on_afterwards
	verdict "exact: launch #1, stray_store"
	grep -qx 'cuStreamDestroy again 400' under.out
	grep -qx 'cuStreamDestroy without a context 201' under.out
}

@test "a later failure of another context keeps its first error, and is not attributed" {
	export SIMCUDA_CONTAINED=1
	differs fails_again
	verdict "exact: launch #1, stray_store"
	grep -qx 'culprit: a later failure, CUDA_ERROR_ILLEGAL_ADDRESS (700) in another context, is not attributed' under.err
	"$culprit" report bundles/* >report.txt || true
	cat report.txt
	(($(grep -c 'another context failed later; that failure is not attributed$' report.txt) == 1))
	"$culprit" report --format json bundles/* >report.json || true
	grep -q '"later_failure": *true' report.json
}

# Under MPS every client of the GPU gets the error of the one that failed.
@test "on a GPU that MPS shares no verdict is exact or likely" {
	unharmed racing_frees
	verdict "exact: launch #2, stray_store"
	rm -rf bundles/*
	export SIMCUDA_MPS=1
	unharmed racing_frees
	verdict "narrowed: .*stray_store"
	grep -q 'weaker: the GPU is shared by MPS' under.err
	"$culprit" dump -F contexts bundles/* | grep -q ' shared=mps'
}

# With dumps on the driver lets these calls succeed.
@test "with GPU core dumps on, a free that is the only call to report the failure fails" {
	local call
	export SIMCUDA_LATE_MS=0 SIMCUDA_TRUTH=truth
	# shellcheck disable=SC2034 # what unharmed runs
	robust=$build/bin/first
	for call in cuMemFree cuMemFreeHost cuMemHostUnregister cuArrayDestroy; do
		rm -rf bundles/*
		CULPRIT_COREDUMP=on unharmed $call
		((status == 1))
		verdict "exact: launch #2, stray_store"
	done
}
