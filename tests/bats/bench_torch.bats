#!/usr/bin/env bats
# scripts/bench-torch without a GPU: its turns, its tables and its statistics, on a program that only
# says what it was started with; and torch_steps on a PyTorch that does nothing.

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

# Each step takes 100 us, and some more by the variant.
make_program() {
	cat >"$BATS_TEST_TMPDIR/steps.py" <<-'END'
		import os, sys
		assert sys.argv[1] == "whole" and float(sys.argv[2]) == 0.5
		assert len(os.sched_getaffinity(0)) >= 1
		least = 100
		if "libculprit" in os.environ.get("LD_PRELOAD", ""):
		    least += 1 if os.environ.get("CULPRIT_DISABLE") else 5
		    least += 0 if "CULPRIT_STACKS" in os.environ else 2
		if "CUDA_LAUNCH_BLOCKING" in os.environ:
		    least *= 2
		for work in sys.argv[3:]:
		    print(work, least, least + 10)
	END
}

@test "whole processes: each variant against the plain one of its turn, with an interval" {
	make_program
	OUT=$BATS_TEST_TMPDIR run "$root/scripts/bench-torch" --program "$BATS_TEST_TMPDIR/steps.py" \
		--turns 3 --lanes 2 --seconds 0.5 --works adds mlp
	((status == 0))
	[[ $output == *"Whole processes, 3 turns. Fewer than 15"* ]]
	[[ $(grep -c '^### ' <<<"$output") == 2 ]]
	[[ $(grep -cF '| plain | 100.0 | 110.0 | 1.000 | 1.000-1.000 |' <<<"$output") == 2 ]]
	[[ $(grep -cF '| loaded, disabled | 103.0 | 113.0 | 1.030 | 1.030-1.030 |' <<<"$output") == 2 ]]
	[[ $(grep -cF '| journal | 105.0 | 115.0 | 1.050 | 1.050-1.050 |' <<<"$output") == 2 ]]
	[[ $(grep -cF '| default | 107.0 | 117.0 | 1.070 | 1.070-1.070 |' <<<"$output") == 2 ]]
	[[ $(grep -cF '| CUDA_LAUNCH_BLOCKING=1 | 200.0 | 210.0 | 2.000 | 2.000-2.000 |' <<<"$output") == 2 ]]
	grep -qF '| default | 107.0 |' "$BATS_TEST_TMPDIR/bench-torch.md"
}

@test "whole processes of some variants" {
	make_program
	OUT=$BATS_TEST_TMPDIR run "$root/scripts/bench-torch" --program "$BATS_TEST_TMPDIR/steps.py" \
		--turns 1 --seconds 0.5 --works adds --variants default
	((status == 0))
	[[ $(grep -cF '| plain | 100.0 ' <<<"$output") == 1 && $(grep -cF '| default | 107.0 ' <<<"$output") == 1 ]]
	[[ $output != *journal* ]]
	run "$root/scripts/bench-torch" --variants no-such
	((status == 2))
}

@test "a process that fails ends the bench, with what it said" {
	echo 'import sys; sys.exit("no GPU here")' >"$BATS_TEST_TMPDIR/steps.py"
	OUT=$BATS_TEST_TMPDIR run "$root/scripts/bench-torch" --program "$BATS_TEST_TMPDIR/steps.py" \
		--turns 1 --works adds
	((status == 1))
	[[ $output == *"exit status 1"*"no GPU here"* ]]
}

@test "intervals of medians hold what they say" {
	run python3 - "$root/scripts" <<-'END'
		import random, statistics, sys
		sys.path.insert(0, sys.argv[1])
		from bench_statistics import median_interval
		# The ranks that tables of the sign test have.
		assert median_interval(range(15)) == (3, 11)
		assert median_interval(range(20)) == (5, 14)
		assert median_interval(range(6)) == (0, 5)
		assert median_interval([3, 1, 2]) == (1, 3)
		assert median_interval([7]) == (7, 7)
		random.seed(1)
		draws = [[random.expovariate(1) for _ in range(15)] for _ in range(4000)]
		held = [low <= 0.6931 <= high for low, high in map(median_interval, draws)]
		assert 0.95 <= statistics.mean(held) <= 0.98, statistics.mean(held)
	END
	echo "$output"
	((status == 0))
}

@test "torch_steps: each kind of work is made, run and told" {
	run python3 - "$root/tests/bench/torch_steps.py" <<-'END'
		import runpy, sys
		from unittest.mock import MagicMock
		sys.modules["torch"] = MagicMock()
		sys.argv = [sys.argv[1], "whole", "0.01"]
		runpy.run_path(sys.argv[0])
	END
	echo "$output"
	((status == 0))
	for work in adds mlp transformer bfloat16 decode decode_eager; do
		[[ $(grep -cE "^$work [0-9.]+ [0-9.]+$" <<<"$output") == 1 ]]
	done
}
