#!/usr/bin/env bats
# Hosts whose bundle lies on a disk that does not answer or seems not to, or where another user can rename
# what is there. Mostly for root only: a file system is mounted and frozen, and another user is needed.

load robust

# A disk that is thawed by the watchdog has kept somebody waiting.
freeze() {
	fsfreeze -f disk
	(
		for ((second = 0; second < 60; second++)); do
			sleep 1
			[[ -e frozen ]] || exit 0
		done
		rm -f frozen
		fsfreeze -u disk
	) 3>&- 8>&- >/dev/null 2>&1 &
	touch frozen
}

thaw() {
	[[ -e frozen ]]
	rm frozen
	fsfreeze -u disk
}

mount_disk() {
	((!EUID)) || skip "needs root"
	mkdir disk
	truncate -s 64M image
	mkfs.ext4 -q -F image || skip "needs mkfs.ext4"
	mount -o loop image disk 2>/dev/null || skip "needs a loop device"
	export CULPRIT_DIR=$BATS_TEST_TMPDIR/disk/bundles
	mkdir disk/bundles
}

teardown() {
	[[ ! -e frozen ]] || { rm -f frozen && fsfreeze -u disk; }
	! mountpoint -q disk || umount disk || umount -l disk
}

# settle_all: wait until no host of this test exists, no process that works aside for it, and no `culprit run`.
settle_all() {
	settle
	robust=$culprit settle
}

@test "the disk never answers: the host continues, the verdict is printed and can be read" {
	mount_disk
	plain clean
	freeze
	under clean
	((status == plain_status))
	[[ ! -s under.err ]]
	thaw
	settle_all
	[[ -z $(ls disk/bundles) ]]

	plain fault
	freeze
	under fault
	((status == plain_status))
	diff plain.out under.out
	verdict "exact: launch #5001, stray_store"
	[[ $(head -1 under.err) == "culprit: CUDA_ERROR"* ]]
	warnings 1
	"$culprit" run true # which does not take it for the memory of a bundle that was thrown away
	memory=$(sed -n 's/^culprit: .*: the disk does not answer; .*: culprit report //p' under.err)
	"$culprit" report "$memory" | grep "exact: launch #5001, stray_store"
	thaw
	settle_all
	"$culprit" report disk/bundles/culprit-robust-* | grep -q "exact: launch #5001, stray_store"
	"$culprit" run true
	[[ ! -e $memory && ! -L $(echo disk/bundles/*/live) ]]
	"$culprit" report disk/bundles/culprit-robust-* | grep -q "exact: launch #5001, stray_store"
}

@test "the disk stops answering before the failure: the failing call returns after the verdict" {
	mount_disk
	ROBUST_RESTRICTION=pause plain restricted </dev/null
	mkfifo go
	ROBUST_RESTRICTION=pause under restricted <go 3>&- &
	pid=$!
	exec 8>go
	until grep -q paused under.out 2>/dev/null; do :; done
	freeze
	exec 8>&-
	wait $pid
	diff plain.out under.out
	verdict "exact: launch #21, stray_store"
	[[ $(head -1 under.err) == "culprit: CUDA_ERROR"* ]]
	thaw
}

# `culprit run` moves journals of earlier processes to their disks. It has a /dev/shm of its own here, since other
# tests would move the journal.
@test "run: another process's bundle is on a disk that does not answer: a run on another disk is as always" {
	mount_disk
	plain fault
	mkdir elsewhere
	unshare -m true || skip "needs a mount name space"
	robust=$robust shim=$shim culprit=$culprit unshare -m bash -euo pipefail -c \
		"mount -t tmpfs none /dev/shm; $(declare -f is_host settle under freeze thaw)"'
		under killed_at_work
		[[ -L $(echo disk/bundles/*/live) ]]
		freeze
		"$culprit" run --dir elsewhere true >run.out 2>&1
		[[ ! -s run.out ]]
		status=0
		"$culprit" run --dir elsewhere --fail-code 77 "$robust" fault >under.out 2>under.err || status=$?
		cat under.err
		((status == 77))
		grep -q "launched from .*host.c:" under.err
		thaw
		robust=$culprit settle
		"$culprit" run --dir elsewhere true
		[[ ! -L $(echo disk/bundles/*/live) ]]'
	verdict_of_run "exact: launch #5001, stray_store"
	lacks "does not answer" under.err
}

@test "run: the disk does not answer: the verdict, --fail-code and JUnit are right, nothing hangs" {
	mount_disk
	export TMPDIR=$PWD/tmp
	mkdir tmp
	freeze
	status=0
	"$culprit" run --fail-code 77 --junit junit.xml "$robust" fault >under.out 2>under.err || status=$?
	cat under.err
	((status == 77))
	verdict_of_run "exact: launch #5001, stray_store"
	grep -q 'failures="1"' junit.xml
	thaw
	settle_all
	"$culprit" report tmp/culprit-robust-* | grep -q "exact: launch #5001, stray_store"
}

@test "run: the disk stops answering: a line says so, and what was recorded is reported" {
	mount_disk
	mkfifo go
	ROBUST_RESTRICTION=pause "$culprit" run --fail-code 77 --junit junit.xml "$robust" restricted \
		<go >under.out 2>under.err 3>&- &
	pid=$!
	exec 8>go
	until grep -q paused under.out 2>/dev/null; do :; done
	freeze
	exec 8>&-
	status=0
	wait $pid || status=$?
	cat under.err
	((status == 77))
	grep -q "exact: launch #21, stray_store" under.err
	grep -q "the disk does not answer" under.err
	grep -q 'failures="1"' junit.xml
	thaw
}

# swapped KIND COMMAND...: while the program runs, another user replaces the bundle by a link to a
# directory of the victim's, or by such a directory itself.
swapped() {
	local kind=$1 status=0
	shift
	rm -rf shared other go
	mkdir shared other
	chmod 777 shared
	[[ $kind == link ]] || { rmdir other && mkdir -m 700 shared/other && ln -s shared/other other; }
	for name in meta.json strings verdict.txt functions live ring-0 report.txt; do
		echo mine >other/$name
	done
	cp -r "$(readlink -f other)" before
	mkfifo go
	CULPRIT_DIR=$PWD/shared ROBUST_RESTRICTION=pause "$@" "$robust" restricted \
		<go >under.out 2>under.err 3>&- &
	pid=$!
	exec 8>go
	until grep -q paused under.out 2>/dev/null; do :; done
	# A busy machine makes the bundle later than the host prints.
	until [[ -s $(echo shared/culprit-*/meta.json) ]]; do kill -0 $pid; done
	setpriv --reuid 65534 --regid 65534 --clear-groups bash -c '
		cd shared
		for bundle in culprit-*; do
			mv "$bundle" stolen
			if [[ $1 == link ]]; then ln -s ../other "$bundle"; else mv other "$bundle"; fi
		done' - "$kind"
	exec 8>&-
	wait $pid || status=$?
	echo "$kind $*: status $status"
	cat under.err
	if [[ $kind == link ]]; then diff -r before other; else diff -r before shared/culprit-*; fi
	rm -r before
	return $status
}

# whole: the bundle has all files, and none is left in memory.
whole() {
	[[ -s $(echo bundles/culprit-robust-*/verdict.txt) && ! -L $(echo bundles/culprit-robust-*/live) ]]
}

# The directory is made late, or the program even ends first.
@test "a busy machine delays the first work for the bundle: the bundle is whole in the end" {
	local late_ms
	plain fault
	for late_ms in 150 500 1500; do
		rm -rf bundles/*
		LATE_PROCESS_MS=$late_ms shim="$build/lib/liblate_process.so $shim" under fault
		((status == plain_status))
		diff plain.out under.out
		verdict "exact: launch #5001, stray_store"
		if ((late_ms < 1000)); then whole; else until whole; do :; done; fi
		"$culprit" report bundles/culprit-robust-* | grep -q "exact: launch #5001, stray_store"
	done
}

@test "a busy machine delays the first work for the bundle: the failure says why there is none" {
	export CULPRIT_DIR=$BATS_TEST_TMPDIR/missing
	plain fault
	LATE_WORK_MS=300 shim="$build/lib/liblate_process.so $shim" under fault
	((status == plain_status))
	diff plain.out under.out
	verdict "exact: launch #5001, stray_store"
	warnings 1
	grep -qx "culprit: cannot write a bundle in $CULPRIT_DIR: No such file or directory; recording in memory only" under.err
}

# Tests' folders are root's alone.
open_folders() {
	((!EUID)) || skip "needs another user"
	local top=$BATS_TEST_TMPDIR
	while [[ $top != / ]]; do
		chmod o+x "$top"
		top=$(dirname "$top")
	done
}

@test "another user puts something else in place of the bundle: nothing is written there or removed" {
	open_folders
	export TMPDIR=$PWD/tmp
	mkdir tmp
	for kind in link directory; do
		status=0
		swapped $kind env LD_PRELOAD="$shim" || status=$?
		((status == 1))
		verdict "exact: launch #21, stray_store"
		grep -q "somebody has put something else in its place" under.err
		"$culprit" run true
		memory=$(echo /dev/shm/culprit-live-*-$pid-*)
		"$culprit" report "$memory" | grep "exact: launch #21, stray_store"
		rm -r "$memory"
		ROBUST_SOUND=1 swapped $kind env LD_PRELOAD="$shim"
		[[ ! -s under.err ]]
		status=0
		swapped $kind "$culprit" run --fail-code 77 || status=$?
		((status == 77))
		"$culprit" report tmp/culprit-robust-* | grep "exact: launch #21, stray_store"
		rm -r tmp/*
		ROBUST_SOUND=1 swapped $kind "$culprit" run
		[[ -z $(ls tmp) ]]
	done
}
