#!/usr/bin/env bats
# The contract of `culprit run` with its user, whatever happens to disks, folders and processes: a
# verdict, a report of the bundle, and the status of --fail-code. This file checks every cell of the
# table in docs/contributing/contract.md, and prints the table as it is.

load robust

alone= # set: the programs run by LD_PRELOAD, without `culprit run`
export alone culprit robust shim

# A program that failed under `culprit run`, and what can be read of it afterwards, by the same user
# in the same place: leaves the files status, err, report, report-status and where.
write_observer() {
	cat >observe <<-'END'
		#!/bin/bash
		# usage: observe FOLDER COMMAND...     under "culprit run", or by LD_PRELOAD if $alone is set
		cd "$1" && shift
		status=0
		if [[ $alone ]]; then
			# A pipe, since no file may grow under RLIMIT_FSIZE.
			LD_PRELOAD=$shim "$@" 2>&1 >out | cat >err
			status=${PIPESTATUS[0]}
		else
			"$culprit" run --fail-code 77 "$@" >out 2>err || status=$?
		fi
		echo $status >status
		look() {
			for bundle in "$1"/culprit-*; do
				[[ -n $(ls "$bundle" 2>/dev/null) ]] || continue
				status=0
				"$culprit" report "$bundle" >report 2>report.err || status=$?
				! grep -q "exact: launch" report || return 0
			done
			return 1
		}
		where="the bundle directory"
		look "$CULPRIT_DIR" || { where=TMPDIR; look "$TMPDIR"; }
		echo $status >report-status
		echo "$where" >where
	END
	chmod 755 observe
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	unset "${!CULPRIT_@}" "${!SIMCUDA_@}" LD_PRELOAD DEBUGINFOD_URLS
	export CULPRIT_REPORT=full
	export LD_LIBRARY_PATH=$build/lib/simcuda
	write_observer
}

# Print the result of one run as a row of the table. Headlines printed early are not the verdict.
row() {
	local verdict=missing report=missing code=missing
	if (($(grep -c '^  seen by' seen/err) == 1)) &&
		grep -q '^culprit: CUDA_ERROR.* exact: launch #.*stray_store' seen/err; then
		verdict="as the process gave it"
		! grep -q 'launched from .*\.c:[0-9]' seen/err || verdict="in full"
		! grep -q 'and 99 more processes$' seen/err || verdict="$verdict, once for all"
		! grep -q 'journal lost' seen/err || verdict="$verdict; that the journal is lost"
	fi
	if grep -q '^culprit: CUDA_ERROR.* exact: launch #.*stray_store' seen/report; then
		report="status $(<seen/report-status), in $(<seen/where)"
	fi
	[[ $(<seen/status) != 77 ]] || code=kept
	[[ -z $alone || $(<seen/status) != 1 ]] || code="the program's own"
	[[ -z $alone || $(<seen/status) != 134 ]] || code="134, by SIGABRT"
	echo "| $1 | $verdict | $report | $code |"
}

# situation NAME COMMAND...: a folder for the run and one for its bundles, empty; then the row.
situation() {
	local name=$1
	shift
	rm -rf seen bundles tmp
	mkdir seen bundles tmp
	chmod 777 seen tmp
	CULPRIT_DIR=$PWD/bundles TMPDIR=$PWD/tmp "$@"
	row "$name" >>table
	# A process that works aside may still be writing the bundle.
	CULPRIT_DIR=$PWD/bundles settle
}

observe() {
	./observe seen "$@"
}

read_only_folder() {
	chmod 555 bundles
	if ((EUID)); then
		observe "$robust" fault
	else
		# The test's own folders are for root only.
		local top=$BATS_TEST_TMPDIR
		while [[ $top != / ]]; do
			chmod o+x "$top"
			top=${top%/*}
			[[ -n $top ]] || top=/
		done
		setpriv --reuid=65534 --regid=65534 --clear-groups ./observe seen "$robust" fault
	fi
}

# with_disk OPTIONS: the bundle directory is a file system of its own.
with_disk() {
	unshare -rm bash -c 'mount -t tmpfs -o "$1" none bundles && shift && exec "$@"' - "$1" \
		./observe seen "$robust" fault
}

# The time that the program may take to start.
names_used_up() {
	cat >taken <<-'END'
		#!/bin/bash
		cd "$CULPRIT_DIR"
		mkdir "culprit-robust-$$"
		# Until 30 s from when that is done.
		for ((second = EPOCHSECONDS; second < EPOCHSECONDS + 30; second++)); do
			TZ=UTC printf -v name 'culprit-robust-%d-%(%Y%m%dT%H%M%S)T' $$ "$second"
			mkdir "$name" $(seq -f "$name-%g" 2 99)
		done
		exec "$robust" fault
	END
	chmod 755 taken
	observe "$PWD/taken"
}

# The program looks for its kernels relative to its own place.
bad_utf8() {
	local odd=$'odd\xff\xc3 name\e[2J'
	mkdir -p "bundles/$odd" place/bin/tests place/lib
	ln -sfn "$build/lib/simcuda-kernels" place/lib/simcuda-kernels
	cp "$robust" "place/bin/tests/$odd"
	CULPRIT_DIR=$PWD/bundles/$odd observe "$PWD/place/bin/tests/$odd" fault
}

# The shell outlives the process that fails.
kept_alive() {
	observe sh -c '"$robust" goes_on; exec sleep 1000'
}

nested_run() {
	observe sh -c '"$culprit" run --quiet -- "$robust" fault'
}

# Its parent waits until it has failed.
daemon() {
	mkfifo ended
	observe sh -c '(setsid sh -c "\"\$robust\" fault; echo >../ended" >/dev/null 2>&1 </dev/null &)
		read -r line <../ended'
}

# restricted KIND: the program gives up what it needs to open files, and then fails.
restricted() {
	ROBUST_RESTRICTION=$1 observe "$robust" restricted
}

many_processes() {
	observe sh -c 'seq 100 | xargs -P 8 -I{} "$robust" fault'
}

# restrictions: rows for what a program may give up. Only root has all of them.
restrictions() {
	situation "the program has no descriptor left" restricted descriptors
	situation "the program may open no file (RLIMIT_NOFILE)" restricted nofile
	situation "the program may write no file (RLIMIT_FSIZE)" restricted fsize
	situation "the program may map no memory (RLIMIT_AS)" restricted memory
	situation "the program closes all descriptors" restricted closefrom
	if ((!EUID)); then
		situation "the program becomes another user" restricted user
		situation "the program changes its root" restricted root
		situation "the program has other mounts, without /proc and /dev/shm" restricted mounts
	fi
	! may_filter_calls || situation "the program may not call openat (seccomp)" restricted seccomp
}

# An emulator refuses filters.
may_filter_calls() {
	ROBUST_SOUND=1 ROBUST_RESTRICTION=seccomp "$robust" restricted >/dev/null 2>&1
}

# documented N: the rows of the document's table N that this user can have.
documented() {
	local left_out='^$'
	((!EUID)) || left_out='another user |\|root |\|mounts'
	may_filter_calls || left_out+='\|seccomp'
	awk -v wanted="$1" '/^\|/ && !in_table { n++; in_table = 1 }
		!/^\|/ { in_table = 0 }
		in_table && n == wanted' "$root/docs/contributing/contract.md" | grep -v "$left_out"
}

@test "the contract: a verdict, a report and --fail-code, whatever happens" {
	echo "| what happens | verdict | \`culprit report\` | \`--fail-code\` |" >table
	echo "| --- | --- | --- | --- |" >>table
	situation "nothing else" observe "$robust" fault
	situation "the bundle directory is read-only, for another user" read_only_folder
	if unshare -rm true; then
		situation "the disk is full" with_disk size=400k
		situation "the disk has few inodes left" with_disk nr_inodes=6
		situation "the disk has one inode left" with_disk nr_inodes=2
	fi
	situation "the directory is removed meanwhile" observe "$robust" directory_gone
	situation "all names for the bundle are taken" names_used_up
	situation "names that are not UTF-8" bad_utf8
	situation "the program is killed behind its failure" observe "$robust" killed_after_failure
	restrictions
	CULPRIT_ON_FAILURE=abort situation "the program goes on, with \`--on-failure abort\`" observe "$robust" goes_on
	CULPRIT_ON_FAILURE="kill" situation "a process of the program goes on, with \`--on-failure kill\`" kept_alive
	situation "a run within the run, which is quiet" nested_run
	situation "a daemon, of which nobody has a descriptor" daemon
	situation "100 processes fail" many_processes
	(($(grep -c '^culprit: CUDA_ERROR' seen/err) <= 9)) # the report's, and a few that came early
	cat table
	diff table <(documented 1)
}

@test "the contract of the library alone: a verdict and a report, whatever the program gives up" {
	export alone=1
	echo "| what happens, with the library alone | verdict | \`culprit report\` | exit status |" >table
	echo "| --- | --- | --- | --- |" >>table
	situation "nothing else" observe "$robust" fault
	restrictions
	CULPRIT_ON_FAILURE=abort situation "the program goes on, with \`CULPRIT_ON_FAILURE=abort\`" observe "$robust" goes_on
	cat table
	diff table <(documented 2)
}
