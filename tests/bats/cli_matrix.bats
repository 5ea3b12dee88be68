#!/usr/bin/env bats
# Thirteen failures and each view of them: text, HTML, Markdown, the formats of build servers, list, and
# the environment of a workflow. matrix.py has the table.

load cli

@test "views: each names the same launch, place and cause, for each kind of failure" {
	[[ -e $build/lib/simcuda/libcuda.so.1 && -x $build/bin/corpus ]] || skip "no simcuda in this build"
	run python3 -S "$BATS_TEST_DIRNAME/matrix.py" "$build"
	echo "$output"
	[[ $status -eq 0 ]]
}
