#!/usr/bin/env bats
# Hosts that do what few programs do, for a short while; scripts/chaos can do it for long.

load emulator

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

@test "launches from stacks and code that no compiler makes crash no program" {
	run "$root/scripts/chaos" stacks --launches "$(rounds 30000)"
	echo "$output"
	((status == 0))
	(($(grep -c '^ok ' <<<"$output") == 10))
}

@test "storage that disappears crashes no program and costs no verdict" {
	unshare -rm true || skip "needs a mount name space"
	run "$root/scripts/chaos" storage --rounds 2
	echo "$output"
	((status == 0))
	(($(grep -c '^ok ' <<<"$output") == 6))
}

@test "objects that are made and destroyed for a while do not pile up, and the culprit is named" {
	run "$root/scripts/chaos" soak --minutes 0.1
	echo "$output"
	((status == 0))
	(($(grep -c '^window ' <<<"$output") == 6))
	(($(grep -c "^ok " <<<"$output") == 4))
}

@test "streams, modules, libraries and contexts destroyed while in use crash no process" {
	run "$root/scripts/chaos" teardown --races "$(rounds 1000)"
	echo "$output"
	((status == 0))
	(($(grep -c '^ok ' <<<"$output") == 10))
}

# By then another thread has unloaded it, where that does not wait: see SIMCUDA_ASK_US.
@test "code is not unloaded beside the questions about it, nor asked about afterwards" {
	local build=${CULPRIT_BUILD:-$root/build} kind
	for kind in module library; do
		SIMCUDA_ASK_US=2000 LD_LIBRARY_PATH=$build/lib/simcuda CULPRIT_DIR=$BATS_TEST_TMPDIR \
			LD_PRELOAD=$build/lib/libculprit.so run "$build/bin/tests/chaos_teardown" $kind raced 200 20
		echo "$output"
		((status == 1))
		[[ $output == *"exact: "* || $output == *"likely: "* || $output == *"narrowed: "* ]]
	done
}

# Work of the search's own must not be held back until a thread lets it go that cannot get into the driver.
@test "code is loaded and unloaded during the search for progress counters, and no thread hangs" {
	local build=${CULPRIT_BUILD:-$root/build} _
	for _ in {1..8}; do
		SIMCUDA_LOADING=1 LD_LIBRARY_PATH=$build/lib/simcuda CULPRIT_DIR=$BATS_TEST_TMPDIR \
			LD_PRELOAD=$build/lib/libculprit.so run timeout 300 "$build/bin/tests/chaos_teardown" module handed 100 20
		echo "$output"
		((status == 1))
		[[ $output == *"exact: "* || $output == *"likely: "* || $output == *"narrowed: "* ]]
	done
}

@test "chaos: wrong usage is reported" {
	for words in '' 'queues' 'stacks --launches' 'stacks --launches many' 'storage --rounds' 'storage --rounds 0' 'soak --minutes' 'soak --minutes x'; do
		# shellcheck disable=SC2086
		run "$root/scripts/chaos" $words
		((status == 2))
		[[ $output == usage:* ]]
	done
}
