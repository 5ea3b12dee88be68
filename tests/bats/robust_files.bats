#!/usr/bin/env bats
# Hosts whose disk, directories and descriptors are not what one would expect.

load robust

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
	# On a busy machine a healthy program exits before the disk has answered.
	unharmed clean
	[[ ! -s under.err ]] || warnings 1
	[[ ! -e missing ]]
	# No reader would find the memory of a killed program.
	in_own_memory '
		under killed_after_failure
		((status == 137))
		[[ -z $(ls -A /dev/shm) ]] || grep "does not answer" under.err'
}

@test "a directory that may not be written: one warning, and the verdict comes from memory" {
	# Modes do not keep root from writing, but a file is not a directory for root either.
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

# filled KILOBYTES COMMAND...: runs it with so much room for bundles, and reads them before they are
# removed; leaves dump.out. It has process IDs of its own: a `culprit run` outside finds no such
# bundle, so it could remove the memory of the dead processes.
filled() {
	status=0
	unshare -rmpf --mount-proc bash -c 'mount -t tmpfs -o size='$1'k none bundles && shift
		"$@"; status=$?
		'"$culprit"' dump bundles/* >dump.out 2>&1; echo "dump $?" >>dump.out
		for live in bundles/*/live; do rm -rf "$(readlink "$live")"; done
		'"$culprit"' report bundles/* >report.out 2>&1; echo "report $?" >>report.out
		exit $status' - "$@" >under.out 2>under.err || status=$?
	echo "$1 kB: status $status"
	cat under.err
}

# The bundle of `fault` takes about 1.3 MB: from nothing to all but the last of it.
@test "the disk is full, at once or in the middle: the program runs on, the verdict is right" {
	unshare -rm true || skip "needs a mount name space"
	plain fault
	for kilobytes in 8 64 200 400 950 1100; do
		filled $kilobytes env LD_PRELOAD="$shim" "$robust" fault
		((status == plain_status))
		diff plain.out under.out
		verdict "exact: launch #5001, stray_store"
		warnings 0
		# Data that did not fit on the disk is still in memory. Without that, the loss is
		# reported.
		cat dump.out
		grep -qx "dump 0" dump.out
		grep -q "journal lost: No space left on device" report.out
		grep -Eqx "report [34]" report.out
	done
}

@test "run: the disk is full: the report is whole, the loss is reported, --fail-code works" {
	unshare -rm true || skip "needs a mount name space"
	plain fault
	for kilobytes in 4 64 400 1100; do
		filled $kilobytes "$culprit" run --fail-code 77 "$robust" fault
		((status == 77))
		diff plain.out under.out
		verdict_of_run "exact: launch #5001, stray_store"
		grep -q "launched from .*host.c:" under.err
		grep -q "journal lost: No space left on device" under.err
	done
}

@test "a missing file of a bundle is reported, with status 4" {
	under fault
	cp -r bundles/* whole
	"$culprit" report whole
	for file in threads ranges ring-0 strings; do
		cp -r whole poorer
		rm poorer/$file
		run -4 --separate-stderr "$culprit" report poorer
		[[ $stderr == *"culprit report: poorer/$file: is missing"* ]]
		rm -r poorer
	done
	rm whole/meta.json
	run -4 "$culprit" report whole
}

@test "somebody empties the files of the bundle meanwhile: the program runs on, all is right" {
	unharmed files_truncated
	verdict "exact: launch #25015, stray_store"
	bundles 1
	"$culprit" report bundles/* | grep -q "exact: launch #25015, stray_store"
}

# small_shm KILOBYTES COMMAND...: runs it where /dev/shm has so much room; leaves shm.out, what is
# left there.
small_shm() {
	status=0
	unshare -rm bash -c 'mount -t tmpfs -o size='$1'k none /dev/shm && shift
		[[ ! -v FILL ]] || head -c "$FILL"k /dev/zero >/dev/shm/file
		"$@"; status=$?
		df --output=used /dev/shm >shm.out; ls -A /dev/shm >>shm.out
		exit $status' - "$@" >under.out 2>under.err || status=$?
	echo "$1 kB: status $status"
	cat under.err shm.out
}

@test "little memory or none for files: the host keeps half of it, the verdict is right" {
	unshare -rm true || skip "needs a mount name space"
	plain fault
	for kilobytes in 4 64 400 2000 65536; do
		small_shm $kilobytes env LD_PRELOAD="$shim" "$robust" fault
		((status == plain_status))
		diff plain.out under.out
		verdict "exact: launch #5001, stray_store"
		warnings 0
		bundles 1
		"$culprit" report bundles/* | grep -q "exact: launch #5001, stray_store"
		[[ -z $(tail -n +3 shm.out) ]]
		rm -r bundles/*
	done
	FILL=1000 small_shm 2000 env LD_PRELOAD="$shim" "$robust" fault
	verdict "exact: launch #5001, stray_store"
	[[ $(tail -n +3 shm.out) == file ]]
}

# homeless: the host runs under `culprit run`, which finds its bundle, or the verdict alone. If it
# cannot be told about that, the process has printed the headline itself: $prints is then 1.
homeless() {
	status=0
	"$culprit" run --fail-code 77 "$@" >under.out 2>under.err || status=$?
	cat under.err
	((status == 77))
	diff plain.out under.out
	verdict_of_run "exact: launch #5001, stray_store"
	[[ ! ${prints-} ]] || (($(grep -c "exact: launch #5001, stray_store" under.err) == 2))
	[[ -z $(ls -A bundles) ]]
}

@test "run: no bundle can be made, or it is removed: the report is whole, and the bundle in TMPDIR" {
	unshare -rm true || skip "needs a mount name space"
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir tmp
	plain fault
	touch file
	CULPRIT_DIR=$PWD/file homeless "$robust" fault
	grep -q "launched from .*host.c:" under.err
	"$culprit" report tmp/culprit-robust-* | grep -q "exact: launch #5001, stray_store"
	rm -r tmp/culprit-*
	prints=1 homeless unshare -rm bash -c 'mount -t tmpfs -o ro none bundles && "$@"' - "$robust" fault
	grep -q "launched from .*host.c:" under.err
	# There is neither a place for a bundle nor memory that outlives the process.
	culprit_in_names() {
		unshare -rm bash -c 'mount -t tmpfs -o ro none bundles &&
			mount -t tmpfs -o ro none /dev/shm && exec "$@"' - "$build/bin/culprit" "$@"
	}
	culprit=culprit_in_names homeless "$robust" fault
	grep -q "in flight       stream 0x0" under.err
	plain directory_gone
	status=0
	"$culprit" run --fail-code 77 "$robust" directory_gone >under.out 2>under.err || status=$?
	cat under.err
	((status == 77))
	verdict_of_run "exact: launch #25015, stray_store"
	[[ -n $(ls tmp/culprit-robust-*/meta.json) ]]
}

@test "run: a full disk, and no memory that outlives the process: the verdict is still printed" {
	unshare -rm true || skip "needs a mount name space"
	plain fault
	for kilobytes in 4 64 400 1100; do
		filled $kilobytes unshare -m bash -c 'mount -t tmpfs -o ro none /dev/shm && "$@"' - \
			"$culprit" run --fail-code 77 "$robust" fault
		((status == 77))
		diff plain.out under.out
		verdict_of_run "exact: launch #5001, stray_store"
		grep -q "in flight       stream 0x0" under.err
	done
}

@test "run: a run gets no verdict but its own program's" {
	unharmed fault
	for run in 1.$$.00.1 1.$$.00.99 1.1.00.1 1.99999999.00.3 x . 1.2.3; do
		rm -r bundles/*
		CULPRIT_RUN=$run unharmed fault
		verdict "exact: launch #5001, stray_store"
	done
}

@test "killed after its failure: what found no room in memory is in the bundle all the same" {
	unshare -rm true || skip "needs a mount name space"
	for kilobytes in 4 64 400 2000; do
		small_shm $kilobytes env LD_PRELOAD="$shim" "$robust" killed_after_failure
		((status == 137))
		"$culprit" report bundles/* | grep -q "exact: launch #5001, stray_store"
		rm -r bundles/*
		small_shm $kilobytes "$culprit" run --fail-code 77 "$robust" killed_after_failure
		((status == 77))
		verdict_of_run "exact: launch #5001, stray_store"
		"$culprit" report bundles/* | grep -q "exact: launch #5001, stray_store"
		[[ ! -L $(echo bundles/*/live) && -z $(tail -n +3 shm.out) ]]
		rm -r bundles/*
	done
}

@test "killed while it records: the journal is whole, in memory, until the next run moves it" {
	in_own_memory '
		under killed_at_work
		((status == 137))
		memory=$(readlink bundles/*/live)
		[[ -d $memory && $(stat -c %a "$memory") == 700 ]]
		"$culprit" dump -F ring bundles/* >before
		(($(grep -c submission before) >= 100))
		"$culprit" run true
		[[ ! -e $memory && ! -e $(echo bundles/*/live) ]]
		"$culprit" dump -F ring bundles/* >after
		diff before after'
}

@test "another run moves the journal while it is read: the bundle is whole" {
	local file
	for file in strings waits ring-0; do
		in_own_memory '
			under killed_at_work
			"$culprit" dump bundles/* >before
			LD_PRELOAD=$build/lib/libmeanwhile.so MEANWHILE_AT='$file' MEANWHILE="$culprit run true" \
				"$culprit" dump bundles/* >after
			[[ ! -L $(echo bundles/*/live) ]]
			diff before after'
		rm -r bundles/*
	done
}

@test "a process ends while its journal is read: the report is that of the bundle" {
	local host file line
	mkfifo go
	export CULPRIT_KEEP=always ROBUST_DISTURBANCE="head -c 1" ROBUST_END=wait
	while read -r host file line; do
		LD_PRELOAD=$shim "$robust" "$host" <>go >/dev/null 2>&1 3>&- &
		program=$!
		until grep -q submission <("$culprit" dump -F ring bundles/* 2>&1); do kill -0 "$program"; done
		status=0
		LD_PRELOAD=$build/lib/libmeanwhile.so MEANWHILE_AT=$file MEANWHILE="echo >go; tail --pid=$program -f /dev/null" \
			"$culprit" report bundles/* >meanwhile.out 2>&1 || status=$?
		cat meanwhile.out
		wait "$program" || true
		run -$status "$culprit" report bundles/*
		[[ $output == *"$line"* && $output == "$(<meanwhile.out)" ]]
		rm -r bundles/*
	done <<-'END'
		disturbed strings stray_store
		disturbed failure stray_store
		ends_unfinished strings ended with 1 submission unfinished
	END
}

# A stopped culprit run does not see its command's exit. On a busy machine the bundle may be made after that,
# or never, so the memory is found by the process ID in its name.
@test "run: the journal of a healthy command whose run was killed is removed by the next run" {
	local end
	for end in exit_by_return refused; do
		mkfifo ready start end
		"$culprit" run bash -c 'echo $$ >ready; read -r <start; exec 3>end; exec "$@"' - "$robust" "$end" >out 3>&- &
		stopped=$!
		read -r host <ready
		kill -STOP "$stopped"
		echo >start
		cat end
		memory=$(echo /dev/shm/culprit-live-*-"$host"-*)
		[[ -d $memory ]]
		kill -9 "$stopped"
		wait "$stopped" || true
		stopped=
		"$culprit" run true
		settle
		[[ ! -e $memory && -z $(ls bundles) ]]
		rm ready start end
	done
}

@test "run: what another run waits for is left to it" {
	mkfifo ready go
	"$culprit" run bash -c '"$1" killed_at_work; echo >ready; read -r <go; exit 0' - "$robust" &
	run=$!
	read -r <ready
	memory=$(readlink bundles/*/live)
	"$culprit" run true
	"$culprit" clean --all bundles
	[[ -f $memory/ring-0 && -L $(echo bundles/*/live) ]] && left=yes
	echo >go
	wait "$run"
	[[ $left == yes && ! -e $memory && -z $(ls bundles) ]]
}

# waits_to_print PID: the process that makes the report of this run waits for its reader.
waits_to_print() {
	local child
	for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do
		[[ $(cat "/proc/$child/wchan" 2>/dev/null) != *pipe_write* ]] || return 0
	done
	return 1
}

# The pipe is full, so the run has looked at its processes and waits until it can print.
@test "run: a process that is killed while the run prints its report keeps its bundle" {
	not_emulated "the process that prints is the emulator's"
	mkfifo pipe
	exec 9<>pipe
	dd if=/dev/zero of=pipe bs=4k oflag=nonblock status=none 2>/dev/null || true
	ROBUST_HANG=kernel ROBUST_END=9 "$culprit" run -- sh -c 'exec 2>/dev/null
		"$0" hangs >late.out & echo $! >pid
		until grep -q ready late.out; do :; done
		"$0" ends_unfinished
		exit 1' "$robust" 2>pipe 3>&- 9>&- &
	run=$!
	until [[ -s pid && -s $(echo bundles/culprit-robust-"$(<pid)"/meta.json) ]]; do kill -0 "$run"; done
	until waits_to_print "$run"; do kill -0 "$run"; done
	kill -KILL "$(<pid)"
	settle
	cat pipe >printed 9>&- &
	reader=$!
	wait "$run" || status=$?
	exec 9>&-
	wait "$reader"
	((status == 1))
	grep -aq "^culprit: no call seen by culprit reported a failure; .*#11 stray_store" printed
	run -7 "$culprit" report bundles/culprit-robust-"$(<pid)"
	[[ $output == *"with 207 submissions unfinished"* ]]
	"$culprit" run true
	bundles 2
}

@test "run: a healthy program that is killed or calls _exit leaves nothing, one that crashed does" {
	for signal in 9 15 0; do
		status=0
		ROBUST_SIGNAL=$signal "$culprit" run "$robust" killed_at_work || status=$?
		((status == (signal ? 128 + signal : 0)))
		[[ -z $(ls bundles) ]]
	done
	status=0
	ROBUST_SIGNAL=11 "$culprit" run "$robust" killed_at_work || status=$?
	((status == 139))
	bundles 1
	[[ ! -e $(echo bundles/*/live) ]]
	"$culprit" run --keep always "$robust" killed_at_work || status=$?
	((status == 137))
	bundles 2
}

# told_unfinished END: the program exited this way, under `culprit run`, with its bad launch unfinished.
# The report of the bundle that is kept says so as well.
told_unfinished() {
	line="culprit: no call seen by culprit reported a failure; $1 with 1 submission unfinished: #11 stray_store at host.c:"
	cat under.err
	(($(grep -cF "$line" under.err) == 1))
	bundles 1
	"$culprit" report bundles/* >report.out || (($? == 7))
	grep -qF "$line" report.out
	"$culprit" report --format json bundles/* >report.json || (($? == 7))
	grep -q '"verdict": "unknown".*"error": null, "finding": "unfinished".*"unfinished": 1, ' report.json
	rm -r bundles/*
}

@test "run: killed or exited with a bad launch unfinished: that is reported, no failure is made up" {
	for signal in 9 15 11; do
		status=0
		ROBUST_END=$signal "$culprit" run --fail-code 77 "$robust" ends_unfinished 2>under.err || status=$?
		((status == 128 + signal))
		told_unfinished "killed by signal $signal"
	done
	status=0
	ROBUST_END=_exit "$culprit" run "$robust" ends_unfinished 2>under.err || status=$?
	((status == 5))
	told_unfinished ended
	# If the command started the process, culprit did not see how it exited.
	ROBUST_END=9 "$culprit" run sh -c '"$1" ends_unfinished; exit 4' - "$robust" 2>under.err || (($? == 4))
	told_unfinished "killed, or gone by _exit,"
	ROBUST_END=9 "$culprit" run -o report.txt "$robust" ends_unfinished 2>under.err || (($? == 137))
	[[ ! -s under.err ]]
	mv report.txt under.err
	told_unfinished "killed by signal 9"
}

@test "run: work in flight at a normal exit or an interrupt gives no alarm; -v and --keep report it" {
	for end in return 2; do
		for sound in "" ROBUST_SOUND=1; do
			status=0
			env ROBUST_END=$end $sound "$culprit" run "$robust" ends_unfinished 2>under.err || status=$?
			((status == (end == 2 ? 130 : 0)))
			[[ ! -s under.err && -z $(ls bundles) ]]
		done
	done
	ROBUST_END=_exit "$culprit" run -v sh -c '"$1" ends_unfinished; exit 0' - "$robust" 2>under.err
	[[ $(<under.err) == "culprit run: 1 process used the GPU: 11 submissions, 1 of them unfinished at the end, 0 failures" ]]
	[[ -z $(ls bundles) ]]
	ROBUST_END='return' "$culprit" run --keep always "$robust" ends_unfinished 2>under.err
	[[ ! -s under.err ]]
	run -7 "$culprit" report bundles/*
	[[ ${lines[0]} == "culprit: no call seen by culprit reported a failure; ended with 1 submission unfinished: #11 stray_store at host.c:"* ]]
	rm -r bundles/*
	# All submitted work was waited for, and no call reported a failure.
	ROBUST_SIGNAL=9 "$culprit" run --keep always "$robust" killed_at_work 2>under.err || (($? == 137))
	[[ ! -s under.err ]]
	run -1 "$culprit" report bundles/*
	[[ ${lines[0]} == "culprit: no call seen by culprit reported a failure [pid "*"]" ]]
}

# On a busy machine, the process that makes the bundle may be overtaken by the run that fills it.
@test "run: a bundle whose making ends after the run has filled it is whole" {
	local preload=$build/lib/liblate_process.so end
	export LATE_UNTIL_GONE
	for LATE_UNTIL_GONE in link check; do
		end=0
		LD_PRELOAD=$preload "$culprit" run --keep always "$robust" exit_at_once || end=$?
		((end == 3))
		settle
		ls bundles
		bundles 1
		run -1 --separate-stderr "$culprit" report bundles/*
		[[ -z $stderr ]]
		rm -r bundles/*
	done
	# The run has added how the process ended.
	ROBUST_END=9 LD_PRELOAD=$preload "$culprit" run "$robust" ends_unfinished 2>under.err || (($? == 137))
	settle
	told_unfinished "killed by signal 9"
}

@test "run: processes killed because another one failed are not reported, and leave nothing" {
	status=0
	ROBUST_END=9 "$culprit" run --fail-code 77 sh -c '"$1" ends_unfinished; "$1" fault; exit 1' - \
		"$robust" 2>under.err || status=$?
	((status == 77))
	verdict_of_run "exact: launch #5001, stray_store"
	lacks "submissions? unfinished" under.err
	bundles 1
}

@test "run: of many killed processes a few are reported in full, the others counted" {
	status=0
	ROBUST_END=9 "$culprit" run sh -c 'for i in 1 2 3 4 5 6; do "$1" ends_unfinished; done; exit 1' - \
		"$robust" 2>under.err || status=$?
	((status == 1))
	(($(grep -c "^culprit: no call seen by culprit reported a failure" under.err) == 4))
	grep -qx "culprit: 2 more processes ended with work unfinished" under.err
	bundles 4
}

@test "report: a process that runs on is not said to have done well, nor one whose failure is lost" {
	mkfifo go
	ROBUST_END=wait LD_PRELOAD=$shim "$robust" ends_unfinished <go >/dev/null 3>&- &
	program=$!
	exec 9>go
	# Before, the launch may be under way, or run.
	end=$((SECONDS + 300))
	while ((SECONDS < end)); do
		status=0
		"$culprit" report bundles/* >report.out 2>&1 || status=$?
		! grep -q "unfinished: #11 stray_store at " report.out || break
		sleep 0.1
	done
	cat report.out
	((status == 7))
	grep -q "^culprit: no call seen by culprit has reported a failure; the process runs on with 1 submission unfinished: #11 stray_store at " report.out
	kill_hosts "$program" # before the pipe ends: then the host exits, and removes its bundle
	exec 9>&-
	teardown
	rm -r bundles/*
	under fault
	cp -r bundles/* whole
	cp -r whole poorer
	truncate -s 40 poorer/failure
	run -4 --separate-stderr "$culprit" report poorer
	[[ ${lines[0]} == *"— exact: launch #5001, stray_store "* ]]
	for harm in "truncate -s 40" rm; do
		rm -rf poorer
		cp -r whole poorer
		rm poorer/verdict.txt
		$harm poorer/failure
		run -7 --separate-stderr "$culprit" report poorer
		[[ ${lines[0]} == "culprit: the record of the failure is lost; ended with "*" unfinished"*"#5001 stray_store at "* ]]
	done
}

# It comes when simcuda has its files.
@test "a limit on file sizes: no SIGXFSZ, the verdict is right" {
	not_emulated "/proc/self/maps is a temporary file, to which the limit applies"
	for kilobytes in 1 4 32 64 100 300 600; do
		export ROBUST_DISTURBANCE="exec prlimit --pid \$PPID --fsize=$((kilobytes * 1024)):"
		plain disturbed
		status=0
		{ LD_PRELOAD=$shim "$robust" disturbed 2>&1 || echo "status $?"; } | cat >both
		echo "$kilobytes kB"
		cat both
		grep -qx "status $plain_status" both
		diff plain.out <(grep '^cu[A-Z]' both)
		cp both under.err
		verdict "exact: launch #[0-9]+, stray_store"
		# Nothing is lost but on disk.
		"$culprit" report bundles/* | grep -q "exact: launch #[0-9]*, stray_store"
		teardown
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
	[[ -f $(echo trap/culprit-robust-*-*/verdict.txt) ]]
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

@test "a stderr that is never read neither kills nor stops the program" {
	unharmed stderr_pipe_full
	bundles 1
	rm -r bundles/*
	unharmed stderr_pipe_closed
	bundles 1
}
