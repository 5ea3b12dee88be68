#!/usr/bin/env bats
# scripts/bench-torch without a GPU: its turns, its tables and its statistics, on a program that only
# says what it was started with; and torch_steps on a PyTorch that does nothing.

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

# Each step takes 100 us, and some more by the variant; of all processes every other round half more.
make_program() {
	cat >"$BATS_TEST_TMPDIR/steps.py" <<-'END'
		import os, sys
		least = 100
		if "libculprit" in os.environ.get("LD_PRELOAD", ""):
		    least += 1 if os.environ.get("CULPRIT_DISABLE") else 5
		    least += 0 if "CULPRIT_STACKS" in os.environ else 2
		if "CUDA_LAUNCH_BLOCKING" in os.environ:
		    least *= 2
		n = {}
		for line in sys.stdin:
		    work = line.strip()
		    n[work] = n.get(work, 0) + 1
		    print(work, least * (1.5 if n[work] % 2 else 1), flush=True)
	END
}

@test "whole processes: each round against the plain one of the same moment, with an interval" {
	make_program
	OUT=$BATS_TEST_TMPDIR run "$root/scripts/bench-torch" --program "$BATS_TEST_TMPDIR/steps.py" \
		--sets 3 --beside 2 --seconds 0.2 --works adds mlp
	((status == 0))
	[[ $output == *"Whole processes, 3 sets, "*"Fewer than 15"* ]]
	[[ $(grep -c '^### ' <<<"$output") == 2 ]]
	[[ $(grep -cE '^\| plain \| 100.0 \| [0-9.]+ \| 1.000 \| 1.000-1.000 \|' <<<"$output") == 2 ]]
	[[ $(grep -cE '^\| loaded, disabled \| 103.0 \| .* \| 1.030 \| 1.030-1.030 \|' <<<"$output") == 2 ]]
	[[ $(grep -cE '^\| journal \| 105.0 \| .* \| 1.050 \| 1.050-1.050 \|' <<<"$output") == 2 ]]
	[[ $(grep -cE '^\| default \| 107.0 \| .* \| 1.070 \| 1.070-1.070 \|' <<<"$output") == 2 ]]
	[[ $(grep -cE '^\| CUDA_LAUNCH_BLOCKING=1 \| 200.0 \| .* \| 2.000 \| 2.000-2.000 \|' <<<"$output") == 2 ]]
	grep -qF '| default | 107.0 |' "$BATS_TEST_TMPDIR/bench-torch.md"
}

@test "whole processes of some variants, and of another library" {
	make_program
	OUT=$BATS_TEST_TMPDIR run "$root/scripts/bench-torch" --program "$BATS_TEST_TMPDIR/steps.py" \
		--sets 1 --seconds 0.01 --works adds --variants default --library older /no/libculprit.so
	((status == 0))
	for name in plain default older; do
		[[ $(grep -c "^| $name | 10" <<<"$output") == 1 ]]
	done
	[[ $output != *journal* ]]
	run "$root/scripts/bench-torch" --variants no-such
	((status == 2))
}

@test "a process that fails stops the bench, with its message" {
	echo 'import sys; sys.exit("no GPU here")' >"$BATS_TEST_TMPDIR/steps.py"
	OUT=$BATS_TEST_TMPDIR run "$root/scripts/bench-torch" --program "$BATS_TEST_TMPDIR/steps.py" \
		--sets 1 --works adds
	((status == 1))
	[[ $output == *"exit status 1"*"no GPU here"* ]]
}

@test "intervals of medians hold what they say" {
	run python3 -S - "$root/scripts" <<-'END'
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

@test "torch_steps: each kind of work is made, run and reported" {
	works="adds mlp transformer bfloat16 decode decode_eager"
	run python3 -S - "$root/tests/bench/torch_steps.py" "$works" <<-'END'
		import io, runpy, sys
		from unittest.mock import MagicMock
		sys.modules["torch"] = MagicMock()
		sys.stdin = io.StringIO("\n".join(2 * sys.argv[2].split()) + "\n")
		runpy.run_path(sys.argv[1])
	END
	echo "$output"
	((status == 0))
	for work in $works; do
		[[ $(grep -cE "^$work [0-9.]+$" <<<"$output") == 2 ]]
	done
}
