#!/usr/bin/env bats
# `culprit run --hang`, and SIGTERM and Ctrl-C for a command that hangs. Each case waits for a second,
# the shortest time of the option.

load robust

# hangs WAY OPTION...: run a host that hangs in this way; the results are in files called WAY.*.
# Culprit ends it, or it is killed after $limit seconds (300), by a program that is the command itself if
# $parent is unset.
hangs() {
	local way=$1 code=0
	shift
	ROBUST_HANG=$way "$culprit" run --hang 1 "$@" -- ${parent-timeout -s KILL "${limit:-300}"} "$robust" hangs >"$way.out" 2>"$way.err" 3>&- || code=$?
	echo "$code" >"$way.status"
}

# ended WAY STATUS: the host ended with this status, and its hang was reported at most once.
ended() {
	echo "$1: $(cat "$1.status" "$1.err")"
	[[ $(cat "$1.status") == "$2" && $(grep -c '^culprit: hung' "$1.err") -le 1 ]]
}

# The hosts run at the same time, because they only wait.
all_ways() {
	hangs kernel --on-hang abort &
	parent='' hangs function --on-hang abort --hang-code 9 &
	hangs circle --on-hang abort &
	SIMCUDA_QUEUE_DEPTH=300 hangs launch --on-hang abort &
	wait
}

@test "hang: a hung kernel, host function or memory wait is named, and the command is stopped" {
	all_ways
	ended kernel 124
	grep -Eq '^culprit: hung — exact: launch #233, spin at host.c:[0-9]+ host_spin \[pid [0-9]+\]$' kernel.err
	grep -Eq '^culprit: process [0-9]+: 2 streams at work, 1 thread is in a call$' kernel.err
	grep -Eq 'waits for an event of stream 0x[0-9a-f]+ after #238, before #239 fill' kernel.err
	ended function 9
	grep -Eq '^culprit: hung — exact: host function #233, cuLaunchHostFunc at hangs.c:[0-9]+' function.err
	ended circle 124
	grep -Eq '^culprit: hung — (exact|likely): stream operation #233, cuStreamWaitValue32' circle.err
	ended launch 124
	grep -Eq '^culprit: hung — exact: launch #233, spin' launch.err
	grep -Eq ': in cuLaunchKernel of #[0-9]+ on stream' launch.err
	# The signal of a host that is the command itself is known.
	[[ $(tr -d ' \n' <<<"$(cat bundles/*/meta.json)" | grep -o '"end":{"signal":[0-9]*') == '"end":{"signal":9' ]]
	# Each host left its bundle, with the text.
	[[ $(cat bundles/*/hung.txt | grep -c '^culprit: hung') == 4 ]]
	[[ $("$culprit" list bundles | grep -c culprit-robust) == 4 ]]
}

# Run a kernel that hangs beside a host without submitted work. Kill the kernel's host after the other one
# has exited.
goes_on() {
	local host command code=0
	rm -f told report.txt kernel.err
	limit=3 hangs host --on-hang abort &
	host=$!
	mkfifo told
	ROBUST_HANG=kernel "$culprit" run --hang 1 --report report.txt -- "$robust" hangs >kernel.out 2>told 3>&- &
	command=$!
	while read -r line; do
		echo "$line" >>kernel.err
		[[ $line =~ ^culprit:\ hung.*\[pid\ ([0-9]+)\]$ ]] || continue
		# A second report would come in this time.
		wait "$host"
		kill -KILL "${BASH_REMATCH[1]}"
	done <told
	wait "$command" || code=$?
	echo "$code" >kernel.status
}

@test "hang: with report the command continues; a host without submitted work does not hang" {
	goes_on
	ended kernel 137
	[[ $(grep -c '^culprit: hung — exact: launch #233' report.txt) == 1 ]]
	[[ $(grep -c '^culprit: hung — exact: launch #233' kernel.err) == 1 ]]
	ended host 137
	without_emulator host.err
	[[ ! -s host.err ]]
}

@test "hang: every reader of the bundle names the launch that hung, and CI sees a failure" {
	hangs kernel --on-hang abort --junit j.xml --sarif s.json --gitlab g.json --github
	ended kernel 124
	cp -r bundles/culprit-robust-* hung
	hung='hung — exact: launch #233, spin at host.c:[0-9]+ host_spin \[pid [0-9]+\]'
	for way in text html json; do
		run -0 --separate-stderr "$culprit" report --format $way hung
		grep -Eq "$hung" <<<"$output"
	done
	hung='error\[hang\]: no progress: spin'
	CULPRIT_REPORT=short run -0 "$culprit" report hung
	[[ ${lines[0]} =~ ^$hung\ \(pid\ [0-9]+\)\ \ exact$ && $output == *'launch #233, spin<<<1, 1>>>'* ]]
	[[ $(python3 -S "$BATS_TEST_DIRNAME/junit_check.py" j.xml) == "1 1" ]]
	for file in j.xml s.json g.json; do
		grep -Eq "$hung" $file
		grep -q 'host.c' $file
	done
	grep -Eq "^::error file=[^,]*host.c,line=[0-9]+,title=GPU_HANG::$hung" kernel.err
	run -0 "$culprit" status hung
	[[ ${lines[0]} =~ ^culprit:\ hung\ —\ exact:\ launch\ #233,\ spin ]]
	run -0 "$culprit" list --format tsv hung
	[[ $(cut -f 5,6,8 <<<"${lines[1]}") == $'hung\texact\tspin' ]]
	fingerprint=$(cut -f 7 <<<"${lines[1]}")
	[[ $fingerprint =~ ^[0-9a-f]{16}$ ]]
	grep -q "\"fingerprint\": \"$fingerprint\"" hung/finding.json g.json
	"$culprit" report --format json hung >hung.json
	python3 -S "$BATS_TEST_DIRNAME/cli_json.py" "$root/tools/json/report_json.h" hung.json | { ! grep -v '^no report has'; }
	python3 -S -c '
import json
report = json.load(open("hung.json"))
assert report["verdict"] == "exact" and report["error"] is None, report["verdict"]
assert [suspect["submission"] for suspect in report["suspects"]] == [233], report["suspects"]
assert report["hang"]["streams"][0]["state"] == "runs", report["hang"]
'
	# The record is not trusted: a broken one is as none. The last snapshot remains.
	echo '{"format": 1, "kind": "hang", "verdict": "exact", "streams": [{"submission": -1}]}' >hung/finding.json
	run -7 "$culprit" report hung
	[[ ${lines[0]} == *"; killed by signal 9 with 7 submissions unfinished: #233 spin had started [pid "* ||
		${lines[0]} == *"; killed, or gone by _exit, with 7 submissions unfinished: #233 spin had started [pid "* ]]
}

# has_bundle: the process that works aside has made the host's bundle.
has_bundle() {
	[[ $(echo bundles/culprit-robust-*/meta.json) != *'*'* ]]
}

# killed OPTION...: run a host that hangs; SIGKILL ends it and its parent together, as a time limit does. With
# --hang, this is after a snapshot, before the hang is reported. The run is stopped meanwhile: it would see the
# parent's end, and a host that is still alive.
killed() {
	rm -f killed.out
	ROBUST_HANG=kernel "$culprit" run "$@" -- sh -c '"$0" hangs & echo $! >pid; wait' "$robust" >killed.out 2>killed.err 3>&- &
	local run=$! code=0 parent
	until grep -qs ready killed.out && has_bundle; do kill -0 "$run"; done
	until [[ ! $* =~ --hang || $("$culprit" dump --file looks bundles/culprit-*) =~ looks=[1-9] ]]; do kill -0 "$run"; done
	# On a busy machine, that one may be from before the kernel's launch.
	[[ ! $* =~ --hang ]] || "$culprit" status "$(<pid)" >status.txt
	parent=$(awk '{print $4}' "/proc/$(<pid)/stat")
	kill -STOP "$run"
	kill -KILL "$parent" "$(<pid)"
	kill -CONT "$run"
	wait "$run" || code=$?
	cat killed.err
	((code == 137))
}

@test "killed: every reader says what had started by the last snapshot, and where the host was" {
	killed --hang 60 --junit j.xml --sarif s.json --gitlab g.json --github
	cp -r bundles/culprit-robust-* killed
	title='error\[unfinished\]: killed, or gone by _exit, with 7 submissions unfinished; spin had started'
	CULPRIT_REPORT=short run -7 --separate-stderr "$culprit" report killed
	echo "$output"
	[[ ${lines[0]} =~ ^$title\ \(pid\ [0-9]+\)\ \ narrowed$ && ${#lines[@]} -le 12 ]]
	[[ ${lines[1]} =~ ^\ \ --\>\ host\.c:[0-9]+\ host_spin\ \ \<-\ hangs\.c: && $output == *'launch #233, spin<<<1, 1>>>'* ]]
	grep -Eq '^  because +#233 spin on stream 0x[0-9a-f]+ had started and not finished at the last snapshot, [0-9.]+ s after its launch$' <<<"$output"
	grep -Eq '^  host +was in cuStreamSynchronize on stream 0x[0-9a-f]+, from hangs\.c:[0-9]+ hangs$' <<<"$output"
	grep -Eq '^  help +culprit status killed ' <<<"$output"
	for way in html markdown; do
		run -7 --separate-stderr "$culprit" report --format $way killed
		[[ $output =~ $title && $output == *host.c* && $output == *'cuStreamSynchronize'* ]]
	done
	[[ $(python3 -S "$BATS_TEST_DIRNAME/junit_check.py" j.xml) == "1 1" ]]
	for file in j.xml s.json g.json; do
		grep -Eq "$title" $file
		grep -q 'host.c' $file
	done
	grep -Eq "^::error file=[^,]*host.c,line=[0-9]+,title=GPU_UNFINISHED::$title" killed.err
	run -0 "$culprit" list --format tsv killed
	[[ $(cut -f 5,6,8 <<<"${lines[1]}") == $'unfinished\tnarrowed\tspin' && ${lines[1]} == *host_spin* ]]
	run -0 "$culprit" status killed
	[[ $output =~ ': finished #232, had started #233 spin<<<' && $output == *': was in cuStreamSynchronize on stream'* ]]
	run -0 "$culprit" explain unfinished
	run -7 --separate-stderr "$culprit" report --format json killed
	python3 -S -c '
import json, sys
report = json.loads(sys.argv[1])
assert (report["finding"], report["verdict"], report["error"]) == ("unfinished", "narrowed", None), report["finding"]
assert [suspect["submission"] for suspect in report["suspects"]] == [233], report["suspects"]
assert [(row["submission"], row["state"], row["proven"]) for row in report["started"]["streams"]] == [(233, "runs", True)]
' "$output"
	echo "$output" >killed.json
	python3 -S "$BATS_TEST_DIRNAME/cli_json.py" "$root/tools/json/report_json.h" killed.json >faults || true
	run ! grep -v '^no report has' faults
	run ! grep 'report.started' faults
}

@test "killed: without a snapshot no launch is named, and the report says how to learn it" {
	killed --junit j.xml
	cp -r bundles/culprit-robust-* killed
	CULPRIT_REPORT=short run -7 --separate-stderr "$culprit" report killed
	echo "$output"
	[[ ${lines[0]} =~ ^error\[unfinished\]:\ killed,\ or\ gone\ by\ _exit,\ with\ 207\ submissions\ unfinished\ \(pid\ [0-9]+\)\ \ unknown$ ]]
	[[ ${lines[1]} =~ ^\ \ --\>\ hangs\.c:[0-9]+\ hangs$ && $output == *'the host was in cuStreamSynchronize on stream'* ]]
	[[ $output == *'no snapshot shows what had started'* && $output != *spin* ]]
	grep -Eq '^  help +culprit run --hang 60 -- .*robust hangs ' <<<"$output"
	[[ $(python3 -S "$BATS_TEST_DIRNAME/junit_check.py" j.xml) == "1 1" ]]
	run -0 "$culprit" list --format tsv killed
	[[ $(cut -f 5,6,8 <<<"${lines[1]}") == $'unfinished\tunknown\t' ]]
}

# asked_to_end SIGNAL: send it until the run exits, which must be by that signal.
asked_to_end() {
	ROBUST_HANG=kernel env --default-signal python3 -S - "$1" "$culprit" "$robust" 3>&- >"$1.out" 2>"$1.err" <<-'PY'
		import signal, subprocess, sys, time
		command = subprocess.Popen([sys.argv[2], "run", "--", "bash", "-c",
		    "trap : INT TERM; " + sys.argv[3] + " hangs & until wait $!; do kill -0 $! || exit; done"],
		    stdout=subprocess.PIPE)
		assert command.stdout.readline() == b"ready\n"
		number = getattr(signal, "SIG" + sys.argv[1])
		while command.poll() is None:
		    command.send_signal(number)
		    time.sleep(0.2)
		assert command.returncode == -number, command.returncode
	PY
}

both_asked_to_end() {
	asked_to_end INT &
	asked_to_end TERM &
	wait
}

@test "hang: Ctrl-C twice and SIGTERM end a command that cannot end by itself, and say why" {
	both_asked_to_end
	cat INT.err TERM.err
	grep -q '^culprit: hung — exact: launch #233, spin' INT.err
	grep -q '^culprit: hung — exact: launch #233, spin' TERM.err
	run ! grep -q Traceback INT.err TERM.err
}

@test "launch timeout: the report says how long the kernel ran, how long it took before, and what to do" {
	ROBUST_HANG=timeout SIMCUDA_TIMEOUT_MS=2000 run --separate-stderr "$culprit" run -- "$robust" hangs
	echo "$stderr"
	[[ $status -eq 1 && $output == 'cuStreamSynchronize 702' ]]
	grep -Eq '^culprit: CUDA_ERROR_LAUNCH_TIMEOUT \(702\) — exact: launch #236, spin ' <<<"$stderr"
	grep -Eq '^  unusual         it ran for at most [0-9]+\.[0-9]{3} s; the newest 3 before it took at most [0-9.]+ s$' <<<"$stderr"
	grep -Eq '^  next            launch the kernel in parts, of fewer blocks each, or on a GPU that drives no display' <<<"$stderr"
}

all_ways_dumped() {
	hangs kernel --on-hang abort --coredump on &
	SIMCUDA_COREDUMP=lost hangs function --on-hang abort --coredump on &
	CUDA_COREDUMP_FILE=own hangs circle --on-hang abort --coredump on &
	wait
}

@test "hang: with core dumps on, the GPU is dumped before the command is aborted" {
	mkdir pipes
	export TMPDIR=$PWD/pipes
	all_ways_dumped
	ended kernel 124
	grep -Eq '^culprit: hung — exact: launch #233, spin at host.c:[0-9]+ host_spin' kernel.err
	dump=$(sed -En 's/^culprit: process [0-9]+: its GPU core dump is (.*)/\1/p' kernel.err)
	[[ $dump == */bundles/culprit-robust-*/hung.nvcudmp && $(head -c 4 "$dump") == $'\x7fELF' ]]
	# The dump shows no exception, so it is not taken for a failure.
	run "$culprit" report "${dump%/*}"
	[[ $status -eq 0 && $output == 'culprit: hung — exact: launch #233, spin'* && $output != *CUDA_ERROR* ]]
	ended function 124
	grep -Eq '^culprit: process [0-9]+: the driver made no GPU core dump$' function.err
	# The user's own settings are not changed.
	ended circle 124
	lacks 'core dump' circle.err
	[[ ! $(ls pipes) ]]
}
