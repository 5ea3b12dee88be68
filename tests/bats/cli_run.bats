#!/usr/bin/env bats
# `culprit run`: what it passes on, what it adds, and that otherwise it is not noticed. These tests
# need no driver, except the last one.

load cli

# A bundle with a failure of the run that is under way, as the library would leave it.
write_failing_program() {
	cat >fail.sh <<-SH
		#!$(type -P sh)
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
@test "run: culprit dies of the command's fatal signal" {
	for signal in TERM KILL SEGV ABRT INT; do
		run --separate-stderr env --default-signal "$culprit" run sh -c "kill -$signal \$\$"
		[[ $status -eq $((128 + $(kill -l "$signal"))) ]]
	done
}

# Bash makes a command in the background ignore SIGINT and SIGQUIT; python restores both.
start_waiting_command() {
	mkfifo ready
	python3 -S - "$culprit" <<-'PY' &
		import os, signal, sys
		for number in (signal.SIGINT, signal.SIGQUIT):
		    signal.signal(number, signal.SIG_DFL)
		script = """
		import os, signal
		wanted = [signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM,
		          signal.SIGINT, signal.SIGQUIT]
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
	read -rt 300 _ <>ready
}

@test "run: signals sent to culprit reach the command" {
	for signal in TERM HUP USR1 USR2 ALRM INT QUIT; do
		rm -f ready
		start_waiting_command >got
		kill "-$signal" "$runner"
		status=0
		wait "$runner" || status=$?
		[[ $status -eq 9 && $(<got) == "SIG$signal" ]]
	done
}

# A shell makes what it starts in the background ignore both signals.
@test "run: an interrupt is passed on, once, also where culprit was started with it ignored" {
	for ignored in "" "trap '' INT QUIT;"; do
		cat >counts.py <<-'PY'
			import os, signal, sys
			n = 0
			def count(number, frame):
			    global n
			    n += 1
			signal.signal(signal.SIGINT, count)
			signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(10 + n))
			os.kill(os.getppid(), signal.SIGINT)
			while not n:
			    signal.pause()
			os.kill(os.getppid(), signal.SIGTERM)
			while True:
			    signal.pause()
		PY
		status=0
		env --default-signal bash -c "$ignored exec '$culprit' run python3 counts.py" || status=$?
		[[ $status -eq 11 ]]
	done
}

# A terminal of its own with culprit in its foreground, as a shell with job control has it: Ctrl-Z
# stops culprit and the command, SIGCONT continues both, Ctrl-C reaches the command.
@test "run: job control and the terminal's keys" {
	timeout 300 python3 -S - "$culprit" <<-'PY'
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
	need_preload ./program
	# Its runtime must be first in the list of libraries; the order itself does no harm.
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
		says "culprit run: '*$name/libculprit.so': LD_PRELOAD cannot hold ' ', ':' or '$' in a path*"
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

@test "run: the bundle directory is absolute for the command, and is made" {
	culprit run --dir there sh -c 'cd /; echo "$CULPRIT_DIR"'
	[[ $output == "$(realpath there)" && -d there ]]
	culprit run --dir a//b/c/ true
	[[ $status -eq 0 && -d a/b/c ]]
	culprit run --dir /proc/elsewhere true
	complains 125 "culprit run: bundle directory '/proc/elsewhere': No such file or directory"
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
	need_preload sh
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
}

@test "run: --report is opened before the command starts; an earlier run's report is removed" {
	write_failing_program
	culprit run --report /nonexistent/report.txt touch started
	complains 125 "culprit run: /nonexistent/report.txt: No such file or directory"
	culprit run --report . touch started
	complains 125 "culprit run: .: Is a directory"
	[[ ! -e started ]]
	run --separate-stderr bash -c "exec '$culprit' run -o - touch started >&-"
	complains 125 "culprit run: standard output: Bad file descriptor"
	echo old >report.txt
	culprit run -o report.txt cat report.txt
	[[ $status -eq 0 && -z $output && -e report.txt && ! -s report.txt ]]
	echo old >report.txt
	culprit run -o report.txt ./fail.sh
	[[ $(head -n 1 report.txt) == 'culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700)'* ]]
	culprit -127 run -o never.txt no-such-command-anywhere
	[[ $status -eq 127 && ! -e never.txt ]]
	plain=$(sh -c 'ls /proc/self/fd' 5</dev/null)
	[[ $plain == "$("$culprit" run -o never.txt sh -c 'ls /proc/self/fd' 5</dev/null)" ]]
}

@test "run: --report - is standard output, --append keeps what is there" {
	write_failing_program
	culprit run -o - sh -c 'echo first; ./fail.sh'
	[[ $status -eq 0 && ${lines[0]} == first ]]
	[[ ${lines[1]} == 'culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700)'* ]]
	culprit run -o - true
	[[ $status -eq 0 && -z $output && -z $stderr ]]
	echo old >report.txt
	for round in 1 2; do
		culprit run -o report.txt --append ./fail.sh
		[[ $(head -n 1 report.txt) == old ]]
		[[ $(grep -c '^culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700)' report.txt) -eq $round ]]
	done
	culprit run -o report.txt --append true
	[[ $(head -n 1 report.txt) == old ]]
	culprit run -o never.txt --append true
	[[ ! -e never.txt ]]
}

@test "run: a report that its file has no room for goes to standard error" {
	write_failing_program
	culprit run -o /dev/full --fail-code 77 ./fail.sh
	[[ $status -eq 77 ]]
	says 'culprit run: /dev/full: No space left on device'
	[[ $(grep -c '^culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700)' <<<"$stderr") -eq 1 ]]
}

@test "run: of two processes that failed equally one is reported, and the other named" {
	write_failing_program
	culprit run sh -c './fail.sh; ./fail.sh'
	[[ $(grep -c '^culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700)' <<<"$stderr") -eq 1 ]]
	says 'culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700)*] and 1 more process'
	says '  the same in     pid 1234: ./culprit-fail-*'
}

# headlines FILE: print how many headlines of a verdict the file has.
headlines() {
	grep -c '^culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700)' "$1" || true
}

# It exits when the line is there, and not before. A minute is enough for a busy machine.
@test "run: if the command keeps running, the first line comes while it runs" {
	fail_on_simcuda
	cat >runs-on.sh <<-'END'
		"$@"
		timeout 60 sh -c 'until grep -q "^culprit: CUDA_ERROR" told; do sleep 0.1; done' || exit 9
		echo seen >&2
	END
	LD_LIBRARY_PATH=$simcuda "$culprit" run -- sh runs-on.sh ./program \
		--kernels "$build/lib/simcuda-kernels" stray_store 2>told
	[[ $(headlines told) -eq 2 && $(headlines <(sed '/^seen$/,$d' told)) -eq 1 ]]
}

# culprit is stopped meanwhile: it hears of the verdict and of the exit in one moment, however busy the machine is.
@test "run: if the command exits after its failure, the first line comes once, with the report" {
	fail_on_simcuda
	cat >stops.sh <<-'END'
		kill -STOP $PPID
		"$@"
		(until grep -q '^State:.Z' /proc/$$/status; do sleep 0.05; done; kill -CONT $PPID) &
		exit 3
	END
	status=0
	LD_LIBRARY_PATH=$simcuda timeout 60 "$culprit" run -- sh stops.sh ./program \
		--kernels "$build/lib/simcuda-kernels" stray_store >out 2>told || status=$?
	[[ $status -eq 3 && $(headlines told) -eq 1 ]]
}

@test "run: with --report the first line is still printed, with --quiet it is not" {
	fail_on_simcuda --report report.txt
	[[ ${#stderr_lines[@]} -eq 1 && $stderr == "$(head -n 1 report.txt)" ]]
	fail_on_simcuda --quiet
	[[ -z $stderr ]]
}

@test "run: if the command cannot be notified, the library writes the first line" {
	fail_on_simcuda
	CULPRIT_RUN=1.1.0.99 LD_PRELOAD=$build/lib/libculprit.so LD_LIBRARY_PATH=$simcuda ./program \
		--kernels "$build/lib/simcuda-kernels" stray_store 2>told >/dev/null || [[ $? -eq 1 ]]
	[[ $(wc -l <told) -eq 1 && $(headlines told) -eq 1 ]]
}

@test "run: the report has the source lines of the launch" {
	fail_on_simcuda
	grep -qE '^  launched from   [a-z_]+\.c:[0-9]+ ' <<<"$stderr"
	culprit report --format json culprit-program-*
	python3 -S -c '
import json, sys
report = json.load(sys.stdin)
stack = report["suspects"][0]["stack"]
assert any(f["function"] == "main" and f["file"].endswith("main.c") and f["line"] for f in stack), stack
' <<<"$output"
}

@test "run: --stack-check takes every stack in other ways, with the same result" {
	fail_on_simcuda --stack-check 1
	[[ $stderr != *"self-check"* ]]
	culprit dump culprit-program-*
	grep -qE '^stack-check 1: checks=[1-9][0-9]* unlike_full=0 unlike_other=0 first=0$' <<<"$output"
	culprit report --format json culprit-program-*
	[[ $output == *'"unlike_full_walk": 0'* ]]
}

# As a makefile's recipe or a test's script has it.
@test "run: a run within a run reports to the outer one, in whatever way its own report goes" {
	fail_on_simcuda
	export LD_LIBRARY_PATH=$simcuda
	fail=(./program --kernels "$build/lib/simcuda-kernels" stray_store)
	for inner in "" "--quiet" "-o inner.txt" "-o -"; do
		# shellcheck disable=SC2086 # words are wanted
		culprit run -v --fail-code 77 "$culprit" run $inner --fail-code 66 "${fail[@]}"
		[[ $status -eq 77 ]]
		[[ $(grep -c '^  seen by' <<<"$stderr") -eq 1 ]]
		says 'culprit run: 1 process used the GPU: 22 submissions, 1 failure'
	done
	culprit run -o outer.txt --fail-code 77 "$culprit" run "$culprit" run --fail-code 66 "${fail[@]}"
	[[ $status -eq 77 && $(grep -c '^  seen by' <<<"$stderr") -eq 1 ]]
	[[ $(grep -c '^culprit: CUDA_ERROR' outer.txt) -eq 1 ]]
	culprit run --fail-code 77 sh -c '"$@"; ./program' - "$culprit" run --fail-code 66 true
	[[ $status -ne 77 ]]
}

@test "run: -v reports what there was, and that nothing used the GPU" {
	culprit run -v true
	complains 0 "culprit run: no process used the GPU"
	culprit run -v --quiet true
	[[ -z $stderr ]]
	fail_on_simcuda -v
	says 'culprit run: 1 process used the GPU: 22 submissions, 1 failure'
	LD_LIBRARY_PATH=$simcuda culprit run --verbose sh -c '"$@" ok && "$@" ok' - \
		./program --kernels "$build/lib/simcuda-kernels"
	says 'culprit run: 2 processes used the GPU: * submissions, 0 failures'
	[[ ${#stderr_lines[@]} -eq 1 ]]
}

# Python's workers leave by os._exit or are terminated, and no library of theirs hears of it.
@test "run: workers of a healthy program leave nothing, however they start and exit" {
	need_preload python3
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 ]] || skip "no simcuda in this build"
	cat >workers.py <<-'PY'
		import ctypes, multiprocessing, os, signal, sys, time

		def use_gpu(end):
		    driver = ctypes.CDLL("libcuda.so.1")
		    context, data = ctypes.c_void_p(), ctypes.c_uint64()
		    assert driver.cuInit(0) == 0
		    assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
		    assert driver.cuCtxSetCurrent(context) == 0
		    assert driver.cuMemAlloc_v2(ctypes.byref(data), 4096) == 0
		    assert driver.cuMemsetD8Async(data, 0, 4096, None) == 0
		    assert driver.cuCtxSynchronize() == 0
		    end.set()
		    time.sleep(1000 if sys.argv[2] == "terminate" else 0)

		if __name__ == "__main__":
		    method = multiprocessing.get_context(sys.argv[1])
		    ends = [method.Event() for _ in range(3)]
		    workers = [method.Process(target=use_gpu, args=(end,)) for end in ends]
		    for worker in workers:
		        worker.start()
		    for end in ends:
		        end.wait()
		    for worker in workers:
		        if sys.argv[2] == "terminate":
		            worker.terminate()
		        worker.join()
	PY
	for method in fork spawn forkserver; do
		for end in end terminate; do
			LD_LIBRARY_PATH=$simcuda culprit run -v --dir bundles python3 workers.py $method $end
			complains 0 "culprit run: 3 processes used the GPU: 3 submissions, 0 failures"
			settle_in bundles
			[[ -z $(ls bundles) ]]
		done
	done
}

@test "run: a directory of its own by placeholders" {
	RANK=7 JOB=night culprit run --dir 'of %q{JOB}/rank-%r/%p%%' sh -c 'cd / && echo "$CULPRIT_DIR $PPID"'
	read -r of rank pid <<<"$output"
	[[ $status -eq 0 && "$of $rank" == "$PWD/of night/rank-7/$pid%%" && -d "of night/rank-7/$pid%" ]]
	culprit run --dir 'a%z' true
	complains 125 "culprit run: --dir 'a%z': expected DIRECTORY; see culprit help run"
	fail_on_simcuda --quiet --dir '100%%'
	[[ -d $(echo 100%/culprit-program-*) ]]
	# And by the library alone, whose process it is then.
	mkdir alone
	LD_LIBRARY_PATH=$simcuda LD_PRELOAD=$build/lib/libculprit.so CULPRIT_DIR='alone/%q{NONE}' \
		run ./program --kernels "$build/lib/simcuda-kernels" stray_store
	[[ -d $(echo alone/culprit-program-*) ]]
	CULPRIT_DIR='al%q{REST}' REST=one culprit list --format tsv
	[[ $status -eq 0 && ${#lines[@]} -eq 2 ]]
}

@test "run: a run that should use CUDA and does not" {
	culprit run --require-cuda true
	complains 9 "culprit run: no process used the GPU with the library in it (--require-cuda); see culprit doctor"
	culprit run --require-cuda sh -c 'exit 3'
	[[ $status -eq 3 && -z $stderr ]]
	fail_on_simcuda --require-cuda
	need_preload python3
	cat >use.py <<-'PY'
		import ctypes, os, sys
		driver = ctypes.CDLL("libcuda.so.1")
		context, data = ctypes.c_void_p(), ctypes.c_void_p()
		assert driver.cuInit(0) == 0
		if sys.argv[1] == "nothing":
		    raise SystemExit(0)
		assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
		assert driver.cuCtxSetCurrent(context) == 0
		assert driver.cuMemAlloc_v2(ctypes.byref(data), 4096) == 0
		assert driver.cuMemsetD8Async(data, 0, 4096, None) == 0
		assert driver.cuCtxSynchronize() == 0
		if sys.argv[1] == "leave":
		    os._exit(0)
	PY
	for end in end leave; do
		LD_LIBRARY_PATH=$simcuda culprit run --require-cuda python3 use.py $end
		[[ $status -eq 0 && -z $stderr ]]
	done
	LD_LIBRARY_PATH=$simcuda culprit run --require-cuda python3 use.py nothing
	[[ $status -eq 9 ]]
}
