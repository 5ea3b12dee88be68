#!/usr/bin/env bats
# Hosts with green contexts and with two devices: nothing of one context is mistaken for another's.

load robust

# with SCHEME SCENARIO PATTERN: with these markers, the verdict is that.
with() {
	rm -rf bundles/*
	CULPRIT_MARKERS=$1 unharmed "$2"
	verdict "$3"
}

@test "a green context's handle is reused: its default stream is another one" {
	for scheme in inline side off; do
		with $scheme green_handle_again \
			"narrowed: one of [0-9]+ submissions, most likely #2 stray_store"
	done
}

@test "a green context is the last user of its primary one, whose handle is reused" {
	with inline green_ends_primary "exact: launch #6, stray_store"
	with side green_ends_primary "(likely|exact): launch #6, stray_store"
}

@test "the code of a context's kernels stays known when other contexts end" {
	with auto others_end "exact: launch #[0-9]+, stray_store"
	run "$culprit" dump -F functions bundles/*
	[[ $output == *'name="fill"'* && $output == *'name="stray_store"'* ]]
	! grep '^function ' <<<"$output" | grep -v ' image=[1-9]'
}

# The driver's progress shows the end of a kernel from the first one on, without a synchronisation.
@test "the driver's words: of green contexts, a primary one's legacy stream, the first kernels" {
	with auto green_words "exact: launch #22, stray_store"
	grep -q "driver progress: .* had started #22 and nothing after it (counter verified" under.err
	"$culprit" dump -F kernel-states bundles/* | grep -q '^kernel-state'
	with auto legacy_words "exact: launch #22, stray_store"
	grep -q "driver progress: stream 0x0 had started #22 and nothing after it (counter verified" under.err
}

# On a GPU this happens if it is busy. The stream is waited for once, which is too seldom to learn from.
@test "the driver's words: without an answer to our own kernels, a bundle says that it has no states" {
	export SIMCUDA_INJECT=cuMemsetD2D32Async:1:801
	for _ in {1..20}; do
		rm -rf bundles/*
		unharmed green_words
		! grep -q '"progress": "the driver.s progress counters were found' bundles/*/meta.json || break
	done
	grep -q 'were found, but no states of kernels"' bundles/*/meta.json
	verdict "exact: launch #22, stray_store"
	"$culprit" dump -F kernel-states bundles/* >states
	lacks '^kernel-state' states
}

# Two threads have default streams of their own; one stream ends with its thread.
@test "the driver's words: of a thread's own default stream" {
	local progress
	for progress in layout other; do
		SIMCUDA_PROGRESS=$progress with auto own_words "exact: launch #42, stray_store"
		grep -q "driver progress: .* had started #42 and nothing after it (counter verified" under.err
	done
}

# The list is the primary context's, though a green one was used first; what moves in step is not it.
@test "the driver's words: of a thread's own default stream, beside a green context's" {
	with auto own_beside_green "exact: launch #41, stray_store"
	grep -q "driver progress: the per-thread .* had started #41 and nothing after it (counter verified" under.err
	"$culprit" dump bundles/* >dump.txt
	sed -n 's/.* submission .* stream=\([12]\) .* channel=\([0-9]*\) .*/\1 \2/p' dump.txt | sort -u >told.txt
	(($(wc -l <told.txt) == 2 && $(cut -d ' ' -f 2 told.txt | sort -u | wc -l) == 2))
}

@test "3,000 green contexts one after the other: rows, words and side streams are used again" {
	for scheme in inline side; do
		CULPRIT_RECORDS=256 with $scheme many_greens "exact: launch #6001, stray_store"
		"$culprit" dump -F contexts bundles/* | awk '/^# / { exit $3 + $5 >= 10 }'
		"$culprit" dump -F streams bundles/* | awk '/^# / { exit $3 + $5 >= 20 }'
	done
}

@test "streams of green contexts have markers, and the primary context's synchronisation is theirs" {
	with inline green_streams "exact: launch #25, stray_store"
	with side green_streams "(likely|exact): launch #25, stray_store"
}

@test "300 contexts are destroyed while another thread launches in them" {
	unharmed contexts_end_in_use
	verdict ".*stray_store"
	bundles 1
}

@test "a green context waits for another one's event" {
	with inline green_events "exact: launch #4, stray_store"
	with side green_events "(narrowed|likely|exact): .*#4,? stray_store"
}

@test "a copy out of another context's memory proves nothing of the current one" {
	for scheme in inline side; do
		with $scheme copy_of_other_context \
			"narrowed: one of [0-9]+ submissions, most likely #4 stray_store"
	done
	CULPRIT_PROGRESS=off with off copy_of_other_context "narrowed: one of 5 submissions"
	grep -q '#4 stray_store on stream 0x0' under.err
}

@test "a stream that was first used from another device's context: its own device, with markers" {
	export SIMCUDA_DEVICES=2
	with inline foreign_stream "exact: launch #7, stray_store"
	grep -q 'stray_store<<<.*, device 1 ' under.err
	with side foreign_stream "(likely|exact): launch #7, stray_store"
	grep -q 'stray_store<<<.*, device 1 ' under.err
}

# The failure is reported so late that the other device has reached its wait for the failed one.
@test "a device that continues clears its own work, and none of the failed device's" {
	export SIMCUDA_DEVICES=2 SIMCUDA_LATE_MS=300
	with inline other_device_goes_on "exact: launch #22, stray_store"
	grep -q 'stray_store<<<.*, device 0 ' under.err
	grep -Eq "event order: 1 submission|driver progress" under.err
	# Nothing tells them apart, so none is called the most likely; no place is hidden by
	# another's number.
	CULPRIT_PROGRESS=off with off other_device_goes_on "narrowed: one of 23 launches: 20 of spin, #21 fill, #22 stray_store and 1 more \\["
	grep -q "^  or else  *19 more of spin, #1 to #20 on stream .*, from " under.err
	grep -q "^  *#22 stray_store on stream 0x0, from " under.err
	"$culprit" report --format json bundles/* | python3 -S -c '
import json, sys
report = json.load(sys.stdin)
groups = [(group["n"], group["name"], group["earliest"], group["latest"]) for group in report["groups"]]
assert groups == [(20, "spin", 1, 20), (1, "fill", 21, 21), (1, "stray_store", 22, 22), (1, "spin", 23, 23)], groups
assert report["lead"] is None and report["ungrouped"] == 0 and report["n_suspects"] == 23'
}
