#!/usr/bin/env bats
# scripts/bench runs every workload and variant; what it measures is nobody's pass or fail.

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
bench=$root/scripts/bench

@test "every workload of the simulated driver gives a table with every variant" {
	OUT=$BATS_TEST_TMPDIR run "$bench" all --driver simcuda --turns 1 --launches 50 --no-instructions
	((status == 0))
	[[ $(grep -c '^### ' <<<"$output") == 8 ]]
	for variant in plain 'off, no stacks' off side side:16 inline auto 'auto, no stacks'; do
		[[ $(grep -cE "^\| $variant \| [0-9]+ \| [+-][0-9]+ \|$" <<<"$output") == 8 ]]
	done
	[[ $output == "$(cat "$BATS_TEST_TMPDIR/bench-simcuda.md")" ]]
}

@test "a build folder without the program is told in one line" {
	CULPRIT_BUILD=$BATS_TEST_TMPDIR run "$bench" launch
	((status == 1))
	[[ ${#lines[@]} == 1 && $output == *"run scripts/build first" ]]
}
