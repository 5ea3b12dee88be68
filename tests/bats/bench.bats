#!/usr/bin/env bats
# scripts/bench runs every workload and variant. Measured times decide no test, but counts do: a
# launch touches no more lines and pages, and takes no more instructions, than it did.

load emulator

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
bench=$root/scripts/bench

@test "every workload of the simulated driver gives a table with every variant" {
	not_emulated "cost and memory are those of the emulator"
	OUT=$BATS_TEST_TMPDIR run "$bench" all --driver simcuda --turns 1 --launches 50 --no-instructions
	((status == 0))
	[[ $(grep -c '^### ' <<<"$output") == 11 ]]
	for variant in plain journal 'journal, stacks' words side side:16 inline default 'default, no stacks'; do
		[[ $(grep -cE "^\| $variant \| [0-9]+ \| [+-][0-9]+ \|$" <<<"$output") == 11 ]]
	done
	[[ $output == "$(cat "$BATS_TEST_TMPDIR/bench-simcuda.md")" ]]
}

@test "stacks: a table of every method, and what is paid once" {
	not_emulated "cost and memory are those of the emulator"
	OUT=$BATS_TEST_TMPDIR run "$bench" stacks --turns 1 --launches 200 --no-instructions
	((status == 0))
	for method in 'culprit, with its id' 'culprit, all anew' 'glibc backtrace' \
		'frame pointers, where all code has them'; do
		[[ $(grep -cE "^\| $method( \| [0-9]+){9} \|$" <<<"$output") == 1 ]]
	done
	[[ $output == *"| first stack of a new thread, "*" | 5000 |"* ]]
	[[ $output == *"| bytes a unique stack"*" | 300 |"* ]]
	[[ $output == "$(cat "$BATS_TEST_TMPDIR/bench-stacks.md")" ]]
}

@test "shared: a table of every way to share a stream" {
	not_emulated "cost and memory are those of the emulator"
	OUT=$BATS_TEST_TMPDIR run "$bench" shared --driver simcuda --turns 1 --seconds 1
	((status == 0))
	for row in plain default; do
		[[ $(grep -cE "^\| $row( \| [0-9.e+]+){4} \|$" <<<"$output") == 4 ]]
	done
	[[ $(grep -cE '^\| ratio( \| [0-9.]+ \([0-9.]+-[0-9.]+\)){4} \|$' <<<"$output") == 4 ]]
}

@test "cliffs: a row of each, with its ratio" {
	not_emulated "cost and memory are those of the emulator"
	OUT=$BATS_TEST_TMPDIR run "$bench" cliffs --driver simcuda --turns 1
	((status == 0))
	[[ $(grep -cE '^\| [a-z].* \| [0-9.e+-]+ \| [0-9.e+-]+ \| [0-9.]+ \([0-9.]+-[0-9.]+\) \|$' \
		<<<"$output") == 7 ]]
}

@test "parts: every part of a launch has its instructions, and all of them are their sum" {
	not_emulated "cost and memory are those of the emulator"
	command -v valgrind >/dev/null || skip "no valgrind"
	OUT=$BATS_TEST_TMPDIR run "$bench" parts --only "^empty kernel$"
	((status == 0))
	awk -F'|' '/^\| [a-zA-Z]/ && $2 !~ /part/ {
		if ($2 ~ /all of culprit/) {
			found = 1
			bad += $3 < sum - 9 || $3 > sum + 9 || sum < 300
		}
		sum += $3
	} END { exit !found || bad }' <<<"$output"
	for part in journal 'native stack' 'kernel and arguments' 'marker decision'; do
		[[ $(grep -cE "^\| $part \| [1-9][0-9]* \|$" <<<"$output") == 1 ]]
	done
}

@test "lines: the launch path's functions, and no figure above what it may be" {
	not_emulated "cost and memory are those of the emulator"
	command -v valgrind >/dev/null || skip "no valgrind"
	OUT=$BATS_TEST_TMPDIR run "$bench" lines --hold
	echo "$output"
	((status == 0))
	for function in cuLaunchKernel launch_enter launch_leave; do
		[[ $(grep -cE "^\| $function \| [1-9][0-9]* \| [0-9]+ \| [0-9]+ \|$" <<<"$output") == 4 ]]
	done
	[[ $(grep -cE '^\| all of culprit( \| [1-9][0-9]+){3} \|$' <<<"$output") == 4 ]]
}

@test "lines: a figure above its limit is reported, and fails" {
	run python3 -S - "$root/scripts" <<-'END'
		import sys
		sys.path.insert(0, sys.argv[1])
		from bench_lines import MOST, hold
		hold(MOST)
		title = next(iter(MOST))
		hold({title: {what: n + 1 for what, n in MOST[title].items()}})
	END
	((status == 1))
	[[ $(grep -c ', at most ' <<<"$output") == 4 ]]
}

@test "growth: a row for each size, and the launches' memory does not grow" {
	not_emulated "cost and memory are those of the emulator"
	OUT=$BATS_TEST_TMPDIR run "$bench" growth --only '^(launches|nodes)$'
	((status == 0))
	[[ $(grep -cE '^\| [0-9,]+ ( ?\| -?[0-9.]+){5} \|$' <<<"$output") == 6 ]]
	# 1e5, 1e6 and 1e7 launches: within a MiB.
	awk -F'|' '/^\| 1(00,000|,000,000|0,000,000) /  && !nodes {
		if (n++ && ($5 - own > 1 || $6 - mapped > 1 || $7 - disk > 1)) bad = 1
		own = $5; mapped = $6; disk = $7
	} /^### nodes/ { nodes = 1 } END { exit bad || n != 3 }' <<<"$output"
}

@test "a build folder without the program is reported in one line" {
	CULPRIT_BUILD=$BATS_TEST_TMPDIR run "$bench" launch
	((status == 1))
	[[ ${#lines[@]} == 1 && $output == *"run scripts/build first" ]]
}
