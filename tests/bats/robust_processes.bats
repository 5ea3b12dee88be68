#!/usr/bin/env bats
# Hosts that have children, and hosts that exit in every possible way.

load robust
load strace

@test "children of all kinds, after cuInit: none harms itself or its parent's bundle" {
	unharmed fork_after_init
	verdict "exact: launch #301, stray_store"
	bundles 1
	unharmed other_children
	verdict "exact: launch #501, stray_store"
	bundles 2
	SIMCUDA_NULL=1 unharmed bare_children
	bundles 2
}

@test "a clean program's children do not remove its bundle before its end" {
	CULPRIT_KEEP=always unharmed fork_after_init
	bundles 1
	[[ $("$culprit" dump -F ring bundles/* | grep -c 'submission.*"cuLaunchKernel"') == 301 ]]
}

@test "children from before cuInit have bundles and verdicts of their own" {
	unharmed fork_before_init
	(($(grep -c "exact: launch #11, stray_store" under.err) == 3))
	bundles 3
}

@test "a daemon is recorded" {
	unharmed daemon_fork
	verdict "exact: launch #11, stray_store"
	bundles 1
}

@test "a child with its parent's process number does not remove the bundle" {
	not_emulated "a thread works aside, and such a parent cannot create threads"
	unshare -rpf --mount-proc true || skip "needs a process name space"
	CULPRIT_KEEP=failure unshare -rpf --mount-proc env LD_PRELOAD="$shim" "$robust" fork_same_pid \
		>under.out 2>under.err || true
	verdict "exact: launch #11, stray_store"
	bundles 1
	grep -q "^child: status 0" under.out
}

@test "500 forks while four threads launch: no deadlock, every child exits" {
	unharmed fork_while_launching
	verdict "exact: launch #[0-9]*, stray_store"
	bundles 1
}

# ended SCENARIO STATUS: it exits like that with and without culprit.
ended() {
	unharmed "$1"
	((status == $2))
}

@test "a clean exit by exit() or quick_exit(), wherever it is called, leaves nothing" {
	ended exit_in_callback 7
	ended exit_quickly 4
	ended exit_in_signal_handler 8
	bundles 0
}

@test "exit() while threads launch and start leaves nothing" {
	for ((round = 0; round < 20; round++)); do
		ended exit_while_launching 5
		ended exit_while_threads_start 5
		[[ ! -s under.err ]]
	done
	not_emulated "a thread works aside, and exit() may end it before the bundle is removed"
	bundles 0
}

@test "threads that open their journals while the bundle is removed leave nothing" {
	timeout -k 1 300 env LD_PRELOAD="$build/lib/liblate_opens.so $shim" \
		"$robust" exit_while_threads_start >under.out 2>under.err || status=$?
	((status == 5))
	[[ ! -s under.err ]]
	bundles 0
}

@test "an exit without exit handlers leaves a readable bundle" {
	ended exit_at_once 3
	bundles 1
	ended abort_at_once 134
	bundles 2
	ended terminate_while_launching 143
	bundles 3
}

@test "a thread that continues after main has returned is followed to its failure" {
	ended main_thread_ends 1
	verdict "exact: launch #201, stray_store"
}

@test "an exit handler that sees the error still gets its verdict" {
	ended error_in_exit_handler 6
	verdict "exact: launch #101, stray_store"
}

# Where the driver shuts down after our exit handler, which has removed the bundle by then.
@test "a handler that runs after culprit's own sees the error: there is a verdict and its bundle" {
	export SIMCUDA_SHUTDOWN=late
	ended error_in_early_handler 6
	verdict "exact: launch #101, stray_store"
	bundles 1
	CULPRIT_KEEP=always ended error_in_early_handler 6
	verdict "exact: launch #101, stray_store"
	bundles 2
	"$culprit" run --dir run -- "$robust" error_in_early_handler >under.out 2>under.err || status=$?
	((status == 6))
	verdict_of_run "exact: launch #101, stray_store"
}

# without_signal: print the last run's output without qemu-user's lines about a deadly signal.
without_signal() {
	grep -v '^qemu: uncaught target signal ' <<<"$output"
}

# culprit's own exit handler is called first, and the process was sound until then.
@test "run: a command that crashes late in a healthy exit leaves no bundle, unless all are kept" {
	run -139 "$culprit" run --dir run -- "$robust" crash_at_exit
	settle_in run
	[[ -z $(without_signal) && -z $(ls run) ]]
	run -139 "$culprit" run --dir run --keep always -- "$robust" crash_at_exit
	[[ -z $(without_signal) && -d $(echo run/culprit-*) ]]
}

# after_shutdown FILE COMMAND...: the system calls from the driver's shutdown on.
after_shutdown() {
	"${@:2}" strace -f -o trace -e trace=%file,%desc -E SIMCUDA_SHUTDOWN=told "${traced[@]}" \
		"$robust" exit_by_return
	whole_calls trace >whole
	grep -q simcuda-shutdown whole
	sed '1,/simcuda-shutdown/d; s/^[0-9]* *//; /^+++/d; s/(.*//' whole >"$1"
}

@test "after the driver's shutdown culprit makes no system call" {
	not_emulated "strace shows the system calls of the emulator"
	command -v strace >/dev/null && strace -o probe true || skip "no strace here"
	local traced=() keep
	after_shutdown plain.calls env
	for keep in failure always; do
		after_shutdown run.calls "$culprit" run --dir run --keep $keep --
		diff plain.calls run.calls
		traced=(-E LD_PRELOAD="$shim" -E "CULPRIT_KEEP=$keep")
		after_shutdown alone.calls env
		diff plain.calls alone.calls
		traced=()
	done
}

# The process that works aside is not traced, but it is made by a call with that flag: once, to make
# the directory.
@test "culprit run removes the command's journal after its exit, not the command" {
	not_emulated "strace shows the system calls of the emulator"
	command -v strace >/dev/null && strace -o probe true || skip "no strace here"
	strace -f -o trace -e trace=execve,clone,unlink,unlinkat,rmdir \
		"$culprit" run -- "$robust" exit_by_return
	whole_calls trace >whole
	local command
	command=$(sed -n 's/^\([0-9]*\) *execve("[^"]*robust".*= 0$/\1/p' whole)
	sed -n "/^$command *execve/,/^$command *+++ exited/p" whole >during
	lacks 'unlink|rmdir' during
	(($(grep -c CLONE_UNTRACED during) == 1))
	settle
	bundles 0
	[[ -z $(find /dev/shm -maxdepth 1 -name "culprit-live-*-$command-*") ]]
}

@test "what the command starts removes its journal itself" {
	"$culprit" run -- bash -c '"$0" exit_by_return; ls "$CULPRIT_DIR" >left; exit 3' "$robust" || true
	lacks culprit-robust left
	bundles 0
}

@test "four threads see the error and exit at once: the verdict comes first" {
	for ((round = 0; round < 30; round++)); do
		ended exit_at_error 1
		verdict "exact: launch #1, stray_store"
	done
}

@test "kill -9 at 100 random moments: every launch that had returned is in the journal" {
	ROBUST_PRELOAD=$shim ROBUST_DUMP="$culprit dump -F ring" plain kill_often
	cat plain.out
	((plain_status == 0))
}
