#!/usr/bin/env bats
# A build for another architecture beside one for this machine, in $CULPRIT_NATIVE_BUILD or build/: each
# reads the bundles of both, and the same program leaves the same bundle.

load cli

native=${CULPRIT_NATIVE_BUILD:-$root/build}

setup() {
	cd "$BATS_TEST_TMPDIR"
	unset "${!CULPRIT_@}" "${!SIMCUDA_@}" LD_PRELOAD DEBUGINFOD_URLS
	[[ $(machine "$culprit") != "$(machine /proc/self/exe)" ]] || skip "this build is for this machine"
	[[ -x $native/bin/culprit && -x $native/bin/corpus && -x $native/bin/make-bundle ]] ||
		skip "no build for this machine in $native: run scripts/build"
}

machine() {
	LC_ALL=C readelf -h "$1" | sed -n 's/ *Machine: *//p'
}

# tree here|there: that build folder.
tree() {
	if [[ $1 == here ]]; then echo "$native"; else echo "$build"; fi
}

# read_alike ARGUMENT...: both commands print the same for these arguments, and something.
read_alike() {
	local status_here=0 status_there=0
	"$native/bin/culprit" "$@" >here.out 2>here.err || status_here=$?
	"$build/bin/culprit" "$@" >there.out 2>there.err || status_there=$?
	echo "$*: status $status_here and $status_there"
	((status_here == status_there))
	[[ -s here.out ]]
	cmp here.out there.out
	cmp here.err there.err
}

# bundle_read_alike BUNDLE: in every form.
bundle_read_alike() {
	read_alike report "$1"
	read_alike report -v "$1"
	read_alike report --format json "$1"
	read_alike dump "$1"
}

# diff_stories FILE FILE: two reports are the same but for what names a machine or a run.
diff_stories() {
	"$BATS_TEST_DIRNAME/same_story.py" "$1" >here.story
	"$BATS_TEST_DIRNAME/same_story.py" "$2" >there.story
	[[ -s here.story ]]
	diff here.story there.story
}

# same_story OPTION...: each machine's report of its own bundle is the same but for what names a machine.
same_story() {
	(cd here && "$native/bin/culprit" report "$@" culprit-program-*) >here.out
	(cd there && "$build/bin/culprit" report "$@" culprit-program-*) >there.out
	[[ -s here.out ]]
	diff_stories here.out there.out
}

# fail_on_both SETTING... -- SCENARIO: the same failing program of each build, in the folders here and there.
fail_on_both() {
	local side settings=()
	while [[ $1 != -- ]]; do
		settings+=("$1")
		shift
	done
	for side in here there; do
		rm -rf "$side"
		mkdir "$side"
		cp "$(tree $side)/bin/corpus" "$side/program"
		local status=0
		(cd "$side" && env LD_LIBRARY_PATH="$(tree "$side")/lib/simcuda" CULPRIT_QUIET=1 "${settings[@]}" \
			timeout -k 5 300 "$(tree "$side")/bin/culprit" run -- ./program \
			--kernels "$(tree "$side")/lib/simcuda-kernels" "$2") || status=$?
		((status == 1))
	done
}

@test "bundles that are made alike: the same bytes, and either command reads them" {
	touch generated.py
	for kind in failed clean mixed python large coredump; do
		for side in here there; do
			"$(tree $side)/bin/make-bundle" "$kind" "$side-$kind" generated.py
		done
		diff -r "here-$kind" "there-$kind"
		read_alike report "there-$kind" "here-$kind"
		read_alike report --format json "there-$kind"
		read_alike dump "there-$kind"
	done
}

@test "a failure's bundle from either machine: either command reads it, and it says the same" {
	for scenario in late_in_stream host_pointer graph_params copy_fault; do
		fail_on_both CULPRIT_MARKERS=inline -- "$scenario"
		bundle_read_alike here/culprit-program-*
		bundle_read_alike there/culprit-program-*
		same_story
		same_story -v
		same_story --format json
	done
}

@test "a GPU core dump in a bundle from either machine" {
	fail_on_both CULPRIT_COREDUMP=on CULPRIT_MARKERS=off CULPRIT_PROGRESS=off -- use_after_free
	for side in here there; do
		bundle_read_alike "$side"/culprit-program-*
		read_alike dump "$side"/culprit-program-*/core.nvcudmp
	done
	same_story -v
	same_story --format json
}

@test "GPU core dumps of an H200" {
	for dump in "$root"/tests/fixtures/coredumps/*.gz; do
		gzip -dc "$dump" >dump
		read_alike dump ./dump
	done
}

@test "the demonstration" {
	for side in here there; do
		mkdir "$side"
		(cd "$side" && "$(tree $side)/bin/culprit" demo >out 2>err)
	done
	diff_stories here/err there/err
	for bundle in */culprit-demo-*; do
		bundle_read_alike "$bundle"
	done
}
