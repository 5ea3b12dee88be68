#!/usr/bin/env bats
# The command line of culprit: what it refuses and how it says so, what `run` passes on, and
# bundles that are foreign, broken or hostile. Needs no driver. CULPRIT_BUILD names the build folder.

bats_require_minimum_version 1.5.0

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
build=${CULPRIT_BUILD:-$root/build}
culprit=$build/bin/culprit
make_bundle=$build/bin/make-bundle
commands="run report dump doctor help"

setup() {
	cd "$BATS_TEST_TMPDIR"
	# What the caller has set must not decide a test.
	unset "${!CULPRIT_@}" LD_PRELOAD DEBUGINFOD_URLS
}

# complains STATUS TEXT: the last run ended with that status and said that, in one line.
complains() {
	echo "status $status: $stderr"
	[[ $status -eq $1 && ${#stderr_lines[@]} -eq 1 && ${stderr_lines[0]} == "$2" ]]
}

# says TEXT: one line on standard error is that, as a pattern.
says() {
	local line
	for line in "${stderr_lines[@]}"; do
		# shellcheck disable=SC2053 # a pattern is wanted
		[[ $line == $1 ]] && return
	done
	echo "nobody says '$1' in: $stderr"
	return 1
}

# culprit [-STATUS] ARGUMENT...: runs it; bats wants to be told of an expected 127.
culprit() {
	local expected=()
	[[ $1 == -127 ]] && expected=(-127) && shift
	run --separate-stderr "${expected[@]}" "$culprit" "$@"
}

# A bundle with a failure of the run that is under way, as the library would leave it.
write_failing_program() {
	cat >fail.sh <<-SH
		#!/bin/sh
		"$make_bundle" failed "\$CULPRIT_DIR/culprit-fail-\$\$" "\$CULPRIT_RUN"
		exit "\${1:-0}"
	SH
	chmod +x fail.sh
}

@test "without a command: the list of commands, on standard error" {
	culprit
	[[ $status -eq 2 && -z $output && $stderr == "usage: culprit"* ]]
}

@test "--version and --help" {
	culprit --version
	[[ $status -eq 0 && $output == "culprit "[0-9]*.[0-9]*.[0-9]* ]]
	culprit --help
	[[ $status -eq 0 && -z $stderr ]]
	for command in $commands; do
		[[ $output == *$'\n'"  $command "* ]]
	done
}

@test "unknown command and unknown option" {
	culprit frobnicate
	complains 2 "culprit: unknown command 'frobnicate'; see culprit help"
	culprit --frobnicate
	complains 2 "culprit: unknown option '--frobnicate'; see culprit help"
	for command in $commands; do
		culprit "$command" --frobnicate
		complains 2 "culprit $command: unknown option '--frobnicate'; see culprit help $command"
		culprit "$command" -Z
		complains 2 "culprit $command: unknown option '-Z'; see culprit help $command"
	done
}

@test "missing operands and values" {
	culprit run
	complains 2 "culprit run: no command given; see culprit help run"
	culprit run --
	complains 2 "culprit run: no command given; see culprit help run"
	culprit report
	complains 2 "culprit report: no bundle given; see culprit help report"
	culprit dump
	complains 2 "culprit dump: no bundle given; see culprit help dump"
	culprit dump a b
	complains 2 "culprit dump: more than one bundle given; see culprit help dump"
	culprit doctor now
	complains 2 "culprit doctor: 'now': no operand is expected; see culprit help doctor"
	culprit help frobnicate
	complains 2 "culprit help: no command 'frobnicate'; see culprit help"
	culprit run --markers
	complains 2 "culprit run: a value must follow '--markers'; see culprit help run"
	culprit report -o
	complains 2 "culprit report: a value must follow '-o'; see culprit help report"
	culprit run --quiet=1 true
	complains 2 "culprit run: this option takes no value: '--quiet=1'; see culprit help run"
}

@test "values that are none of an option's" {
	culprit run --markers sideways true
	complains 2 "culprit run: --markers 'sideways': expected auto|side|inline|off[:K]; see culprit help run"
	culprit run --records=1000 true
	complains 2 "culprit run: --records '1000': expected N; see culprit help run"
	for value in 256 -1 x 1x '' 99999999999999999999; do
		culprit run --fail-code "$value" true
		complains 2 "culprit run: --fail-code '$value': expected 0 to 255; see culprit help run"
	done
	culprit report --format yaml x
	complains 2 "culprit report: --format 'yaml': expected text|json; see culprit help report"
	culprit dump --file rings x
	complains 2 "culprit dump: --file 'rings': no such kind of file; see culprit help dump"
}

@test "a hostile option cannot steer the terminal" {
	culprit run $'--\e[2J'
	complains 2 "culprit run: unknown option '--?[2J'; see culprit help run"
}

# The options of a command as the source's table has them: the help and the page must know all.
options_of() {
	"$culprit" help "$1" | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+'
}

@test "help of each command, by both ways, lists its options" {
	for command in $commands; do
		culprit help "$command"
		[[ $status -eq 0 && $output == "usage: culprit $command "* && -z $stderr ]]
		by_help=$output
		culprit "$command" --help
		[[ $status -eq 0 && $output == "$by_help" ]]
		culprit "$command" -h
		[[ $status -eq 0 && $output == "$by_help" ]]
	done
	tables=$root/tools/commands.def
	for command in run report dump doctor; do
		[[ $(grep -c "^OPTION($command," "$tables") -ge 1 ]]
		while read -r flag; do
			options_of "$command" | grep -qx -- "--$flag"
		done < <(sed -n "s/^OPTION($command, [a-z_]*, \"\([a-z-]*\)\".*/\1/p" "$tables")
	done
	while read -r flag; do
		options_of run | grep -qx -- "--$flag"
	done < <(sed -n 's/^SETTING([a-z]*, "[A-Z_]*", "\([a-z]*\)".*/\1/p' "$root/shim/base/settings.def")
}

@test "the manual page lists every option, variable and exit status, and renders without a warning" {
	page=$build/share/man/man1/culprit.1
	[[ -s $page ]]
	for command in $commands; do
		grep -q "^\.SS culprit $command" "$page"
		while read -r option; do
			grep -qF -- "${option//-/\\-}" "$page"
		done < <(options_of "$command")
	done
	while read -r variable; do
		grep -qF "$variable" "$page"
	done < <(grep -o 'CULPRIT_[A-Z]*' "$root/shim/base/settings.def" | sort -u)
	while read -r number; do
		grep -qF "\\fB$number\\fR" "$page"
	done < <(sed -n 's/^EXIT_STATUS([A-Z_]*, \([0-9]*\),.*/\1/p' "$root/tools/exit_status.def")
	grep -qF '"n_suspects"' "$page"
	if command -v groff >/dev/null; then
		run --separate-stderr groff -man -ww -Tutf8 "$page"
		[[ $status -eq 0 && -z $stderr ]]
	fi
	if command -v mandoc >/dev/null; then
		run mandoc -Tlint -Wwarning "$page"
		echo "$output"
		[[ $status -eq 0 ]]
	fi
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

@test "run: a fatal signal of the command is culprit's own end" {
	for signal in TERM KILL SEGV ABRT INT; do
		culprit run sh -c "kill -$signal \$\$"
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
	read -rt 20 command_pid <>ready
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
	timeout 60 python3 - "$culprit" <<-'PY'
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
		                               f"echo $$ >&{tell}; exec sleep 100"])
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

@test "run: the library comes first, what was preloaded stays behind it" {
	culprit run sh -c 'echo "$LD_PRELOAD"'
	[[ $output == "$(realpath "$build/lib/libculprit.so")" ]]
	library=$output
	LD_PRELOAD=/lib/x86_64-linux-gnu/libm.so.6 culprit run sh -c 'echo "$LD_PRELOAD"'
	[[ $output == "$library:/lib/x86_64-linux-gnu/libm.so.6" ]]
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

@test "report: a failure is 0, none is 1" {
	"$make_bundle" failed failed
	"$make_bundle" clean clean
	culprit report failed
	[[ $status -eq 0 && -z $stderr && $output == "culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700) — exact: launch #7, math::scatter"* ]]
	culprit report clean
	[[ $status -eq 1 && -z $stderr && -n $output ]]
	culprit report failed clean
	[[ $status -eq 1 && $(grep -c '^culprit: ' <<<"$output") -eq 2 ]]
	culprit report --output out.txt failed
	[[ $status -eq 0 && -z $output ]]
	grep -q '^culprit: CUDA_ERROR' out.txt
}

@test "report: JSON of one bundle is an object, of several an array" {
	"$make_bundle" failed failed
	"$make_bundle" clean clean
	culprit report --format json failed
	[[ $status -eq 0 ]]
	python3 -c '
import json, sys
report = json.load(sys.stdin)
assert report["verdict"] == "exact" and report["format"] == 1, report
assert report["error"]["code"] == 700, report["error"]
assert report["n_suspects"] == 1
suspect = report["suspects"][0]
assert suspect["submission"] == 7 and suspect["kind"] == "launch"
assert suspect["kernel"] == "void math::scatter<float>(float*, float*)"
assert suspect["kernel_mangled"] == "_ZN4math7scatterIfEEvPT_S2_"
assert suspect["grid"] == [16, 1, 1] and suspect["block"] == [128, 1, 1]
assert suspect["arguments"][0]["hex"] == "4000000000700000"
assert suspect["arguments"][0]["allocation"]["offset"] == 64
assert [a["allocation"] and a["allocation"]["state"] for a in suspect["arguments"][:4]] == [
    "inside", "freed", "past", None]
assert suspect["stack"][1]["module"] == "/home/user/train"
assert suspect["stack"][1]["function"] is None and suspect["stack"][1]["problem"]
assert report["observer"]["call"] == "cuCtxSynchronize"
assert report["afterwards"] == {"cleanups": 31, "sticky": 1}
assert report["process"]["program"] == "train"
assert {"kind", "text"} <= set(report["evidence"][0])
' <<<"$output"
	culprit report -f json failed clean
	[[ $status -eq 1 ]]
	python3 -c '
import json, sys
reports = json.load(sys.stdin)
assert [r["verdict"] for r in reports] == ["exact", "unknown"]
assert reports[1]["error"] is None and reports[1]["reason"]
' <<<"$output"
}

@test "report: names that are not UTF-8 still make JSON" {
	"$make_bundle" failed failed
	python3 - <<-'PY'
		bytes = open("failed/strings", "rb").read().replace(b"Test GPU", b"T\xff\x1b\"\\GPU")
		open("failed/strings", "wb").write(bytes)
	PY
	culprit report --format json failed
	python3 -m json.tool <<<"$output" >/dev/null
	culprit report failed
	[[ $output != *$'\e'* && $output == *'GPU'* ]]
	culprit dump failed
	[[ $output != *$'\e'* && $output == *'GPU'* ]]
}

@test "dump: every table and record in one line each" {
	"$make_bundle" failed failed
	culprit dump failed
	[[ $status -eq 0 && -z $stderr ]]
	for word in string thread context stream function parameter stack module range failure ring-0; do
		grep -q "^$word [0-9]*: " <<<"$output"
	done
	grep -qE '^ring-0 [0-9]+: #7 submission .*kernel="_ZN4math7scatterIfEEvPT_S2_" grid=\(16,1,1\)' \
		<<<"$output"
	culprit dump --file streams failed
	[[ $(grep -vc '^#' <<<"$output") -eq 3 && $output != *ring-0* ]]
	culprit dump failed --file ring
	[[ $output == "# ring-0: "* && $output != *$'\n'stream* ]]
}

@test "not a bundle: nothing there, a file, an empty directory, someone else's directory" {
	touch file
	mkdir empty other
	echo '{"name": "other"}' >other/meta.json
	for command in report dump; do
		culprit "$command" missing
		complains 3 "culprit $command: missing: No such file or directory"
		culprit "$command" file
		complains 3 "culprit $command: file: is not a directory"
		culprit "$command" empty
		complains 3 "culprit $command: empty: not a bundle: meta.json is missing, and no journal can be read"
		culprit "$command" other
		complains 3 "culprit $command: other: not a bundle: meta.json is not about a bundle, and no journal can be read"
	done
	"$make_bundle" failed good
	culprit report empty good
	[[ $status -eq 3 && $output == "culprit: CUDA_ERROR"* ]]
	says "culprit report: empty: not a bundle*"
}

@test "a bundle of another version" {
	"$make_bundle" failed newer
	echo '{"culprit": "9.9.9", "format": 2}' >newer/meta.json
	culprit report newer
	complains 3 "culprit report: newer: a bundle of format 2, made by culprit 9.9.9; culprit $("$culprit" --version | cut -d' ' -f2) reads format 1"
	[[ -z $output ]]
	# One file that only a newer culprit can read: the rest is shown.
	"$make_bundle" failed partly
	printf '\001' | dd of=partly/ranges bs=1 seek=20 conv=notrunc status=none
	culprit report partly
	complains 4 "culprit report: partly/ranges: was written by an incompatible version of culprit"
	[[ $output == "culprit: CUDA_ERROR_ILLEGAL_ADDRESS"* ]]
}

@test "a truncated journal: what is whole is shown" {
	"$make_bundle" failed cut
	truncate -s $((64 + 128 * 14 + 50)) cut/ring-0
	culprit report cut
	complains 4 "culprit report: cut/ring-0: is cut short; its whole rows are used"
	[[ $output == "culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700)"* ]]
	culprit dump --file ring cut
	[[ $status -eq 4 && $(grep -vc '^#' <<<"$output") -eq 14 ]]
	truncate -s 10 cut/ring-0
	culprit report cut
	complains 4 "culprit report: cut/ring-0: is not a journal file, or is broken"
	[[ -n $output ]]
}

@test "files that are missing, swapped or no JSON" {
	"$make_bundle" failed bad
	rm bad/strings
	culprit report bad
	complains 4 "culprit report: bad/strings: is missing or unreadable; names are unknown"
	"$make_bundle" failed bad
	cp bad/streams bad/threads
	culprit report bad
	complains 4 "culprit report: bad/threads: holds another kind of file than its name says"
	"$make_bundle" failed bad
	echo '{"culprit": ' >bad/meta.json
	culprit report bad
	complains 4 "culprit report: bad/meta.json: is not valid JSON"
	rm bad/meta.json
	culprit report bad
	complains 4 "culprit report: bad/meta.json: is missing"
	[[ $output == "culprit: CUDA_ERROR_ILLEGAL_ADDRESS"* ]]
}

@test "links, pipes, sockets and directories among the files are refused" {
	"$make_bundle" failed linked
	mv linked/strings elsewhere
	ln -s ../elsewhere linked/strings
	rm linked/ranges linked/modules linked/stacks
	mkfifo linked/ranges
	mkdir linked/modules
	python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("linked/stacks")'
	run --separate-stderr timeout 20 "$culprit" report linked
	[[ $status -eq 4 && -n $output ]]
	says "culprit report: linked/strings: is a symbolic link, which culprit does not follow"
	says "culprit report: linked/ranges: is not a regular file"
	says "culprit report: linked/modules: is not a regular file"
	says "culprit report: linked/stacks: is not a regular file"
	ln -s linked link
	culprit report link
	complains 3 "culprit report: link: is a symbolic link, which culprit does not follow"
	"$make_bundle" failed meta
	mv meta/meta.json elsewhere
	ln -s ../elsewhere meta/meta.json
	culprit report meta
	complains 4 "culprit report: meta/meta.json: is a symbolic link, which culprit does not follow"
}

@test "files too large to be true" {
	"$make_bundle" failed huge
	truncate -s 1T huge/ring-7 huge/ranges
	culprit report huge
	[[ $status -eq 4 && $output == "culprit: CUDA_ERROR_ILLEGAL_ADDRESS"* ]]
	says "culprit report: huge/ring-7: is larger than a bundle can be"
	says "culprit report: huge/ranges: is larger than a bundle can be"
}

# Root reads everything, unless it gives that up.
unprivileged() {
	if [[ $EUID -eq 0 ]]; then
		run --separate-stderr setpriv --bounding-set=-dac_override,-dac_read_search "$@"
	else
		run --separate-stderr "$@"
	fi
}

@test "an unreadable directory and unreadable files" {
	"$make_bundle" failed closed
	chmod 000 closed
	unprivileged "$culprit" report closed
	chmod 700 closed
	complains 3 "culprit report: closed: Permission denied"
	chmod 000 closed/stacks
	unprivileged "$culprit" report closed
	complains 4 "culprit report: closed/stacks: Permission denied"
}

@test "a hostile journal neither crashes nor hangs any command" {
	"$make_bundle" failed seed
	python3 - "$culprit" <<-'PY'
		import os, random, shutil, subprocess, sys
		names = sorted(name for name in os.listdir("seed") if name != "meta.json")
		for seed in range(60):
		    random.seed(seed)
		    shutil.rmtree("hostile", ignore_errors=True)
		    shutil.copytree("seed", "hostile")
		    for name in random.sample(names, 3):
		        data = bytearray(open("hostile/" + name, "rb").read())
		        used = min(len(data), 4096)
		        for _ in range(random.choice([1, 4, 64])):
		            data[random.randrange(used)] = random.choice([0, 1, 0x7f, 0xff, random.randrange(256)])
		        open("hostile/" + name, "wb").write(data)
		    for command in (["report"], ["report", "--format", "json"], ["dump"]):
		        done = subprocess.run([sys.argv[1], *command, "hostile"], timeout=20,
		                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
		        assert done.returncode in (0, 1, 3, 4), (seed, command, done)
		        assert b"\x1b" not in done.stdout + done.stderr, (seed, command)
	PY
}

@test "an output that cannot be written is not a success" {
	"$make_bundle" failed failed
	run --separate-stderr bash -c "'$culprit' report failed >/dev/full"
	complains 6 "culprit report: standard output: No space left on device"
	run --separate-stderr bash -c "'$culprit' dump failed >/dev/full"
	complains 6 "culprit dump: standard output: No space left on device"
	run --separate-stderr bash -c "'$culprit' help run >/dev/full"
	complains 6 "culprit help: standard output: cannot write"
	culprit report --output /nonexistent/out failed
	complains 6 "culprit report: /nonexistent/out: No such file or directory"
}

# The loader must find no driver, whatever this machine has.
without_driver() {
	mkdir -p no-driver
	echo 'this is no library' >no-driver/libcuda.so.1
	LD_LIBRARY_PATH=$PWD/no-driver culprit "$@"
}

@test "doctor: a machine without a driver gets advice, and status 5" {
	without_driver doctor
	[[ $status -eq 5 && $output == *"  fail  driver"*"-> install NVIDIA's driver"* ]]
	[[ $output == *"  ok    doors       calls of linked programs reach culprit"* ]]
	[[ $output == *"culprit cannot name a launch here"* ]]
	without_driver doctor --format json
	[[ $status -eq 5 ]]
	python3 -c '
import json, sys
answer = json.load(sys.stdin)
assert answer["works"] is False
states = {check["name"]: check["state"] for check in answer["checks"]}
assert states["driver"] == "fail" and states["library"] == "ok", states
' <<<"$output"
}

@test "doctor: all is well on simcuda" {
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 ]] || skip "no simcuda in this build"
	mkdir scratch
	TMPDIR=$PWD/scratch LD_LIBRARY_PATH=$simcuda culprit doctor --dir .
	echo "$output"
	[[ $status -eq 0 && $output != *"  fail "* ]]
	for way in "of linked programs" "found by dlsym" "found by cuGetProcAddress"; do
		[[ $output == *"ok    doors       calls $way reach culprit"* ]]
	done
	[[ $output == *"ok    recording"* && $output == *"ok    markers"* ]]
	[[ -z $(ls scratch) ]]
}

@test "doctor: settings and surroundings that limit culprit are named" {
	CULPRIT_MARKERS=sideways CUDA_DEVICE_MAX_CONNECTIONS=1 CULPRIT_DIR=/nonexistent without_driver \
		doctor
	[[ $output == *"warn  settings    CULPRIT_MARKERS='sideways'"* ]]
	[[ $output == *"warn  environment CUDA_DEVICE_MAX_CONNECTIONS=1"* ]]
	[[ $output == *"warn  bundles     /nonexistent: No such file or directory"* ]]
	CULPRIT_LIBRARY=/nonexistent without_driver doctor
	[[ $status -eq 5 && $output == *"  fail  library"* ]]
}

# A real failure on the simulated driver, in a program of our own place.
fail_on_simcuda() {
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 && -x $build/bin/corpus ]] || skip "no simcuda in this build"
	cp "$build/bin/corpus" program
	LD_LIBRARY_PATH=$simcuda culprit run "$@" -- ./program \
		--kernels "$build/lib/simcuda-kernels" stray_store
	[[ $status -eq 1 ]]
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

@test "report: of a program that was built anew since, no line is made up" {
	fail_on_simcuda --quiet
	cp "$culprit" program
	culprit report culprit-program-*
	[[ $status -eq 0 ]]
	complains 0 "culprit report: $(realpath program): the file has changed since (its build-id differs); its lines are not shown"
	[[ $output == *"  launched from   program+0x"* && $output != *.c:[0-9]* ]]
	rm program
	culprit report culprit-program-*
	[[ $status -eq 0 && $output == *"  launched from   program+0x"* ]]
}
