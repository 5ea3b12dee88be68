#!/usr/bin/env bats
# Failing system calls, signals, and what a host sees after a failure.

load robust

# with_calls FAIL_CALL SCENARIO: that call of culprit's fails or is interrupted. The host must not
# notice, and every statement about launches must be right.
with_calls() {
	local status=0
	rm -f met
	FAIL_MET=$PWD/met FAIL_CALL=$1 LD_PRELOAD="$build/lib/libfailing_calls.so $shim" \
		timeout -k 1 300 "$robust" "$2" >under.out 2>under.err || status=$?
	if ((status != plain_status)) || ! diff plain.out under.out; then
		echo "$1: status $status"
		cat under.err
		return 1
	fi
	if grep -E '— (exact|likely)' under.err | grep -v stray_store; then
		echo "$1: a wrong verdict"
		return 1
	fi
	# If a call failed by which the host waits, the process aside may still write there.
	until rm -rf bundles/* 2>/dev/null; do :; done
}

# The first mmap is for the driver's table of functions, without which there is no driver.
@test "a system call of culprit's fails, once or from then on: the host does not notice" {
	local wrong=0
	plain fault
	for call in mmap open fallocate mkdir realpath madvise read write readlink fstat \
		getrlimit pthread_key_create pthread_setspecific pthread_create \
		openat unlinkat symlinkat clone waitpid; do
		for n in $(printf '%s\n' 1 2 4 9 | some_lines); do
			[[ $call$n != mmap1 ]] || continue
			with_calls "$call:$n-$n:12" fault || wrong=1
			[[ -e met ]] || break # there are no more such calls
			with_calls "$call:$n-99999:12" fault || wrong=1
		done
	done
	export TORCHELASTIC_ERROR_FILE=$PWD/error.json
	with_calls link:1-9:17 fault || wrong=1
	[[ ! -e error.json ]]
	((wrong == 0))
}

@test "a call that removes a sound program's bundle fails: the host does not notice" {
	plain clean
	for call in rename unlinkat rmdir; do
		with_calls "$call:1-1:12" clean
		with_calls "$call:1-99999:12" clean
	done
	# Names that cannot be renamed are removed in place.
	FAIL_CALL=rename:1-1:12 FAIL_MET=met LD_PRELOAD="$build/lib/libfailing_calls.so $shim" \
		timeout -k 1 300 "$robust" clean
	[[ -e met ]]
	bundles 0
}

# A function in neither list is new: say whether it can fail, and have fail-each try it.
@test "every C library function that culprit uses fails in a test, or cannot" {
	local cannot='__cxa_finalize|__errno_location|_r_debug|(__progname|program_invocation_short_name)
		_ITM_.*|__gmon_start__|__stack_chk_fail|.*_chk
		mem[a-z]*|str[a-z]*|v?snprintf|sig(add|empty|fill)set|sigismember|(secure_)?getenv|getauxval|getpid|getppid|gettid|geteuid|unshare
		clock_gettime|prctl|sigaltstack|sysconf|syscall|pthread_(once|setcancelstate|sigmask|attr_[a-z]+)
		pthread_mutex_(init|lock|trylock|unlock)|dl_iterate_phdr
		sched_yield|regexec|strerror_r|dladdr1|signal|__isoc[0-9]*_sscanf'
	nm -D --undefined-only "$shim" | awk '{ print $NF }' | cut -d@ -f1 | sort >taken
	grep -ohE '(CALL|TRANSFER)\([^()]*|^__attribute__.* (open|openat|clone|close|fcntl)\(' \
		"$root/tests/robust/preloads/failing_calls.c" | grep -oE '[a-z_0-9]+' | sort -u >fails
	comm -23 taken fails | grep -Exv "$(tr -s '[:space:]' '|' <<<"${cannot%$'\n'}" | sed 's/|$//')" \
		>new || true
	cat new
	[[ $(wc -l <taken) -gt 50 && ! -s new ]]
}

# Whatever is asked of the loader's list and not found, as _dl_find_object in a C library of before
# 2.35: the first two say where the driver is.
@test "a C library that lacks what culprit looks for in it: the host does not notice" {
	plain fault
	for n in 3 4 5 6 7 8; do
		with_calls "dl_iterate_phdr:$n-$n:12" fault
	done
}

@test "growing a file is interrupted by signals: nothing is lost" {
	plain fault
	FAIL_CALL=fallocate:1-9:4 LD_PRELOAD="$build/lib/libfailing_calls.so $shim" \
		"$robust" fault >under.out 2>under.err || true
	verdict "exact: launch #5001, stray_store"
	warnings 0
	(($("$culprit" dump -F ring bundles/* | grep -c 'submission call="cuLaunchKernel') == 5001))
}

# with_clock ODDITY SCENARIO VERDICT: the clock is culprit's alone.
with_clock() {
	plain "$2"
	status=0
	ODD_CLOCK=$1 LD_PRELOAD="$build/lib/libodd_clock.so $shim" timeout -k 1 300 "$robust" "$2" \
		>under.out 2>under.err || status=$?
	echo "$1 $2: $status"
	cat under.err
	((status == plain_status))
	diff plain.out under.out
	verdict "$3"
}

# The copy waits for a launch that must be let pass in time, by whatever clock.
@test "a clock that stops, jumps or runs backwards: no hang, no wrong verdict" {
	for clock in stops backwards ahead jumps; do
		with_clock $clock fault "((exact|likely): launch #5001, stray_store|narrowed)"
	done
	for clock in ahead jumps; do
		with_clock $clock copy_that_waits_for_a_launch "exact: launch #10, stray_store"
	done
}

@test "a signal handler makes calls inside of culprit's calls: no deadlock, no wrong verdict" {
	local wrong=0
	plain interrupted
	for call in mmap open fallocate mkdir madvise read write fstat getrlimit \
		pthread_key_create pthread_setspecific dl_iterate_phdr; do
		with_calls "$call:1-99999:signal" interrupted || wrong=1
		grep -q '^[1-9][0-9]* signals' under.err || wrong=1
	done
	((wrong == 0))
}

@test "a signal handler records an event inside of culprit's calls: nothing is believed of it" {
	plain event_in_handler
	with_calls dl_iterate_phdr:1-99999:signal event_in_handler
	verdict "(narrowed|unknown)"
}

# An order for simcuda: each call fails the first time, except calls that cause the failure. It
# leaves out calls that culprit makes itself too, because they would use up the turn.
refuse_every_call() {
	local used
	used=$(grep -roh --include=*.c 'real\.cu[A-Za-z0-9_]*' "$root/shim" | cut -d. -f2
		echo cuInit cuDeviceGet cuDevicePrimaryCtxRetain cuCtxSetCurrent cuModuleLoad \
			cuModuleGetFunction cuMemAlloc_v2 cuLaunchKernel cuCtxSynchronize cuMemFree_v2)
	awk -F'[(,]' -v used=" ${used//$'\n'/ } " '
		/^DRIVER_CALL/ && !index(used, " " $2 " ") { printf "%s%s:1:700", comma, $2; comma = "," }
	' "$root/core/base/driver_calls.def"
}

@test "the stack of a call that sees the failure is whole, also from a frame that only its pointer leads out of" {
	SIMCUDA_INJECT=cuMemGetInfo_v2:1:700:sticky CULPRIT_REPORT=full under seen_by_a_question
	((status == 0))
	grep "seen by  *cuMemGetInfo_v2 from " under.err
	lacks "outer frames not known" under.err
}

@test "after a failure cleanup calls succeed and are counted, no other call's result changes" {
	local n
	SIMCUDA_INJECT=cuInit:9999:1,$(refuse_every_call),cuInit:9999:1
	export SIMCUDA_INJECT
	plain every_call_afterwards
	under every_call_afterwards
	((status == plain_status))
	n=$(grep -c '^cleanup .*: 700' plain.out)
	((n > 35 && $(grep -c '^keep .*: 700' plain.out) > 500))
	diff <(sed '/^cleanup/s/: 700$/: 0/' plain.out) under.out
	"$culprit" dump -F failure bundles/*
	"$culprit" dump -F failure bundles/* | grep -q " cleanups=$n "
	(($("$culprit" dump -F ring bundles/* | grep -c ' cleanup call=') == n))
	CULPRIT_CLEANUP=real unharmed every_call_afterwards
}

@test "the failed code's text names the culprit, where that is wanted" {
	unharmed error_texts
	plain error_texts
	CULPRIT_ANNOTATE=on under error_texts
	verdict "exact: launch #1, stray_store"
	diff <(sed '/^after/s/$/ (culprit: stray_store, exact)/' plain.out) under.out
}

# runtimes NAME...: the libraries whose runtimes are asked for their texts.
runtimes() {
	ROBUST_RUNTIMES=$(printf "$build/lib/runtimes/libruntime_user_%s.so:" "$@")
	export ROBUST_RUNTIMES
}

# annotated: the failed code's texts, and no others, end with the culprit's name, and everything
# else is the same as without culprit.
annotated() {
	unharmed runtime_texts
	CULPRIT_ANNOTATE=off under runtime_texts
	diff plain.out under.out
	CULPRIT_ANNOTATE=on under runtime_texts
	verdict "exact: launch #1, stray_store"
	diff <(sed '/^after/{ s/ (its own)$//; s/$/ (culprit: stray_store, exact)/ }' plain.out) under.out
}

@test "the runtime's text names the culprit, whichever library asks its own runtime" {
	runtimes 13
	annotated
	(($(grep -c '^after: 700: 13: bad address (culprit: stray_store, exact)$' under.out) == 1))
	runtimes 12 13
	annotated
	grep -qx 'after: 700: 12: bad address (culprit: stray_store, exact)' under.out
	grep -qx 'after: 700: 13: bad address (culprit: stray_store, exact)' under.out
	runtimes 13 12
	annotated
}

@test "the runtime's text: a runtime inside a library answers for it" {
	runtimes 13 static
	annotated
	grep -qx 'after: 700: static: bad address (culprit: stray_store, exact)' under.out
}

@test "the runtime's text: a process without a runtime sees none" {
	annotated
	(($(grep -c ': none$' under.out) == 6))
	lacks 'a text' under.out
}

@test "the runtime's text: the toolkit's own runtime" {
	local toolkit=$build/lib/runtimes/toolkit/libruntime_user_toolkit.so
	[[ -e $toolkit ]] || skip "there is no shared libcudart"
	runtimes 12
	ROBUST_RUNTIMES+=$toolkit
	annotated
	grep -qx 'after: 700: an illegal memory access was encountered (culprit: stray_store, exact)' under.out
}

@test "cuEventCheckError before, at and after the failure" {
	under event_status
	diff - under.out <<-END
		synchronised: 0
		busy: 600
		never recorded: refused with 400, untouched
		null: refused with 400, untouched
		flags: 1
		no result: 1
		no longer busy: 0
		cuStreamSynchronize 700
		before the bad launch: 0
		after the bad launch: 700
		synchronised, afterwards: 0
	END
}

# Like a dump that appears when the last call has returned success.
@test "GPU core dumps: a fault that no call reported is reported at exit, and by its status" {
	export CULPRIT_COREDUMP=on SIMCUDA_COREDUMP=gone SIMCUDA_COREDUMP_GROW_MS=300
	export CORE_PATTERN="$CULPRIT_DIR/culprit-robust-*/core.nvcudmp"
	under exit_unknowing
	((status == 0))
	grep -q "^culprit: the GPU failed, but no CUDA call reported it .*\`culprit report $CULPRIT_DIR/culprit-robust-" \
		under.err
	bundles 1
	rm -r bundles/*
	status=0
	"$culprit" run --fail-code 99 --report report.txt -- "$robust" exit_unknowing 2>under.err || status=$?
	cat under.err report.txt
	((status == 99))
	grep -q '^culprit: CUDA_ERROR_ILLEGAL_ADDRESS (700) — likely: launch #101, stray_store' report.txt
	grep -q 'the process ended before it saw an error' under.err
	# If the dump stays cut short, all that is known is that it was started.
	rm -r bundles/*
	status=0
	SIMCUDA_COREDUMP=gone,cut "$culprit" run --fail-code 99 -- "$robust" exit_unknowing 2>under.err || status=$?
	cat under.err
	((status == 99))
	grep -q '^culprit run: .*: the GPU failed, and the core dump does not tell of what$' under.err
	lacks 'did not fail' under.err
}

# observer SCENARIO: leaves $observer, the handle of the stream that the observing call was about, or
# "none", and $stream and $other, the streams' handles as the program has them.
observer() {
	under "$1"
	((status == 1))
	verdict '(exact|likely|narrowed): .*stray_store'
	"$culprit" report --format json bundles/* >report.json || true
	"$culprit" dump --file streams bundles/* >streams
	observer=$(python3 -S -c '
import json, re
stream = json.load(open("report.json"))["observer"]["stream"]
rows = re.findall(r"^stream (\d+): handle=(\S+)", open("streams").read(), re.M)
print(dict(rows)[str(stream)] if stream else "none")')
	echo "$1: $observer"
	cat streams
	rm -r bundles/*
	stream=$(sed -n 's/^stream \(0x[0-9a-f]*\) .*/\1/p' under.out)
	other=$(sed -n 's/^stream .* other \(0x[0-9a-f]*\)$/\1/p' under.out)
}

@test "the stream of the call that sees a failure is reported, if it has one" {
	observer seen_by_sync
	[[ $observer == "$stream" ]]
	observer seen_by_query
	[[ $observer == "$stream" ]]
	observer seen_by_launch
	[[ $observer == "$other" ]]
	observer seen_by_allocation
	[[ $observer == "$other" ]]
	observer seen_by_copy
	[[ $observer == 0x0 ]]
	observer seen_by_context
	[[ $observer == none ]]
}

# judged FILE: of a verdict its first line, the evidence and what was in flight.
judged() {
	sed -n '/^culprit:/p; /^  evidence/,/^  [abhnp][a-z]* /{/^  [abhnp][a-z]* /!p}' "$1"
}

# simcuda invents a failure and continues, as another device does. The rings are full then.
@test "objects destroyed or made after the failure do not change the verdict" {
	local scheme records
	export SIMCUDA_INJECT=cuCtxSynchronize:1:700,cuMemGetInfo_v2:1:700
	for scheme in off inline side; do
		for records in 64 65536; do
			rm -rf bundles/*
			CULPRIT_MARKERS=$scheme CULPRIT_RECORDS=$records unharmed work_afterwards
			verdict "exact: launch #13, ncclDevKernel_Generic_4"
			"$culprit" report bundles/* >report.txt
			grep -q '^  in flight .* done, >>#13 culprit<<, #14 not started' report.txt
			diff <(judged under.err) <(judged report.txt)
		done
	done
}

@test "a launch that the driver refuses is journaled as a rejection, with what it was" {
	local wanted='^ring-[0-9]+ [0-9]+: #[0-9]+ rejection call="cuLaunchKernel" .* ordinal=0 .*'
	wanted+=' result=1 kernel="fill" grid=\(4,1,1\) block=\(2048,1,1\)'
	CULPRIT_KEEP=always LD_PRELOAD=$shim "$build/bin/corpus" too_many_threads
	"$culprit" dump --file ring bundles/* >rings
	cat rings
	(($(grep -c ' rejection ' rings) == 1))
	grep -Eq -- "$wanted" rings
	# Under the number that the submission would have had.
	[[ $(sed -n 's/.*: \(#[0-9]*\) rejection .*/\1/p' rings) == \
		$(sed -n 's/.*: \(#[0-9]*\) submission .*block=(2048,.*/\1/p' rings) ]]
}

@test "a program hears that the driver refuses a launch, be it the kernel's first or a later one" {
	for n in {1..6}; do
		export SIMCUDA_INJECT=cuLaunchKernel:$n:1
		"$build/bin/corpus" ok >native 2>&1 || true
		CULPRIT_QUIET=1 LD_PRELOAD=$shim "$build/bin/corpus" ok >under 2>&1 || true
		echo "launch $n"
		diff native under
		cat native >>heard
	done
	[[ $(grep -c ' returned 1$' heard) -ge 2 ]]
}

@test "after a failure nothing is journaled as a rejection" {
	SIMCUDA_INJECT=cuInit:9999:1,$(refuse_every_call),cuInit:9999:1 under every_call_afterwards
	"$culprit" dump --file ring bundles/* >rings
	lacks ' rejection ' rings
}
