#!/usr/bin/env bats
# `culprit run`: what it passes on, what it adds, and that it is otherwise not there. Needs no driver,
# but for the last test.

load cli

# A bundle with a failure of the run that is under way, as the library would leave it.
write_failing_program() {
	cat >fail.sh <<-SH
		#!/bin/sh
		"$make_bundle" failed "\$CULPRIT_DIR/culprit-fail-\$\$" "\$CULPRIT_RUN"
		exit "\${1:-0}"
	SH
	chmod +x fail.sh
}

@test "run: the command's exit status, output and arguments are its own" {
	culprit -127 run -- sh -c "exit 127"
	[[ -z $stderr ]]
	for code in 0 1 2 3 7 125 126 255; do
		culprit run -- sh -c "exit $code"
		[[ $status -eq $code && -z $stderr ]]
	done
	culprit run printf '%s|' -x --quiet 'a b' ''
	[[ $status -eq 0 && $output == '-x|--quiet|a b||' ]]
	culprit run --quiet -- printf '%s|' -- --help
	[[ $output == '--|--help|' ]]
}

@test "run: input, output and other descriptors pass through" {
	run --separate-stderr bash -c "echo in | '$culprit' run sh -c 'cat; echo err >&2; echo four >&4' 4>four"
	[[ $output == in && $stderr == err && $(<four) == four ]]
	# Nothing of culprit's own is open in the command: it sees what it sees without.
	plain=$(sh -c 'ls /proc/self/fd' 5</dev/null)
	under=$("$culprit" run sh -c 'ls /proc/self/fd' 5</dev/null)
	[[ $plain == "$under" ]]
}

@test "run: a command that is not there or cannot be executed" {
	culprit -127 run no-such-command-anywhere
	complains 127 "culprit run: 'no-such-command-anywhere': command not found"
	culprit -127 run ./missing
	complains 127 "culprit run: cannot run './missing': No such file or directory"
	echo '#!/bin/sh' >script
	culprit run ./script
	complains 126 "culprit run: cannot run './script': Permission denied"
	culprit run /
	complains 126 "culprit run: cannot run '/': Permission denied"
}

# A shell in the background has SIGINT ignored, and so has what it starts.
@test "run: a fatal signal of the command is culprit's own end" {
	for signal in TERM KILL SEGV ABRT INT; do
		run --separate-stderr env --default-signal "$culprit" run sh -c "kill -$signal \$\$"
		[[ $status -eq $((128 + $(kill -l "$signal"))) ]]
	done
}

# Bash gives a command in the background SIGINT and SIGQUIT ignored; python has both back.
start_waiting_command() {
	mkfifo ready
	python3 - "$culprit" <<-'PY' &
		import os, signal, sys
		for number in (signal.SIGINT, signal.SIGQUIT):
		    signal.signal(number, signal.SIG_DFL)
		script = """
		import os, signal
		wanted = [signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM]
		signal.pthread_sigmask(signal.SIG_BLOCK, wanted)
		open('ready', 'w').write(str(os.getpid()) + '\\n')
		print(signal.Signals(signal.sigwait(wanted)).name, flush=True)
		raise SystemExit(9)
		"""
		import textwrap
		script = textwrap.dedent(script)
		os.execv(sys.argv[1], [sys.argv[1], "run", sys.executable, "-c", script])
	PY
	runner=$!
	read -rt 300 command_pid <>ready
}

@test "run: signals sent to culprit reach the command" {
	for signal in TERM HUP USR1 USR2 ALRM; do
		rm -f ready
		start_waiting_command >got
		kill "-$signal" "$runner"
		status=0
		wait "$runner" || status=$?
		[[ $status -eq 9 && $(<got) == "SIG$signal" ]]
	done
}

@test "run: the terminal's interrupt is the command's alone" {
	start_waiting_command >got
	kill -INT "$runner"
	kill -QUIT "$runner"
	kill -0 "$runner"
	kill -TERM "$command_pid"
	status=0
	wait "$runner" || status=$?
	[[ $status -eq 9 && $(<got) == SIGTERM ]]
}

# A terminal of its own with culprit in its foreground, as a shell with job control has it: Ctrl-Z
# stops culprit and the command, SIGCONT continues both, Ctrl-C reaches the command.
@test "run: job control and the terminal's keys" {
	timeout 300 python3 - "$culprit" <<-'PY'
		import os, pty, signal, sys

		def state(pid):
		    return open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0]

		shell, terminal = pty.fork()
		if shell == 0:
		    # The "shell": a job in a group of its own, in the foreground.
		    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
		    started, tell = os.pipe()
		    os.set_inheritable(tell, True)
		    job = os.fork()
		    if job == 0:
		        os.setpgid(0, 0)
		        os.tcsetpgrp(0, os.getpid())
		        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
		        os.execv(sys.argv[1], [sys.argv[1], "run", "sh", "-c",
		                               f"echo $$ >&{tell}; exec sleep 1000"])
		    command = int(os.read(started, 32))
		    print("READY", flush=True)
		    _, status = os.waitpid(job, os.WUNTRACED)
		    assert os.WIFSTOPPED(status) and os.WSTOPSIG(status) == signal.SIGTSTP, status
		    while state(command) != "T":
		        os.sched_yield()
		    os.kill(-job, signal.SIGCONT)
		    _, status = os.waitpid(job, os.WCONTINUED)
		    assert os.WIFCONTINUED(status), status
		    while state(command) == "T":
		        os.sched_yield()
		    print("AGAIN", flush=True)
		    _, status = os.waitpid(job, 0)
		    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGINT, status
		    print("DONE", flush=True)
		    os._exit(0)

		seen = b""
		keys = {b"READY": b"\x1a", b"AGAIN": b"\x03"}
		while b"DONE" not in seen:
		    try:
		        piece = os.read(terminal, 1000)
		    except OSError: # the terminal is closed
		        break
		    seen += piece
		    for word in [word for word in keys if word in seen]:
		        os.write(terminal, keys.pop(word))
		assert b"DONE" in seen, seen.decode()
		assert os.waitpid(shell, 0)[1] == 0, seen.decode()
	PY
}

@test "run: what was preloaded stays in front of the library" {
	culprit run sh -c 'echo "$LD_PRELOAD"'
	[[ $output == "$(realpath "$build/lib/libculprit.so")" ]]
	library=$output
	LD_PRELOAD=/lib/x86_64-linux-gnu/libm.so.6 culprit run sh -c 'echo "$LD_PRELOAD"'
	[[ $output == "/lib/x86_64-linux-gnu/libm.so.6:$library" ]]
	culprit run "$culprit" run sh -c 'echo "$LD_PRELOAD"'
	[[ $output == "$library" ]]
}

@test "run: a program that was built with the address sanitizer" {
	echo 'int main(int argc, char **argv) { (void)argv; return argc; }' >program.c
	cc -fsanitize=address program.c -o program || skip "no address sanitizer here"
	# Its runtime wants to be first in the list of libraries; the order itself does no harm.
	ASAN_OPTIONS=verify_asan_link_order=0 culprit run ./program
	[[ $status -eq 1 && -z $stderr ]]
}

@test "run: a library that is not there, or whose path LD_PRELOAD cannot hold" {
	CULPRIT_LIBRARY=/nonexistent/libculprit.so culprit run true
	complains 125 "culprit run: /nonexistent/libculprit.so: No such file or directory; set CULPRIT_LIBRARY to where libculprit.so is"
	for name in 'with space' 'with:colon' 'with$dollar'; do
		mkdir -p "$name"
		cp "$build/lib/libculprit.so" "$name/"
		CULPRIT_LIBRARY="$name/libculprit.so" culprit run true
		[[ $status -eq 125 ]]
		says "culprit run: '*$name/libculprit.so': LD_PRELOAD cannot hold a path with a space*"
		[[ ${#stderr_lines[@]} -eq 1 ]]
	done
}

@test "run: settings as flags and as variables; flags win" {
	CULPRIT_KEEP=always CULPRIT_RECORDS=128 culprit run --records 256 --markers=inline:4 --quiet \
		env
	[[ $output == *$'\n'CULPRIT_RECORDS=256$'\n'* || $output == CULPRIT_RECORDS=256$'\n'* ]]
	for line in CULPRIT_KEEP=always CULPRIT_MARKERS=inline:4 CULPRIT_QUIET=1 \
		"CULPRIT_DIR=$(realpath .)" CULPRIT_ANNOTATE=on; do
		grep -qxF "$line" <<<"$output"
	done
	CULPRIT_ANNOTATE=off culprit run env
	grep -qx CULPRIT_ANNOTATE=off <<<"$output"
}

@test "run: the bundle directory is absolute for the command, and must exist" {
	mkdir there
	culprit run --dir there sh -c 'cd /; echo "$CULPRIT_DIR"'
	[[ $output == "$(realpath there)" ]]
	culprit run --dir elsewhere true
	complains 125 "culprit run: bundle directory 'elsewhere': No such file or directory"
}

@test "run: failures of its own run are reported in full, others' are not" {
	write_failing_program
	"$make_bundle" failed culprit-other-1 some.other.run
	"$make_bundle" failed culprit-other-2 ""
	culprit run ./fail.sh 5
	[[ $status -eq 5 && -z $output ]]
	[[ $(grep -c '^culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700)' <<<"$stderr") -eq 1 ]]
	says '  bundle          ./culprit-fail-*'
	[[ $stderr != *culprit-other* ]]
}

@test "run: a run without failure says nothing" {
	culprit run "$make_bundle" clean culprit-clean-1 '$CULPRIT_RUN'
	[[ $status -eq 0 && -z $stderr && -z $output ]]
	culprit run sh -c "'$make_bundle' clean culprit-clean-2 \"\$CULPRIT_RUN\""
	[[ $status -eq 0 && -z $stderr && -z $output ]]
}

@test "run: --report, --quiet and --fail-code" {
	write_failing_program
	culprit run --report report.txt ./fail.sh
	[[ $status -eq 0 && -z $stderr ]]
	grep -q '^culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700)' report.txt
	culprit run --quiet ./fail.sh 4
	[[ $status -eq 4 && -z $stderr ]]
	culprit run --quiet --fail-code 77 ./fail.sh 4
	[[ $status -eq 77 ]]
	culprit run --fail-code 77 --report never.txt sh -c 'exit 4'
	[[ $status -eq 4 && ! -e never.txt ]]
	culprit run --fail-code 77 sh -c './fail.sh; kill -KILL $$'
	[[ $status -eq 77 ]]
	# A report that cannot be written is not lost.
	culprit run --report /nonexistent/report.txt ./fail.sh
	[[ $status -eq 0 ]]
	says 'culprit run: /nonexistent/report.txt: No such file or directory'
	says 'culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700)*'
}

@test "run: two failed processes are both reported, the earlier first" {
	write_failing_program
	culprit run sh -c './fail.sh; ./fail.sh'
	[[ $(grep -c '^culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700)' <<<"$stderr") -eq 2 ]]
}

@test "run: the report has the source lines of the launch" {
	fail_on_simcuda
	grep -qE '^  launched from   [a-z_]+\.c:[0-9]+ ' <<<"$stderr"
	culprit report --format json culprit-program-*
	python3 -c '
import json, sys
report = json.load(sys.stdin)
stack = report["suspects"][0]["stack"]
assert any(f["function"] == "main" and f["file"].endswith("main.c") and f["line"] for f in stack), stack
' <<<"$output"
}

@test "run: --stack-check takes every stack in other ways, and finds it the same" {
	fail_on_simcuda --stack-check 1
	[[ $stderr != *"self-check"* ]]
	culprit dump culprit-program-*
	grep -qE '^stack-check 1: checks=[1-9][0-9]* unlike_full=0 unlike_other=0 first=0$' <<<"$output"
	culprit report --format json culprit-program-*
	[[ $output == *'"unlike_full_walk": 0'* ]]
}
