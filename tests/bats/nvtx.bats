#!/usr/bin/env bats
# NVTX ranges that are open at a launch are recorded and shown, whatever way they are opened, and no
# other tool is displaced. The host, tests/nvtx/ranges.c, does what its arguments say.

bats_require_minimum_version 1.5.0

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
build=${CULPRIT_BUILD:-$root/build}
shim=$build/lib/libculprit.so
culprit=$build/bin/culprit
ranges=$build/bin/tests/nvtx_ranges
other_tool=$build/lib/nvtx/libnvtx_other_tool.so

load programs

setup() {
	[[ -x $ranges ]] || skip "built without NVIDIA's NVTX headers"
	cd "$BATS_TEST_TMPDIR"
	unset "${!CULPRIT_@}" "${!SIMCUDA_@}" LD_PRELOAD DEBUGINFOD_URLS NVTX_INJECTION64_PATH
	export CULPRIT_REPORT=full
	export LD_LIBRARY_PATH=$build/lib/simcuda:$build/lib/nvtx
	use_programs
}

# under COMMAND...: the host under `culprit run`; leaves $status, out, err and a bundle.
under() {
	status=0
	timeout -k 1 300 "$culprit" run -- "$ranges" "$@" >out 2>err || status=$?
	echo "status $status"
	cat out err
}

# plain COMMAND...: the host without culprit.
plain() {
	status=0
	timeout -k 1 300 "$ranges" "$@" >out 2>err || status=$?
}

# shown LINE...: the report's lines about ranges, and no others.
shown() {
	sed -n '/^  nvtx  /,/^  [a-z]/ { s/^  nvtx *//p; s/^     *//p }' err >shown
	diff shown <(printf '%s\n' "$@")
}

# gave LINE...: what NVTX gave back to the host.
gave() {
	diff <(grep -vE '^cu' out) <(printf '%s\n' "$@")
}

lacks() {
	if grep -E -- "$1" "$2"; then false; fi
}

@test "ranges of a thread are shown from the outermost to the innermost" {
	under open push:train push:"step 12" launch:3 push:backward fail
	((status == 1))
	shown "train > step 12 > backward"
	gave "push 0" "push 1" "push 2"
}

@test "a launch outside of all ranges has no line about them" {
	under open push:train launch pop fail
	((status == 1))
	lacks '^  nvtx' err
	gave "push 0" "pop 0"
}

@test "ranges opened before the driver is started count" {
	under push:train start:loading open fail
	shown train "in the process: loading"
}

@test "text in every form is kept after its string is freed" {
	under open push:ascii pushw:wide pushe:attributes pushew:"wide attributes" \
		pushr:registered pushn:gone fail
	shown "ascii > wide > attributes > wide attributes > registered > (no text)"
}

@test "two copies of NVTX in one process are one" {
	under open push:train push2:"of the library" push:step pop2 push2:"its own" fail
	shown "train > of the library > its own"
	gave "push 0" "push 1" "push 2" "pop 2" "push 2"
}

@test "each domain has its own levels, and a pop ends its own newest range" {
	under open push:train push@NCCL:reduce push:step push2@NCCL:copy pop pop@NCCL push@A:a fail
	shown "train > [NCCL] reduce > [A] a"
	gave "push 0" "push 0" "push 1" "push 1" "pop 1" "pop 1" "push 0"
}

@test "pops without a push are refused and change nothing" {
	under open pop pop@NCCL push:train pop@NCCL push:step pop pop pop push:last fail
	shown last
	gave "pop -1" "pop -1" "push 0" "pop -1" "push 1" "pop 1" "pop 0" "pop -1" "push 0"
}

@test "64 of a hundred nested ranges are named, and the levels stay right" {
	under open push:outer repeat:98 push:inner push:innermost launch pop fail
	((status == 1))
	[[ $(grep -c '^push' out) == 100 ]]
	grep -qx "push 99" out
	grep -qx "pop 99" out
	grep -qE '^  nvtx +outer > inner > ' err
	grep -qE '^ +and 35 more$' err
	lacks "innermost$" err
}

@test "ranges that found no room end first" {
	under open repeat:64 push:kept push:unkept push@A:unkept pop push:unkept pop pop pop@A \
		repeat:62 pop fail
	shown kept
	grep -qx "pop 64" out
	[[ $(tail -n 3 out | head -n 1) == "pop 1" ]]
}

@test "more domains than are followed are not tracked" {
	domains=()
	for ((i = 1; i <= 16; i++)); do
		domains+=("push@domain $i:range")
	done
	under open "${domains[@]}" push:late pop pop@"domain 3" push:later pop@"domain 3" fail
	diff <(grep -vE '^cu' out | tail -n 5) \
		<(printf '%s\n' "push -2" "pop -2" "pop 0" "push 0" "pop -2")
	grep -qE '^  nvtx .*\[domain 16\] range > later$' err
}

@test "text longer than what is kept is cut between characters" {
	long=$(printf 'x%.0s' {1..59})
	under open push:"${long}ä rest" push:"${long}y" push:"${long}yz" fail
	shown "$long... > ${long}y > ${long}y..."
}

@test "text cannot drive a terminal" {
	under open push:$'\033[31mred\nnvtx' fail
	shown "?[31mred?nvtx"
}

@test "each thread has its own ranges" {
	under open push:"of the main thread" [ push:"of a thread" launch ] [ push:"of another" fail ]
	((status == 1))
	shown "of another"
	gave "push 0" "push 0" "push 0"
}

@test "a thread that takes over another's journal does not take its ranges" {
	under open [ push:earlier launch ] [ fail ]
	((status == 1))
	lacks '^  nvtx' err
}

@test "a range that one thread starts and another ends belongs to the process" {
	under open start:first [ start2:second start@A:third end:1 ] [ push:own fail ]
	shown own "in the process: second, [A] third"
	gave "start id" "start id" "start id" "push 0"
}

@test "ended ranges are not shown, and ending one twice ends nothing else" {
	under open start:first end:1 start:second end:1 end:1 start:third end:3 fail
	shown "in the process: second"
}

@test "of forty ranges of the process 16 are named and the rest counted" {
	under open repeat:16 start:kept repeat:24 start:unkept end:20 fail
	shown "in the process: $(printf 'kept, %.0s' {1..15})kept" "and 23 more"
}

@test "in a small ring ranges leave room for submissions" {
	export CULPRIT_RECORDS=64
	under open repeat:64 push:deep repeat:20 start:long launch:30 fail
	((status == 1))
	grep -q '^culprit: .* exact: launch #31, stray_store \[pid [0-9]*\]$' err
	# No ring has less than 256 rows; of each scope a sixteenth of that is named.
	shown "$(printf 'deep > %.0s' {1..15})deep" \
		"in the process: $(printf 'long, %.0s' {1..15})long" "and 52 more"
}

@test "ranges are found when the ring has wrapped since they were opened" {
	export CULPRIT_RECORDS=2048
	under open push:train start:loading push:step launch:30000 fail
	shown "train > step" "in the process: loading"
}

@test "a new thread pushes, launches and exits, 300 times" {
	under open repeat:300 [ push:a push:b launch pop ] [ push:c fail ]
	((status == 1))
	shown c
	[[ $(grep -c '^push 0$' out) == 301 ]]
}

@test "a child has its parent's ranges and its own from there on" {
	under open push:train launch child [ pop push:a push:b pop start:c end:1 ] push:step \
		child [ push:d pop pop pop ] fail
	((status == 1))
	shown "train > step"
	gave "push 0" "pop 0" "push 0" "push 1" "pop 1" "start id" "push 1" \
		"push 2" "pop 2" "pop 1" "pop 0"
}

@test "a range ends however its end is marked: with a payload, by another copy, by attributes" {
	under open pushr@NCCL:ncclCommInitRankConfig push:train popp@NCCL pushe:step popp pushp@A:x \
		pop@A pushew:wide pop2 startp@B:x end:1 starte@B:kept start@NCCL:process endp2@NCCL:3 \
		launch:1100 fail
	shown train "in the process: [B] kept"
	gave "push 0" "push 0" "pop 0" "push 1" "pop 1" "push 0" "pop 0" "push 1" "pop 1" "start id" \
		"start id" "start id"
}

@test "a range that has a payload alone is shown without text" {
	under open push:train pushp@A:x startp2:x fail
	shown "train > [A] (no text)" "in the process: (no text)"
}

@test "the ranges of a domain end when its last user has destroyed it, in every thread" {
	# Every use creates it once more.
	under open push:train push@A:a push@A:b start@A:c repeat:2 destroy launch fail
	shown "train > [A] a > [A] b" "in the process: [A] c"
	under open push:train push@B:kept push@A:a push@A:b start@A:c repeat:3 destroy pop@A fail
	shown "train > [B] kept"
	gave "push 0" "push 0" "push 0" "push 1" "start id" "pop -1"
	under open push@A:old destroy push@A:new fail
	shown "[A] new"
	gave "push 0" "push 0"
	under open push@A:a launch [ destroy ] fail
	((status == 1))
	lacks '^  nvtx' err
}

@test "where culprit is disabled payloads find no tool either" {
	CULPRIT_DISABLE=1 under open pushp@A:x popp@A fail
	gave "push -2" "pop -2"
}

@test "JSON has the ranges with their domains" {
	under open start@loader:epoch push:train push@NCCL:"$(printf 'x%.0s' {1..70})" fail
	"$culprit" report --format json culprit-nvtx_ranges-* | python3 -S -c '
import json, sys
suspect = json.load(sys.stdin)["suspects"][0]
assert suspect["nvtx_unkept"] == 0
assert suspect["nvtx"] == [
    {"scope": "process", "text": "epoch", "cut": False, "domain": "loader"},
    {"scope": "thread", "text": "train", "cut": False, "domain": None},
    {"scope": "thread", "text": "x" * 60, "cut": True, "domain": "NCCL"},
], suspect["nvtx"]'
}

@test "dump shows the rows before the arguments of the launch" {
	under open push:train launch fail
	"$culprit" dump --file ring culprit-nvtx_ranges-* >rows
	grep -qE ' nvtx .* thread-range=0 open=1,0 unkept=0 domain=- text="train"$' rows
	[[ $(awk '$4 ~ /^(nvtx|arguments|submission)$/ { print $4 }' rows | uniq | head -n 3 | xargs) == \
		"nvtx arguments submission" ]]
	[[ $(grep -c ' submission .* flags=.*in-ranges' rows) == 2 ]]
}

@test "nothing is written where the ranges are as they were" {
	under open push:train push:step launch:50 pop push:step launch:50 fail
	"$culprit" dump --file ring culprit-nvtx_ranges-* >rows
	[[ $(grep -c ' nvtx ' rows) == 3 ]]
}

@test "the library alone records ranges where the user sets the variable" {
	export NVTX_INJECTION64_PATH=$shim
	LD_PRELOAD=$shim plain open push:train fail
	cat err
	shown train
}

@test "without the variable NVTX finds no tool" {
	LD_PRELOAD=$shim plain open push:train fail
	lacks '^  nvtx' err
	gave "push -2"
}

@test "another tool stays where it is" {
	[[ -e $other_tool ]]
	export NVTX_INJECTION64_PATH=$other_tool
	under open push:train fail
	((status == 1))
	gave "push 40"
	grep -qx "other tool: train" err
	lacks '^  nvtx' err
}

@test "another tool that does not want to be one is not replaced" {
	export NVTX_INJECTION64_PATH=$other_tool
	REFUSES=1 under open push:train fail
	gave "push -2"
	lacks '^  nvtx' err
}

@test "a variable that is set and empty stays so, and means that no tool is wanted" {
	export NVTX_INJECTION64_PATH=
	run -0 "$culprit" run -- sh -c 'echo "${NVTX_INJECTION64_PATH-unset}"'
	[[ $output == "" ]]
	under open push:train fail
	((status == 1))
	gave "push -2"
	lacks '^  nvtx' err
}

@test "culprit run sets the variable, its command may set another" {
	run -0 "$culprit" run -- sh -c 'echo "$NVTX_INJECTION64_PATH"'
	[[ $output == "$shim" ]]
}

@test "a process that got the variable but not the library is as without a tool" {
	export NVTX_INJECTION64_PATH=$shim
	plain open push:train pop fail
	((status == 1))
	gave "push -2" "pop -2"
	[[ ! -s err ]]
}

@test "where culprit is disabled there is no tool" {
	CULPRIT_DISABLE=1 under open push:train fail
	gave "push -2"
}
