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

# The bundle of `fault` takes about 2.2 MB, 0.9 MB of it for tables, and then a ring in pieces: from
# nothing to all but the last piece.
@test "the disk is full, at once or in the middle: the program runs on, the verdict is right" {
	unshare -rm true || skip "needs a mount name space"
	plain fault
	for kilobytes in 4 64 200 400 950 1100 1300 1800; do
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
		((kilobytes < 950)) || grep -q "^dump 0" dump.out
		warnings "$((kilobytes < 1300))"
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
