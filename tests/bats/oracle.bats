#!/usr/bin/env bats
# The oracle: random programs under culprit, and first its judge, which must see a wrong verdict.

load corpus

setup() {
	cd "$BATS_TEST_TMPDIR"
	unset OUT
	echo 1 >status
	echo '{"CULPRIT_MARKERS": "inline"}' >settings.json
	truth '{"truth": "launch", "kernel": "stray", "tag": 42}' 700
	simulated kernel 42
}

# truth BAD-CALL CODE: what the program writes; an empty line says nothing.
truth() {
	printf '%s\n' '{"truth": "program", "seed": 1, "fault": "kernel", "streams": 1}' "$1" \
		"{\"truth\": \"end\", \"code\": $2, \"is_broken\": false}" >truth.json
}

# simulated KIND TAG [REPLAY]: what simcuda writes.
simulated() {
	printf '{"kind": "%s", "replay": %d, "params": "%02x000000ffffffff"}\n' "$1" "${3:-0}" "$2" \
		>sim.json
}

# launch TAG: a suspect.
launch() {
	printf '{"submission": %d, "kind": "launch", "kernel": "stray",
		"arguments": [{"index": 0, "hex": "%02x000000"}]}' "$1" "$1"
}

# replay HANDLE REPLAY: a suspect.
replay() {
	printf '{"submission": 7, "kind": "graph_launch", "arguments": [],
		"graph": {"handle": "%s", "replay": %d}}' "$1" "$2"
}

# report CLASS SUSPECT...
report() {
	local class=$1 IFS=,
	shift
	printf '{"verdict": "%s", "bundle": "bundle", "n_suspects": %d, "suspects": [%s]}\n' \
		"$class" "${n_suspects:-$#}" "$*" | tr -d '\n' >report.json
	library unknown 0
}

# library CLASS NUMBER: what the process itself printed.
library() {
	mkdir -p bundle
	echo "culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700) — $1: launch #$2, stray" >bundle/verdict.txt
}

# judged RESULT: the files of this folder.
judged() {
	run "$root/scripts/oracle" --judge .
	echo "$output"
	[[ $output == "$1"* ]]
	if [[ $1 == *[A-Z]* ]]; then ((status == 1)); else ((status == 0)); fi
}

@test "the judge: the culprit, and another launch" {
	for class in exact likely narrowed; do
		report "$class" "$(launch 42)"
		judged "$class"
		report "$class" "$(launch 41)"
		judged "$class WRONG"
	done
}

@test "the judge: the right tag of another kernel is not the culprit" {
	report exact "$(launch 42 | sed 's/stray/trap/')"
	judged "exact WRONG"
}

@test "the judge: memory other than the pointer's is wrong, none is not" {
	truth '{"truth": "launch", "kernel": "stray", "tag": 42, "memory": {"pointer": "0x1000", "state": "freed", "size": 64}}' 700
	pointed() { # pointed STATE START SIZE
		report exact "$(launch 42)"
		sed -i 's/{"index": 0, [^}]*}/&, {"index": 1, "hex": "0010000000000000", "allocation": {"state": "'"$1"'", "start": "'"$2"'", "size": '"$3"'}}/' report.json
	}
	pointed freed 0x1000 64
	judged exact
	pointed freed 0x1000 128
	judged "memory WRONG 0x1000 is told to be freed 128 bytes from 0x1000, not freed 64"
	pointed past 0xf00 256
	judged "memory WRONG"
	pointed inside 0x1000 64
	judged "memory WRONG"
	pointed inside 0x1000 16 # what lies there by now
	judged exact
	report exact "$(launch 42)"
	judged exact
}

@test "the judge: exact or likely of two suspects is wrong, narrowed to them is right" {
	report exact "$(launch 42)" "$(launch 43)"
	judged "exact WRONG"
	report likely "$(launch 42)" "$(launch 43)"
	judged "likely WRONG"
	report narrowed "$(launch 42)" "$(launch 43)"
	judged narrowed
}

@test "the judge: more suspects than are listed" {
	n_suspects=80 report narrowed "$(launch 40)" "$(launch 41)"
	judged unlisted
	n_suspects=80 report narrowed "$(launch 42)" "$(launch 41)"
	judged narrowed
}

@test "the judge: a report that lacks records may lack the culprit, if it says so" {
	report narrowed "$(launch 40)" "$(launch 41)"
	sed -i 's/^{/{"evidence": [{"kind": "marker"}, {"kind": "records_lost"}], /' report.json
	judged unlisted
	sed -i 's/records_lost/markers_lag/' report.json
	judged "narrowed WRONG"
	report likely "$(launch 41)"
	sed -i 's/^{/{"evidence": [{"kind": "records_lost"}], /' report.json
	judged "likely WRONG"
}

@test "the judge: a graph goes by its handle and replay" {
	truth '{"truth": "graph_launch", "handle": "0x10", "replay": 3, "node_tag": 5}' 700
	simulated graph 5 3
	report exact "$(replay 0x10 3)"
	judged exact
	report exact "$(replay 0x10 2)"
	judged "exact WRONG"
	report exact "$(replay 0x18 3)"
	judged "exact WRONG"
}

@test "the judge: the node of a graph" {
	truth '{"truth": "graph_launch", "handle": "0x10", "replay": 3, "node_tag": 5}' 700
	simulated graph 5 3
	report exact "$(replay 0x10 3)"
	nodes='[{"arguments": [{"index": 0, "hex": "04"}]}, {"arguments": [{"index": 0, "hex": "05"}]}]'
	sed -i "s/\"replay\": 3/&, \"node_verdict\": \"narrowed\", \"n_candidates\": 2, \
		\"candidates\": $nodes/" report.json
	judged exact
	sed -i 's/"narrowed"/"exact"/' report.json
	judged "node WRONG"
	sed -i 's/"node_verdict": "exact"/"node_verdict": "likely"/' report.json
	judged "node WRONG"
	sed -i 's/"04"/"50"/; s/"05"/"04"/; s/"50"/"05"/' report.json
	judged exact
	sed -i 's/"05"/"06"/; s/"node_verdict": "likely"/"node_verdict": "narrowed"/' report.json
	judged "node WRONG"
	sed -i 's/"n_candidates": 2/"n_candidates": 40/' report.json
	judged exact
}

@test "the judge: a copy goes by its destination" {
	truth '{"truth": "copy", "destination": "0x40"}' 700
	echo '{"kind": "copy"}' >sim.json
	report exact '{"submission": 1, "kind": "copy", "copy": {"destination": "0x40"}}'
	judged exact
	report exact '{"submission": 1, "kind": "copy", "copy": {"destination": "0x80"}}'
	judged "exact WRONG"
}

@test "the judge: unknown is unknown, no report is missed" {
	report unknown
	judged unknown
	rm report.json
	judged MISSED
}

@test "the judge: a verdict where nothing failed is an alarm, silence is right" {
	truth '' 0
	rm sim.json
	echo 0 >status
	judged clean
	report narrowed "$(launch 42)" "$(launch 43)"
	judged ALARM
	truth '{"truth": "launch", "kernel": "stray", "tag": 42}' 0
	judged BROKEN
}

@test "the judge: a fault where none was planned, a crash and a hang are broken" {
	report exact "$(launch 42)"
	simulated kernel 41
	judged BROKEN
	simulated kernel 42
	echo -11 >status
	judged BROKEN
	echo timeout >status
	judged BROKEN
	echo "timeout, and another one without culprit" >status
	judged "no fault"
	report exact "$(launch 41)"
	judged "exact WRONG then the program waited for itself"
}

@test "the judge: a culprit that went past culprit may be missing where the report says so" {
	echo '{"truth": "past"}' >>truth.json
	evidence() { # evidence KIND: of a report that names another launch
		report "$1" "$(launch 41)"
		sed -i "s/}$/, \"evidence\": [{\"kind\": \"$2\"}]}/" report.json
	}
	for kind in bypassed unseen_work all_cleared; do
		evidence narrowed $kind
		judged unlisted
		evidence likely $kind
		judged "likely WRONG"
		evidence exact $kind
		judged "exact WRONG"
	done
	evidence narrowed sync
	judged "narrowed WRONG"
	sed -i '/past/d' truth.json
	evidence narrowed bypassed
	judged "narrowed WRONG"
}

@test "the judge: what the library said in the process" {
	report likely "$(launch 42)"
	library likely 42
	judged likely
	library narrowed 41
	judged likely
	library exact 42
	judged DIFFERS
	library likely 41
	judged "likely WRONG"
	library exact 41
	judged "exact WRONG"
	: >bundle/verdict.txt
	judged DIFFERS
}

@test "the judge: verdicts that are wider than the baseline allows" {
	python3 -B - "$root/scripts" <<-'END'
		import sys
		sys.path.insert(0, sys.argv[1])
		from oracle_width import wider, write_baseline

		def results(n_exact, n_suspects):
		    return [{"group": "one stream", "result": "exact" if i < n_exact else "narrowed",
		             "width": 1 if i < n_exact else n_suspects} for i in range(500)]

		def found(n_exact, n_suspects):
		    return "\n".join(wider("width.tsv", results(n_exact, n_suspects)))

		write_baseline("width.tsv", results(300, 3))
		assert found(300, 3) == "" and found(400, 2) == "", "as wide, or less"
		assert found(290, 3) == "", "within the tolerance"
		assert "one stream: 50.0 % exact, 60.0 %" in found(250, 3), found(250, 3)
		assert "all: 3.00 suspects, 1.80" in found(300, 6), found(300, 6)
	END
}

@test "a seed is the same program each time" {
	"$build/bin/oracle" --print 7 >first
	"$build/bin/oracle" --print 7 >second
	cmp first second
	"$build/bin/oracle" --print 8 >other
	! cmp -s first other || false
	grep -q '<-- the fault' first
}

# In an emulator kernels start late, so the width is not comparable.
@test "500 random programs: nothing is wrong, and no verdict is wider than the baseline" {
	local n width=(--width "$root/tests/oracle/width.tsv")
	n=$(rounds 500)
	((n == 500)) || width=()
	run env CULPRIT_BUILD="$build" "$root/scripts/oracle" --programs "$n" --seed 1 --jobs 3 \
		"${width[@]}" --keep "$build/oracle"
	echo "$output"
	((status == 0))
	[[ $output == *"$n of $n programs"* ]]
}

@test "150 random programs whose calls go past culprit: nothing is wrong" {
	local n
	n=$(rounds 150)
	run env CULPRIT_BUILD="$build" "$root/scripts/oracle" --programs "$n" --seed 1 --jobs 3 \
		--bypass --defaults --keep "$build/oracle"
	echo "$output"
	((status == 0))
	[[ $output == *"past culprit, deepbind"*"$n of $n programs"* ]]
}

@test "150 random programs that keep the driver's addresses on the heap: nothing is wrong" {
	local n
	n=$(rounds 150)
	run env CULPRIT_BUILD="$build" "$root/scripts/oracle" --programs "$n" --seed 1 --jobs 3 \
		--bypass heap --defaults --keep "$build/oracle"
	echo "$output"
	((status == 0))
	[[ $output == *"$n of $n programs"* ]]
}

@test "a program that is not over in time: each thread's call, and where it came from" {
	python3 - "$root/scripts" <<-'END'
		import subprocess, sys
		sys.dont_write_bytecode = True
		sys.path.insert(0, sys.argv[1])
		from oracle_tasks import tasks_write
		with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
		    wchan = ""
		    while "pipe" not in wchan:  # it reads
		        with open(f"/proc/{program.pid}/wchan") as file:
		            wchan = file.read()
		    tasks_write(program.pid, "tasks")
		tasks_write(program.pid, "ended")  # it raises nothing
	END
	cat tasks
	grep -Eq '^[0-9]+ cat: ' tasks
	grep -Eq '^  libc.*\+0x[0-9a-f]+$' tasks
	grep -Eq '^  cat\+0x[0-9a-f]+$' tasks
}
