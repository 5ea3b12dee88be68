# Shared by the robust_*.bats files: hosts that do odd things, on simcuda. Whatever they do, they
# must run as without culprit, and the verdict must still be right. The hosts are in tests/robust;
# each test is named for what it proves. CULPRIT_BUILD names the build folder.

bats_require_minimum_version 1.5.0

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
build=${CULPRIT_BUILD:-$root/build}
shim=$build/lib/libculprit.so
culprit=$build/bin/culprit
robust=$build/bin/tests/robust

load programs

setup() {
	cd "$BATS_TEST_TMPDIR"
	unset "${!CULPRIT_@}" "${!SIMCUDA_@}" LD_PRELOAD DEBUGINFOD_URLS
	export CULPRIT_REPORT=full
	export LD_LIBRARY_PATH=$build/lib/simcuda
	export CULPRIT_DIR=$BATS_TEST_TMPDIR/bundles
	mkdir bundles
	use_programs
	# CULPRIT_RUN for hosts that are killed: another test's `culprit run` leaves their journals in memory to
	# this run, which seems to be alive. It would move the others into their bundles at any time.
	own_run=0.$$.0.0
}

# Remove what killed programs leave in memory, and the process $stopped of a test that failed meanwhile.
teardown() {
	local live
	[[ ! ${stopped-} ]] || kill -KILL "$stopped"
	for live in "$CULPRIT_DIR"/*/live; do
		[[ ! -L $live ]] || rm -rf "$(readlink "$live")"
	done
}

# plain ARGUMENT...: the host without culprit: leaves $plain_status and the file plain.out. A host
# exits with 77 if this machine lacks what it needs.
plain() {
	plain_status=0
	timeout -k 1 300 "$robust" "$@" >plain.out 2>plain.err || plain_status=$?
	((plain_status != 77)) || skip "$(tail -n 1 plain.err)"
	((plain_status != 2 && plain_status < 124)) || cat plain.err
	((plain_status != 2))
}

# is_host FOLDER: the process with this folder of /proc runs the host. In an emulator it has that one's
# program, whose first argument names the host.
is_host() {
	local words
	[[ ! $1/exe -ef $robust ]] || return 0
	mapfile -d '' -t -n 2 words 2>/dev/null <"$1/cmdline" && [[ ${words[1]-} == "$robust" ]]
}

# settle: wait until no host of this test exists, nor a process that works aside for one that was killed: on a
# busy machine that may still be making the bundle. It has the host's program and environment.
settle() {
	local process
	for process in /proc/[0-9]*; do
		is_host "$process" 2>/dev/null || continue
		while grep -Fqsz "CULPRIT_DIR=$CULPRIT_DIR" "$process/environ"; do :; done
	done
}

# kill_hosts PID...: end all hosts of this test.
kill_hosts() {
	kill -KILL "$@"
	wait "$@" || true
	settle
}

# under ARGUMENT...: with the shim; leaves $status, under.out and under.err.
under() {
	status=0
	timeout -k 1 300 env LD_PRELOAD="$shim" "$robust" "$@" >under.out 2>under.err || status=$?
	((status <= 128)) || settle
	echo "status $status"
	cat under.out under.err
}

# in_own_memory SCRIPT: with a /dev/shm of its own. A `culprit run` of another test that runs at the same time would
# move the journals that killed processes leave there.
in_own_memory() {
	unshare -rm true || skip "needs a mount name space"
	build=$build robust=$robust shim=$shim culprit=$culprit unshare -rm bash -euo pipefail -c \
		"mount -t tmpfs none /dev/shm; $(declare -f is_host settle under); $1"
}

# unharmed ARGUMENT...: the host runs under culprit, and its output and status are as without.
unharmed() {
	plain "$@"
	under "$@"
	((status == plain_status))
	diff plain.out under.out
}

# fails_as_ever HOST: as unharmed, for a host that prints only how it fails and runs for a long time:
# without a plain run.
fails_as_ever() {
	under "$1"
	[[ $status -eq 1 && $(<under.out) == $'cuLaunchKernel 0\ncuCtxSynchronize 700' ]]
}

# verdict PATTERN: stderr has one verdict, and it is that.
verdict() {
	(($(grep -c '^culprit: CUDA_ERROR' under.err) == 1))
	grep -Eq -- "^culprit: CUDA_ERROR_[A-Z_]* \([0-9]*\) — $1" under.err
}

# reports: print how many verdicts `culprit run` printed to under.err. It prints the first line early, too, if the
# program takes two seconds to exit after its failure, as it may on a busy machine.
reports() {
	awk '/^culprit: CUDA_ERROR/ { alone++; is_first = 1; next }
		is_first && /^  / { alone--; whole++ }
		{ is_first = 0 }
		END { print (alone > whole ? alone : whole) + 0 }' under.err
}

# verdict_of_run PATTERN: as verdict, after `culprit run`.
verdict_of_run() {
	(($(reports) == 1))
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

# size KILOBYTES: the bundles take at most that much.
size() {
	echo "bundles: $(du -sk bundles | cut -f1) kB"
	(($(du -sk bundles | cut -f1) <= $1))
}

rings() {
	find bundles -name 'ring-*' | wc -l
}
