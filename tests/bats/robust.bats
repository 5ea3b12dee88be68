#!/usr/bin/env bats
# Hosts that do odd things, on simcuda: whatever they do, they must run as without culprit, and the
# verdict must still be right. The hosts are in tests/robust; each test is named for what it proves.
# CULPRIT_BUILD names the build folder.

bats_require_minimum_version 1.5.0

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
build=${CULPRIT_BUILD:-$root/build}
shim=$build/lib/libculprit.so
culprit=$build/bin/culprit
robust=$build/bin/tests/robust

setup() {
	cd "$BATS_TEST_TMPDIR"
	unset "${!CULPRIT_@}" "${!SIMCUDA_@}" LD_PRELOAD DEBUGINFOD_URLS
	export LD_LIBRARY_PATH=$build/lib/simcuda
	export CULPRIT_DIR=$BATS_TEST_TMPDIR/bundles
	mkdir bundles
}

# plain ARGUMENT...: the host without culprit: leaves $plain_status and the file plain.out.
plain() {
	plain_status=0
	timeout -k 1 60 "$robust" "$@" >plain.out 2>plain.err || plain_status=$?
	((plain_status != 2 && plain_status < 124)) || cat plain.err
	((plain_status != 2))
}

# under ARGUMENT...: with the shim; leaves $status, under.out and under.err.
under() {
	status=0
	LD_PRELOAD=$shim timeout -k 1 60 "$robust" "$@" >under.out 2>under.err || status=$?
	echo "status $status"
	cat under.out under.err
}

# unharmed ARGUMENT...: the host runs under culprit, and its output and status are as without.
unharmed() {
	plain "$@"
	under "$@"
	((status == plain_status))
	diff plain.out under.out
}

# verdict PATTERN: stderr has one verdict, and it is that.
verdict() {
	(($(grep -c '^culprit: CUDA_ERROR' under.err) == 1))
	grep -Eq -- "^culprit: CUDA_ERROR_[A-Z_]* \([0-9]*\) — $1" under.err
}

# warnings N: so many lines of culprit's own on stderr, the verdict not counted.
warnings() {
	(($(grep '^culprit: ' under.err | grep -vc '^culprit: CUDA_ERROR') == $1))
}

# bundles N: so many bundles are left, each readable, in $CULPRIT_DIR.
bundles() {
	local bundle n=0
	for bundle in "$CULPRIT_DIR"/culprit-*; do
		[[ -d $bundle ]] || continue
		"$culprit" dump "$bundle" >/dev/null
		n=$((n + 1))
	done
	((n == $1)) || ls "$CULPRIT_DIR"
	((n == $1))
}

# lacks PATTERN FILE: no line matches (a bare "! command" cannot fail a test).
lacks() {
	if grep -E -- "$1" "$2"; then false; fi
}

# --- Files ---

@test "a fault leaves a verdict and a readable bundle; a clean run leaves nothing" {
	unharmed fault
	verdict "exact: launch #5001, stray_store"
	bundles 1
	rm -r bundles/*
	unharmed clean
	[[ ! -s under.err ]]
	bundles 0
}

@test "no directory: one warning, and the verdict comes from memory" {
	export CULPRIT_DIR=$BATS_TEST_TMPDIR/missing
	unharmed fault
	verdict "exact: launch #5001, stray_store"
	warnings 1
	unharmed clean
	warnings 1
	[[ ! -e missing ]]
}

@test "a directory that may not be written: one warning, and the verdict comes from memory" {
	# Nobody is kept from writing by modes who is root: a file is no directory for root either.
	touch file
	export CULPRIT_DIR=$BATS_TEST_TMPDIR/file
	unharmed fault
	verdict "exact: launch #5001, stray_store"
	warnings 1
	chmod 500 bundles
	export CULPRIT_DIR=$BATS_TEST_TMPDIR/bundles
	unharmed fault
	verdict "exact: launch #5001, stray_store"
	((EUID == 0)) || warnings 1
}

@test "a read-only file system: one warning, and the verdict comes from memory" {
	unshare -rm true || skip "needs a mount name space"
	plain fault
	status=0
	unshare -rm bash -c 'mount -t tmpfs -o ro none bundles && LD_PRELOAD='"$shim"' "$@"' - \
		"$robust" fault >under.out 2>under.err || status=$?
	cat under.err
	((status == plain_status))
	diff plain.out under.out
	verdict "exact: launch #5001, stray_store"
	warnings 1
}

# The bundle of `fault` takes about 1.9 MB: from nothing to all but the last piece.
@test "the disk is full, at once or in the middle: the program runs on, the verdict is right" {
	unshare -rm true || skip "needs a mount name space"
	plain fault
	for kilobytes in 4 64 200 400 600 800 1000 1500; do
		status=0
		unshare -rm bash -c 'mount -t tmpfs -o size='$kilobytes'k none bundles &&
			{ LD_PRELOAD='"$shim"' "$@"; status=$?
			'"$culprit"' dump bundles/* >dump.out; echo "dump $?" >>dump.out
			exit $status; }' - "$robust" fault >under.out 2>under.err || status=$?
		echo "$kilobytes kB: status $status"
		cat under.err
		((status == plain_status))
		diff plain.out under.out
		verdict "exact: launch #5001, stray_store"
		# What was written is whole; what was not is told of.
		((kilobytes < 600)) || grep -q "^dump 0" dump.out
		warnings "$((kilobytes < 1000))"
	done
}

# With less than 32 kB simcuda cannot load a kernel.
@test "a limit on file sizes: no SIGXFSZ, the verdict is right" {
	plain fault
	for kilobytes in 32 64 100 300 600; do
		status=0
		(ulimit -f $kilobytes && LD_PRELOAD=$shim "$robust" fault 2>&1 | cat >both
			exit "${PIPESTATUS[0]}") || status=$?
		echo "$kilobytes kB: status $status"
		cat both
		((status == plain_status))
		diff plain.out <(grep '^cu[A-Z]' both)
		cp both under.err
		verdict "exact: launch #5001, stray_store"
		rm -rf bundles/*
	done
}

@test "the directory is removed during the run: the verdict is right" {
	unharmed directory_gone
	verdict "exact: launch #25015, stray_store"
	bundles 0
}

@test "the parent directory may be a link, the bundle is never made through one" {
	mkdir real
	ln -s real link
	export CULPRIT_DIR=$BATS_TEST_TMPDIR/link
	unharmed fault
	bundles 1
	[[ -d $(echo real/culprit-robust-*) ]]
	# Links of all names that a bundle could get, to a place that must stay empty.
	mkdir elsewhere trap
	export CULPRIT_DIR=$BATS_TEST_TMPDIR/trap
	status=0
	bash -c 'ln -s ../elsewhere trap/culprit-robust-$$ && LD_PRELOAD='"$shim"' exec "$@"' - \
		"$robust" fault >under.out 2>under.err || status=$?
	verdict "exact: launch #5001, stray_store"
	[[ -z $(ls elsewhere) ]]
	[[ -f $(echo trap/culprit-robust-*-2/verdict.txt) ]]
}

@test "bundles are for their owner only" {
	umask 000
	under fault
	[[ $(stat -c %a bundles/culprit-robust-*) == 700 ]]
	[[ $(stat -c %a bundles/culprit-robust-*/* | sort -u) == 600 ]]
}

@test "the host's descriptors have the numbers that they have without culprit" {
	unharmed descriptor_numbers
}

@test "the host closes all descriptors and opens its own: none of ours is among them" {
	unharmed close_all
	verdict "exact: launch #25005, stray_store"
	bundles 1
}

@test "a data file that has the number of stderr is not written to" {
	unharmed stderr_reused
	[[ $(cat data) == data ]]
	grep -q "exact: launch #11" bundles/*/verdict.txt
}

@test "a stderr that nobody reads does neither end nor stop the program" {
	unharmed stderr_pipe_full
	bundles 1
	rm -r bundles/*
	unharmed stderr_pipe_closed
	bundles 1
}

# --- Processes ---

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

# --- The end of the process ---

# ended SCENARIO STATUS: ends like that with and without culprit.
ended() {
	unharmed "$1"
	((status == $2))
}

@test "a clean end by exit() or quick_exit(), wherever it is called, leaves nothing" {
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
	bundles 0
}

@test "an end without exit handlers leaves a readable bundle" {
	ended exit_at_once 3
	bundles 1
	ended abort_at_once 134
	bundles 2
	ended terminate_while_launching 143
	bundles 3
}

@test "a thread that goes on after main has ended is followed to its failure" {
	ended main_thread_ends 1
	verdict "exact: launch #201, stray_store"
}

@test "an exit handler that sees the error still gets its verdict" {
	ended error_in_exit_handler 6
	verdict "exact: launch #101, stray_store"
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

# --- Threads ---

# size KILOBYTES: the bundles take at most that much.
size() {
	echo "bundles: $(du -sk bundles | cut -f1) kB"
	(($(du -sk bundles | cut -f1) <= $1))
}

rings() {
	find bundles -name 'ring-*' | wc -l
}

@test "20,000 short-lived threads: memory stays flat, rings are used again" {
	export CULPRIT_RECORDS=256
	unharmed thread_generations
	verdict "exact: launch #20001, stray_store"
	(($(rings) <= 9))
	size 8192
}

@test "1,000 threads at once: the bundle stays bounded, the verdict is right" {
	unharmed many_threads
	verdict "exact: launch #20001, stray_store"
	size 65536
}

@test "more threads than rings: no verdict claims what it cannot know" {
	unharmed too_many_threads
	verdict "(unknown: the unfinished work is no longer in the journal|likely: .*stray_store|narrowed)"
}

@test "launches from destructors of threads are recorded, and no state is lost" {
	unharmed launches_at_thread_end
	verdict "exact: launch #13001, stray_store"
	(($(rings) <= 8))
	local recorded
	recorded=$("$culprit" dump -F ring bundles/* | grep -c 'submission call="cuLaunchKernel')
	echo "recorded: $recorded"
	((recorded == 13001))
}

@test "the smallest stacks are big enough to open the bundle and to find a culprit" {
	for markers in auto inline off; do
		CULPRIT_MARKERS=$markers unharmed small_stacks
		verdict "exact: launch #101, stray_store"
	done
}

@test "threads that are to be cancelled are not cancelled inside culprit" {
	unharmed cancelled_threads
	grep -qx "100 threads launched to the end" under.out
	verdict "exact: launch #50001, stray_store"
}

@test "a copy that waits for what another thread submits: no deadlock" {
	unharmed copy_that_waits_for_a_launch
	verdict "likely: launch #10, stray_store"
}

@test "launches from coroutines, whose stacks come and go: nothing is read that is not there" {
	unharmed launches_in_coroutines
	verdict "exact: launch #[0-9]*, stray_store"
}

# --- Streams, events, contexts, modules ---

# flat SCENARIO LAUNCH: memory stays flat, and that launch is found. Short rings: their pages are
# not what is measured.
flat() {
	CULPRIT_RECORDS=256 unharmed "$1"
	verdict "exact: launch #$2, stray_store"
}

# rows KIND: how many there are, lost ones included.
rows() {
	"$culprit" dump -F "$1" bundles/* | awk '/^# / { print $3 + $5 }'
}

@test "20,000 streams, synchronised, waited for or left alone: rows are used again" {
	for scenario in streams_synchronised streams_by_event streams_left_alone; do
		flat $scenario 40001
		echo "rows: $(rows streams)"
		(($(rows streams) < 4000))
		rm -r bundles/*
	done
}

@test "10,000 streams at once: the verdict is right" {
	flat streams_alive 40001
	size 16384
}

@test "more streams than rows: memory stays flat, no verdict claims what it cannot know" {
	CULPRIT_RECORDS=256 unharmed too_many_streams
	verdict "(unknown|narrowed)"
	(($(rows streams) > 17000))
}

@test "3,000 contexts one after the other: their rows and memory are used again" {
	flat many_contexts 36001
	(($(rows contexts) < 10 && $(rows streams) < 20))
	(($("$culprit" dump -F ranges bundles/* | grep -c 'state=live') == 1))
}

@test "20,000 events, 2,000 modules, 200,000 allocations: memory stays flat" {
	flat many_events 60001
	flat many_modules 2001
	flat many_allocations 1
}

@test "two threads exchange the handles of their kernels: arguments are each kernel's own" {
	export MALLOC_ARENA_MAX=1 GLIBC_TUNABLES=glibc.malloc.tcache_count=0
	CULPRIT_KEEP=always unharmed modules_exchanged
	# Handles did come back for the other kernel.
	"$culprit" dump -F functions bundles/* | awk '
		/ handle=/ { name = $5; if (names[$3] && names[$3] != name) n++; names[$3] = name }
		END { print n " exchanged"; exit n < 10 }'
}

@test "2,000,000 launches: memory stays flat, the fault at the end is found" {
	# A driver that forgets all work, and then fails as if the last launch had been the bad one.
	export SIMCUDA_NULL=1 SIMCUDA_INJECT=cuCtxSynchronize:2:700:sticky
	flat many_launches 2000001
}

# --- The calling thread's state ---

@test "errno, signal mask, floating point, locale, umask: unchanged by every call" {
	CULPRIT_CLEANUP=real unharmed state_unchanged
	(($(wc -l <under.out) > 200))
	lacks changed under.out
	# Results that the driver gives once in a while: of calls that culprit makes no use of itself.
	export CULPRIT_MARKERS=off CULPRIT_CLEANUP=real
	export SIMCUDA_INJECT=cuMemAlloc_v2:2:2,cuLaunchKernel:2:1,cuStreamSynchronize:2:999
	SIMCUDA_INJECT+=,cuMemFree_v2:3:1,cuModuleLoad:5:209,cuStreamDestroy_v2:1:400
	SIMCUDA_INJECT+=,cuEventQuery:1:600,cuMemcpyDtoH_v2:1:1
	unharmed state_unchanged
	lacks changed under.out
	grep -Eq "^cuMemcpyDtoH(_v2)?: 1," under.out
	# The same with a bundle in memory only, and with a failure in another thread.
	CULPRIT_DIR=$BATS_TEST_TMPDIR/missing unharmed state_unchanged
	SIMCUDA_INJECT=cuMemsetD8_v2:4:719:sticky unharmed state_unchanged
}

# --- Failing system calls, and signals ---

# with_calls FAIL_CALL SCENARIO: that call of culprit's fails or is interrupted; the host must not
# notice. What is said about launches must be right.
with_calls() {
	local status=0
	FAIL_CALL=$1 LD_PRELOAD="$build/lib/libfailing_calls.so $shim" \
		timeout -k 1 20 "$robust" "$2" >under.out 2>under.err || status=$?
	if ((status != plain_status)) || ! diff plain.out under.out; then
		echo "$1: status $status"
		cat under.err
		return 1
	fi
	if grep -E '— (exact|likely)' under.err | grep -v stray_store; then
		echo "$1: a wrong verdict"
		return 1
	fi
	rm -rf bundles/*
}

# The first mmap is for the driver's table of functions, without which there is no driver.
@test "a system call of culprit's fails, once or from then on: the host does not notice" {
	local wrong=0
	plain fault
	for call in mmap open posix_fallocate mkdir realpath madvise read write readlink fstat \
		getrlimit unlink rmdir pthread_key_create pthread_setspecific; do
		for n in 1 2 4 9; do
			[[ $call$n != mmap1 ]] || continue
			with_calls "$call:$n-$n:12" fault || wrong=1
			with_calls "$call:$n-99999:12" fault || wrong=1
		done
	done
	((wrong == 0))
}

@test "growing a file is interrupted by signals: nothing is lost" {
	plain fault
	FAIL_CALL=posix_fallocate:1-9:4 LD_PRELOAD="$build/lib/libfailing_calls.so $shim" \
		"$robust" fault >under.out 2>under.err || true
	verdict "exact: launch #5001, stray_store"
	warnings 0
	(($("$culprit" dump -F ring bundles/* | grep -c 'submission call="cuLaunchKernel') == 5001))
}

@test "a signal handler makes calls inside of culprit's calls: no deadlock, no wrong verdict" {
	local wrong=0
	plain interrupted
	for call in mmap open posix_fallocate mkdir realpath madvise read write fstat getrlimit \
		pthread_key_create pthread_setspecific dl_iterate_phdr; do
		with_calls "$call:1-99999:signal" interrupted || wrong=1
		grep -q '^[1-9][0-9]* signals' under.err || wrong=1
	done
	((wrong == 0))
}

# --- After the failure ---

# An order for simcuda: each call fails the first time, but for those that make the failure and
# those that culprit makes itself, whose turn would be over.
refuse_every_call() {
	local used
	used=$(grep -oh 'real\.cu[A-Za-z0-9_]*' "$root"/shim/*/*.c | cut -d. -f2
		echo cuInit cuDeviceGet cuDevicePrimaryCtxRetain cuCtxSetCurrent cuModuleLoad \
			cuModuleGetFunction cuMemAlloc_v2 cuLaunchKernel cuCtxSynchronize cuMemFree_v2)
	awk -F'[(,]' -v used=" ${used//$'\n'/ } " '
		/^DRIVER_CALL/ && !index(used, " " $2 " ") { printf "%s%s:1:700", comma, $2; comma = "," }
	' "$root/shim/base/driver_calls.def"
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
	diff <(awk '{ print } /^after/ { print line }' line="$(head -1 under.err)" plain.out) under.out
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
