#!/usr/bin/env bats
# `--on-failure abort|kill`: a host that catches the GPU's error and goes on ends at the call that
# discovered it, and its bundle is complete.

load robust

# left N: N bundles that name the launch, and no memory beside them.
left() {
	bundles "$1"
	[[ -z $(find bundles -name live) ]]
	(($("$culprit" list bundles | grep -c 'exact.*stray_store') == $1))
}

@test "on-failure report: the host goes on, as without culprit" {
	unharmed goes_on
	grep -qx 'goes on' under.out
	CULPRIT_ON_FAILURE=report unharmed goes_on
}

@test "on-failure abort: the host ends at the call, after the verdict, with a complete bundle" {
	export CULPRIT_ON_FAILURE=abort
	under goes_on
	((status == 134))
	lacks 'goes on|cuCtxSynchronize' under.out
	verdict "exact: launch #101, stray_store"
	warnings 0
	left 1
	"$culprit" report bundles/* >report.txt
	grep -q '^  seen by  *cuCtxSynchronize from ' report.txt
	# Nothing is printed, and the host ends all the same.
	CULPRIT_QUIET=1 under goes_on
	((status == 134))
	without_emulator under.err
	[[ ! -s under.err ]]
	left 2
}

@test "on-failure abort: threads that see the failure at once all stay in their calls" {
	export CULPRIT_ON_FAILURE=abort
	for _ in 1 2 3 4 5; do
		rm -rf bundles/*
		under goes_on_in_threads
		((status == 134))
		[[ ! -s under.out ]]
		verdict "exact: launch #102, stray_store"
		left 1
	done
}

# handled WAY LINE...: with SIGABRT handled in that way, the host prints these lines and no more.
handled() {
	ROBUST_HANDLER=$1 under goes_on_with_handler
	((status == 134))
	diff <(printf '%s\n' "cuLaunchKernel 0" "${@:2}") under.out
	verdict "exact: launch #101, stray_store"
}

@test "on-failure abort: a handler of SIGABRT runs, and the host ends whatever it does" {
	export CULPRIT_ON_FAILURE=abort
	handled returns handler
	handled calls handler "handler has made calls"
	handled jumps handler "left the handler"
	handled ignored
	handled blocked
	left 5
}

@test "on-failure abort: a failure that only went past culprit ends the process at its exit" {
	ROBUST_DOOR=deepbind under bypass_alone
	((status != 134))
	rm -rf bundles/*
	ROBUST_DOOR=deepbind CULPRIT_ON_FAILURE=abort under bypass_alone
	((status == 134))
	grep -q '^synchronize 700$' under.out # by the calls that are not seen
	bundles 1
}

@test "on-failure abort: Python's fault handler prints where the program was" {
	need_preload python3
	command -v python3 >/dev/null || skip "no python3"
	cat >host.py <<-'PY'
		import sys, threading
		sys.path.insert(0, sys.argv[3])
		import host
		threading.Thread(target=threading.Event().wait, daemon=True).start()
		trainer = host.Trainer(sys.argv[1])
		trainer.launch(host.STRAY_INDEX)
		try:
		    host.call("cuCtxSynchronize")
		except host.DriverError:
		    pass
		print("goes on")
	PY
	status=0
	"$culprit" run --on-failure abort -- python3 -X faulthandler host.py "$build/lib/simcuda-kernels" x \
		"$root/tests/python" >under.out 2>under.err || status=$?
	cat under.err
	((status == 134))
	[[ ! -s under.out ]]
	grep -qx 'Fatal Python error: Aborted' under.err
	grep -q 'host.py", line 8 in <module>' under.err
	verdict_of_run "exact: launch #1, stray_store at "
}

@test "on-failure abort under culprit run: the report, JUnit and the status" {
	status=0
	"$culprit" run --on-failure abort --junit junit.xml -- "$robust" goes_on >under.out 2>under.err || status=$?
	cat under.err
	((status == 134))
	lacks 'goes on' under.out
	verdict_of_run "exact: launch #101, stray_store"
	grep -q '^  launched from .*host.c:[0-9]' under.err
	grep -q 'failures="1"' junit.xml
	grep -q stray_store junit.xml
	left 1
	grep -q '"CULPRIT_ON_FAILURE": "abort"' bundles/*/meta.json
	status=0
	"$culprit" run --on-failure abort --fail-code 77 -- "$robust" goes_on >/dev/null 2>&1 || status=$?
	((status == 77))
	# Only the failed process ends; its parent decides what follows.
	"$culprit" run --on-failure abort -- sh -c "'$robust' goes_on || echo \$?" >under.out 2>under.err
	grep -qx 134 under.out
}

@test "on-failure: a process that does not use the GPU, or does not fail, hears nothing" {
	export CULPRIT_ON_FAILURE=abort
	unharmed clean
	[[ ! -s under.err ]]
	bundles 0
	CULPRIT_ON_FAILURE="kill" unharmed clean
	[[ ! -s under.err ]]
}

@test "on-failure: an unknown word is refused by the command and reported by the library" {
	run -125 --separate-stderr "$culprit" run --on-failure stop -- true
	[[ $stderr == "culprit run: --on-failure 'stop': expected report|abort|kill; see culprit help run" ]]
	CULPRIT_ON_FAILURE=stop unharmed goes_on
	grep -q "^culprit: CULPRIT_ON_FAILURE='stop': expected report|abort|kill; using 'report'$" under.err
}

# killed OPTION... -- COMMAND...: the run ends, and so do the processes that it started.
killed() {
	status=0
	timeout -k 1 300 "$culprit" run --on-failure kill "$@" >under.out 2>under.err 3>&- || status=$?
	echo "status $status"
	cat under.err
}

# gone FILE: the process with the ID in FILE has exited, whether or not it was waited for.
gone() {
	[[ $(ps -o stat= -p "$(<"$1")") == @(|Z*) ]]
}

@test "on-failure kill: the run's other processes end as well, and no process beside the run" {
	export robust
	sleep 1000 3>&- &
	beside=$!
	killed -- sh -c 'sleep 1000 & echo $! >sibling
		setsid sleep 1000 & echo $! >elsewhere
		"$robust" goes_on; sleep 1000'
	((status == 134))
	verdict_of_run "exact: launch #101, stray_store"
	grep -q '^  launched from .*host.c:[0-9]' under.err
	[[ $(grep -c '^culprit run: ' under.err) == 1 ]]
	grep -qx 'culprit run: the GPU failed: ended the other processes of this run (--on-failure kill)' under.err
	left 1
	gone sibling
	kill "$beside" "$(<elsewhere)"
}

@test "on-failure kill: the status is 134 whatever the command makes of SIGTERM, or that of --fail-code" {
	export robust
	killed -- sh -c 'trap "exit 0" TERM; "$robust" goes_on; sleep 1000 & wait'
	((status == 134))
	killed --quiet --fail-code 7 -- sh -c '"$robust" goes_on; sleep 1000'
	((status == 7))
	# The shell may print that its child was aborted, before culprit stops it too.
	without_emulator under.err
	[[ -z $(grep -vx Aborted under.err) ]]
	# Alone, there is no other process to end.
	killed -- "$robust" goes_on
	((status == 134))
	verdict_of_run "exact: launch #101, stray_store"
	lacks '^culprit run: ' under.err
	killed -- "$robust" clean
	((status == 0))
	[[ ! -s under.err ]]
}

@test "on-failure kill: processes that ignore SIGTERM are killed" {
	export robust
	killed -- sh -c 'trap "" TERM; sleep 1000 & echo $! >sibling; "$robust" goes_on; sleep 1000'
	((status == 134))
	gone sibling
}

@test "on-failure kill: a run within the run ends the outer one, too" {
	export robust culprit
	killed -- sh -c 'sleep 1000 & echo $! >sibling; "$culprit" run -- "$robust" goes_on; sleep 1000'
	((status == 134))
	verdict_of_run "exact: launch #101, stray_store"
	gone sibling
}

@test "on-failure kill with the library alone: as abort" {
	CULPRIT_ON_FAILURE="kill" under goes_on
	((status == 134))
	verdict "exact: launch #101, stray_store"
	left 1
}
