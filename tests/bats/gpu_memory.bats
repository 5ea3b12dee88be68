#!/usr/bin/env bats
# scripts/gpu memory on simcuda, and what it says of a culprit that is wrong or silent.

load cli

gpu_memory() {
	run env OUT="$PWD/out" "$root/scripts/gpu" memory --driver simcuda --build-dir "${fake:-$build}" \
		--jobs 2 --held 128 "$@"
	echo "$output"
}

# A culprit whose output, but not its program's, is changed by a sed script.
twist() {
	fake=$PWD/build
	rm -rf "$fake" out
	mkdir -p "$fake/bin"
	ln -s "$build/lib" "$fake/lib"
	ln -s "$build/bin/tests" "$fake/bin/tests"
	cat >"$fake/bin/culprit" <<-END
		#!/bin/bash
		if [[ \$1 == run ]]; then
			{ "$culprit" "\$@" 2>&1 1>&3 | sed '$1' >&2; } 3>&1
		else
			"$culprit" "\$@" | sed '$1'
		fi
	END
	chmod +x "$fake/bin/culprit"
}

@test "on simcuda every fault, refusal and out-of-memory error is reported correctly" {
	# Some programs are Python's, which may be for another processor.
	if [[ $(processor) != "$(uname -m)" ]]; then
		gpu_memory --only '^(faults C|refusals) '
		((status == 0))
		need_preload python3
	fi
	gpu_memory
	((status == 0))
	grep -Eq '^- faults: [0-9]+: [0-9]+ right, 1 skipped$' out/MEMORY.md
	grep -Eq '^- refusals: [0-9]+: [0-9]+ right$' out/MEMORY.md
	grep -qx -- '- oom: 2: 2 right' out/MEMORY.md
	(($(grep -c '^| faults ' out/MEMORY.md) >= 30 && $(grep -c '^| refusals ' out/MEMORY.md) >= 30))
	[[ ! -s out/memory-details.txt ]]
	SIMCUDA_DEVICES=2 gpu_memory --only '^faults C of_peer$'
	((status == 0))
	grep -q '^| faults | C | of_peer | right | .*on device 1, the launch is on 0' out/MEMORY.md
}

@test "PyCUDA's memory, missed by other kernels and its own, before, after and freed, is reported correctly" {
	local python=$build/${CULPRIT_CLIENTS:-clients}/venv/bin/python3
	[[ -x $python ]] || skip "PyCUDA is not here: run scripts/make-clients"
	gpu_memory --python "$python" --only '^faults pycuda'
	((status == 0))
	grep -qx -- '- faults: 12: 12 right' out/MEMORY.md
}

@test "another allocation, another line or other numbers are WRONG" {
	twist 's/"size": 67108864/"size": 1/g'
	gpu_memory --only '^faults C freed$'
	((status == 1))
	grep -q '^| faults | C | freed | WRONG |' out/MEMORY.md
	twist 's/"file": "[^"]*faults.c", "line": /&1/g'
	gpu_memory --only '^faults C after$'
	grep -q '^| faults | C | after | WRONG |' out/MEMORY.md
	twist 's/1,024/1,023/'
	gpu_memory --only '^refusals launch block_x$'
	((status == 1))
	grep -q '^| refusals | launch | block_x | WRONG |' out/MEMORY.md
	grep -q '^{"code": 1, "rule": "launch.block_exceeds_device", "numbers": \[1025, 1024\]}$' out/memory-details.txt
}

@test "a run without an answer is silent, and a run without time is skipped" {
	twist 's/^culprit: launch refused.*//'
	gpu_memory --only '^refusals launch threads$'
	((status == 1))
	grep -q '^| refusals | launch | threads | silent |' out/MEMORY.md
	gpu_memory --only '^refusals launch threads$' --budget 0
	((status == 0))
	grep -q '^| refusals | launch | threads | skipped | no time left |' out/MEMORY.md
}
